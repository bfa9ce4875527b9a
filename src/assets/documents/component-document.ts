import type { Infer } from "../../documents/declare.ts";
import { attribute, boolean, content, document, int, list, long, object, text } from "../../documents/declare.ts";
import { FileType } from "./file-document.ts";
import {
  AspectRatioType,
  EDLType,
  KeyValuePairType,
  MediaInfoType,
  RationalType,
  ResolutionType,
  TimeBaseType,
  TimeCodeType,
  TimeIntervalType,
} from "./media-types.ts";

const component = { file: list(FileType), id: text(), metadata: list(KeyValuePairType) };

const container = {
  duration: TimeCodeType,
  format: text(),
  subFormat: text(),
  firstSMPTETimecode: text(),
  startTimecode: long(),
  startTimestamp: TimeCodeType,
  roundedTimeBase: int(),
  dropFrame: boolean(),
  timeCodeTimeBase: TimeBaseType,
};

const media = {
  codec: text(),
  timeBase: TimeBaseType,
  itemTrack: text(),
  essenceStreamId: int(),
  interval: TimeIntervalType,
  bitrate: long(),
  numberOfPackets: long(),
  /** In hexadecimal. */
  extradata: text(),
  pid: int(),
  duration: TimeCodeType,
  profile: int(),
  level: int(),
  edl: EDLType,
  startTimestamp: TimeCodeType,
  trackOrder: int(),
  segment: int(),
  repeatCount: int(),
};

const audio = {
  channelCount: int(),
  channelLayout: long(),
  sampleFormat: text(),
  frameSize: long(),
  blockAlign: long(),
};

const typedText = { type: attribute(text()).required(), value: content() };

const video = {
  videoStandard: object("VideoStandardType", typedText),
  resolution: ResolutionType,
  pixelFormat: text(),
  maxBFrames: int(),
  pixelAspectRatio: AspectRatioType,
  fieldOrder: text(),
  codecTimeBase: TimeBaseType,
  averageFrameRate: TimeBaseType,
  realBaseFrameRate: TimeBaseType,
  displayWidth: RationalType,
  displayHeight: RationalType,
  displayXOffset: RationalType,
  displayYOffset: RationalType,
  containerSAR: AspectRatioType,
  colr_primaries: int(),
  colr_transfer_function: int(),
  colr_matrix: int(),
  max_packet_size: int(),
  startTimecode: long(),
  dropFrame: boolean(),
  ticks_per_frame: int(),
  bitDepth: int(),
  bitsPerPixel: int(),
  colorPrimaries: text(),
};

const binary = { format: text(), encoding: text(), offset: long(), length: long() };
const descriptor = { description: list(object("ComponentDescriptionType", typedText)) };
const mediaInfo = { mediaInfo: MediaInfoType };

/** The members of each kind of component that describe its media. */
export const componentTypes = {
  container: object("ContainerComponentType", { ...component, ...container, ...mediaInfo }),
  audio: object("AudioComponentType", { ...component, ...media, ...audio, ...mediaInfo }),
  video: object("VideoComponentType", { ...component, ...media, ...video, ...mediaInfo }),
  binary: object("BinaryComponentType", { ...component, ...binary, ...mediaInfo }),
  descriptor: object("DescriptorComponentType", { ...component, ...descriptor }),
  subtitle: object("SubtitleComponentType", { ...component, ...media }),
} as const;

/** A component of any kind, with what its kind has. */
const AnyComponentType = object("ComponentType", {
  ...component,
  ...container,
  ...media,
  ...audio,
  ...video,
  ...binary,
  ...descriptor,
  ...mediaInfo,
});
export type AnyComponent = Infer<typeof AnyComponentType>;

export const ComponentDocument = document("ComponentDocument", AnyComponentType);
export const ComponentListDocument = document("ComponentListDocument", {
  component: list(AnyComponentType).jsonEmptyList(),
});
