import { KinoraError } from "../../errors.ts";

/** The types of image that are kept. */
export const imageTypes = ["image/png", "image/jpeg"] as const;
export type ImageType = (typeof imageTypes)[number];

/** What files of each type begin with. */
const beginnings: Readonly<Record<ImageType, readonly number[]>> = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff],
};

/** The type that bytes are of, whatever was said of them. @throws KinoraError `unsupported-media-type` for another */
export function imageType(bytes: Uint8Array): ImageType {
  const type = imageTypes.find((one) => beginnings[one].every((byte, index) => bytes[index] === byte));
  if (type !== undefined) return type;
  throw new KinoraError("unsupported-media-type", { explanation: "The body is neither a PNG nor a JPEG image" });
}
