import type { Infer } from "../../documents/declare.ts";
import { dateTime, document, int, list, object, text } from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import { componentTypes } from "./component-document.ts";

/** One form of an item's media: its components and their files. */
export const ShapeType = object("ShapeType", {
  id: text().readOnly(),
  created: dateTime().readOnly(),
  essenceVersion: int().readOnly(),
  tag: list(text()).jsonEmptyList(),
  mimeType: list(text()),
  uuid: text(),
  containerComponent: componentTypes.container,
  audioComponent: list(componentTypes.audio),
  videoComponent: list(componentTypes.video),
  binaryComponent: list(componentTypes.binary),
  descriptorComponent: list(componentTypes.descriptor),
  subtitleComponent: list(componentTypes.subtitle),
  metadata: SimpleMetadataDocument,
  item: list(object("ShapeItemType", { id: text() })).readOnly(),
});
export type ShapeValue = Infer<typeof ShapeType>;

export const ShapeDocument = document("ShapeDocument", ShapeType);

/** The versions of an item's media, the oldest first. */
export const EssenceVersionListDocument = document("EssenceVersionListDocument", {
  version: list(
    object("EssenceVersionEntryType", { id: int().required(), uri: text().required(), created: dateTime() }),
  ).jsonEmptyList(),
});

/** One version of an item's media. */
export const EssenceVersionDocument = document("EssenceVersionDocument", {
  created: dateTime(),
  shape: list(ShapeType).jsonEmptyList(),
});
