import type { Infer } from "../../documents/declare.ts";
import {
  attribute,
  boolean,
  content,
  document,
  double,
  int,
  list,
  long,
  object,
  text,
} from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import {
  AspectRatioType,
  KeyValuePairType,
  RationalType,
  ResolutionType,
  TimeBaseType,
  TimeCodeType,
} from "./media-types.ts";

const settings = { setting: list(KeyValuePairType), preset: list(text()) };

const AudioMixType = object("AudioMixType", {
  silence: attribute(boolean()),
  input: list(
    object("AudioMixInputType", {
      channel: attribute(int()),
      stream: attribute(int()),
      gain: attribute(double()),
    }),
  ),
});

const audio = {
  codec: text(),
  bitrate: long(),
  framerate: TimeBaseType,
  sampleFormat: text(),
  channel: list(int()),
  stream: list(int()),
  mix: list(AudioMixType),
  monoFile: text(),
  noAudio: boolean(),
  ...settings,
};

const ScalingType = object("ScalingType", {
  width: int(),
  height: int(),
  top: int(),
  bottom: int(),
  left: int(),
  right: int(),
  pixelAspectRatio: AspectRatioType,
  targetDAR: AspectRatioType,
});

const VideoTranscodePresetType = object("VideoTranscodePresetType", {
  scaling: ScalingType,
  codec: text(),
  bitrate: long(),
  framerate: TimeBaseType,
  resolution: ResolutionType,
  forceCFR: boolean(),
  gopSize: int(),
  maxBFrames: int(),
  pixelFormat: text(),
  fieldOrder: text(),
  profile: text(),
  aspectRatio: AspectRatioType,
  displayWidth: RationalType,
  displayHeight: RationalType,
  displayXOffset: RationalType,
  displayYOffset: RationalType,
  stripParameterSets: boolean(),
  addParameterSets: boolean(),
  noVideo: boolean(),
  ...settings,
});

const place = { x: int(), y: int(), width: int(), height: int(), opacity: double() };

const OverlayType = object("OverlayType", { uri: text(), ...place });

const TextOverlayType = object("TextOverlayType", {
  text: text(),
  font: text(),
  fontSize: int(),
  color: text(),
  horizontalAlignment: text(),
  verticalAlignment: text(),
  ...place,
});

/** How media of a shape tag is made. */
export const TranscodePresetDocument = document("TranscodePresetDocument", {
  description: text(),
  name: text(),
  format: text(),
  audio: object("AudioTranscodePresetType", audio),
  video: VideoTranscodePresetType,
  startTimecode: text(),
  fastStartSetting: object("FastStartSettingType", {
    requireFastStart: boolean(),
    analyzeDuration: boolean(),
    fastStartDuration: TimeCodeType,
  }),
  thumbnailResolution: ResolutionType,
  thumbnailBackground: text(),
  thumbnailPeriod: TimeCodeType,
  thumbnailPlugin: text(),
  posterResolution: ResolutionType,
  posterBackground: text(),
  faceDetect: boolean(),
  preserveEDL: boolean(),
  addClipName: boolean(),
  overlay: list(OverlayType),
  textOverlay: list(TextOverlayType),
  preferredSourceTag: text(),
  script: text(),
  shapeMetadata: list(KeyValuePairType),
  maxChunkDuration: TimeCodeType,
  demuxerSetting: list(KeyValuePairType),
  muxerSetting: list(KeyValuePairType),
  sequenceOutput: object("SequenceOutputType", { type: attribute(text()), value: content() }),
  metadata: SimpleMetadataDocument,
  audioTrack: list(object("AudioTrackTranscodePresetType", { ...audio, ...settings })),
});
export type TranscodePreset = Infer<typeof TranscodePresetDocument>;
