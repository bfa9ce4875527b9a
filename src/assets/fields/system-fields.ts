import type { FieldType } from "./field-types.ts";

/** A field that exists from the first start. */
export interface SystemField {
  readonly name: string;
  readonly type: FieldType;
  /** Kept by the service: it cannot be redefined. Else it is only there from the start. None can be deleted. */
  readonly system: boolean;
}

const kept = (name: string, type: FieldType): SystemField => ({ name, type, system: true });
const builtIn = (name: string, type: FieldType): SystemField => ({ name, type, system: false });

/** The fields that the service itself writes or that clients count on. */
export const systemFields: readonly SystemField[] = [
  kept("itemId", "string-exact"),
  kept("collectionId", "string-exact"),
  kept("created", "date"),
  kept("mediaType", "string-exact"),
  kept("mimeType", "string-exact"),
  kept("originalFilename", "string-exact"),
  kept("originalFormat", "string-exact"),
  kept("originalAudioCodec", "string-exact"),
  kept("originalVideoCodec", "string-exact"),
  kept("shapeTag", "string-exact"),
  kept("trackId", "string-exact"),
  kept("originalWidth", "integer"),
  kept("originalHeight", "integer"),
  kept("durationSeconds", "float"),
  kept("durationTimeCode", "string-noindex"),
  builtIn("title", "string-sortable"),
  builtIn("originalUri", "string-exact"),
  builtIn("startSeconds", "float"),
  builtIn("startTimeCode", "string-exact"),
  builtIn("representativeThumbnail", "string"),
  builtIn("representativeThumbnailNoAuth", "string"),
  builtIn("representativeItems", "string-exact"),
];

const names: ReadonlySet<string> = new Set(systemFields.map(({ name }) => name));

/** Whether a field is one of those that exist from the first start. */
export function isBuiltIn(name: string): boolean {
  return names.has(name);
}
