import type { AnyDocument } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import { namesVersion } from "./entity-tag.ts";
import type { Exchange } from "./exchange.ts";
import type { MountedRoute } from "./mounted-route.ts";
import { readParameters } from "./parameters.ts";
import { versionOf } from "./render.ts";
import { Reply } from "./reply.ts";

/**
 * Checks If-Match against the present version, as the GET of the same path tells it. A handler whose entity is written
 * by many uses `request.ifMatch` as well, inside its change, where nobody can come between.
 *
 * @throws KinoraError `precondition-failed`
 */
export async function requireUnchanged(exchange: Exchange, reading: MountedRoute | undefined): Promise<void> {
  const versions = exchange.ifMatch;
  if (versions === undefined || reading === undefined || reading.route.declaration.etag !== true) return;
  const current = await currentVersion(exchange, reading);
  if (current === undefined || !namesVersion(versions, current)) throw new KinoraError("precondition-failed");
}

/** The version of the entity; `undefined` when there is none. */
async function currentVersion(exchange: Exchange, { route }: MountedRoute): Promise<string | undefined> {
  const { query = {}, output } = route.declaration;
  const asked = exchange.asRead(readParameters(query, exchange.parameters));
  try {
    const answer = await route.handle(asked);
    if (answer instanceof Reply)
      return answer.options.etag ?? versionOf(answer.options.document ?? (output as AnyDocument), answer.value);
    return versionOf(output as AnyDocument, answer);
  } catch (error) {
    if (error instanceof KinoraError && error.status === 404) return undefined;
    throw error;
  }
}
