import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { permissions } from "../access-port.ts";
import type { AccessControlMerged } from "../documents/merged-access-document.ts";
import type { ContentRequest } from "../items/item-content.ts";
import { type MergedQuery, mergedAccess, operationTypes } from "./merged-access.ts";

/** The word of a parameter. @throws KinoraError `invalid-input` */
function wordOf<Word extends string>(
  { parameter }: Pick<ContentRequest, "parameter">,
  name: string,
  words: readonly Word[],
  otherwise: Word,
): Word {
  const given = parameter(name);
  if (given === undefined || given === "") return otherwise;
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  throw new KinoraError("invalid-input", {
    context: name,
    value: given.slice(0, 100),
    explanation: `The parameter ${name} must be one of ${words.join(", ")}`,
  });
}

/**
 * `content=merged-access`: what the caller may do with each of some entities, by `mergedType` (default GENERIC),
 * `mergedPermission` (default NONE) and `mergedExtradata`. What others may do is told by the resource of that name, which
 * has a role of its own.
 *
 * @param entities by their keys
 * @throws KinoraError `invalid-input` for a parameter
 */
export async function mergedContent(
  store: Store,
  request: Pick<ContentRequest, "subject" | "parameter">,
  entities: readonly number[],
): Promise<ReadonlyMap<number, { readonly "merged-access": AccessControlMerged }>> {
  const extradata = request.parameter("mergedExtradata");
  const query: MergedQuery = {
    username: request.subject.userName,
    type: wordOf(request, "mergedType", operationTypes, "GENERIC"),
    permission: wordOf(request, "mergedPermission", permissions, "NONE"),
    extradata: extradata === "" ? undefined : extradata,
  };
  const found = new Map<number, { readonly "merged-access": AccessControlMerged }>();
  for (const entity of entities) found.set(entity, { "merged-access": await mergedAccess(store, entity, query) });
  return found;
}
