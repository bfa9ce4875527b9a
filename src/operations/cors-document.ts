import { KeyValuePairType } from "../assets/documents/media-types.ts";
import { document, type Infer, int, list, object, text } from "../documents/declare.ts";

/** Which requests from web pages of other origins browsers let through. */
export const CORSConfigurationDocument = document("CORSConfigurationDocument", {
  entry: list(
    object("CORSEntryType", {
      request: list(
        object("CORSRequestType", {
          origin: list(text()),
          originRegex: list(text()),
          pathRegex: list(text()),
          method: list(text()),
          headerRegex: list(KeyValuePairType),
        }),
      ),
      response: object("CORSResponseType", {
        allowOrigin: text().required(),
        allowMethods: list(text()),
        allowHeaders: list(text()),
        allowMaxAge: int(),
        allowOtherHeader: list(KeyValuePairType),
      }).required(),
    }),
  ),
});
export type CorsConfiguration = Infer<typeof CORSConfigurationDocument>;
