import { KinoraError } from "../../errors.ts";
import { listParameter, textParameter } from "../../http/parameters.ts";
import type { AnyRouteRequest } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import type { AccessKind } from "../access-port.ts";
import type { Collection } from "../documents/collection-document.ts";
import { selectionParameters } from "../metadata/selection/selection-parameters.ts";
import {
  type CollectionDocumentEnvironment,
  type CollectionRequest,
  collectionDocuments,
  contentDocuments,
} from "./collection-documents.ts";
import type { CollectionEditing } from "./plan-content.ts";
import { readPage } from "./read-members.ts";

/** Parameters by which requests say what of collections they want. */
export const collectionParameters = { ...selectionParameters, content: listParameter(), revision: textParameter() };

/** A collection as text. */
export function idLines({ id = "" }: Collection): readonly string[] {
  return [id];
}

type SubjectRequest = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject };

/** What the routes of collections have in common. */
export interface CollectionAnswers {
  /** @throws KinoraError `not-found` for what is no identifier */
  serialOf(identifier: string): Promise<number>;
  /** An edit in the name of a request's caller. */
  editing(request: SubjectRequest): CollectionEditing;
  /** The document of a collection without its members. @throws KinoraError `not-found` */
  shown(request: CollectionRequest, serial: number): Promise<Collection>;
  /** The document of a collection with its members, whatever parameters the request has. @throws KinoraError `not-found` */
  whole(request: Pick<CollectionRequest, "subject" | "url">, serial: number): Promise<Collection>;
}

export function collectionAnswers(environment: CollectionDocumentEnvironment): CollectionAnswers {
  async function shown(request: CollectionRequest, serial: number): Promise<Collection> {
    const [found] = await collectionDocuments(environment, request, [serial]);
    if (found !== undefined) return found.collection;
    throw new KinoraError("not-found", { type: "Collection", id: environment.ids.format(serial) });
  }
  return {
    shown,
    serialOf: async (identifier) => Math.floor((await resolveAccessEntity(environment, "collection", identifier)) / 8),
    editing: (request) => ({ environment, subject: request.subject, change: () => request.change() }),
    async whole(request, serial) {
      const collection = await shown(plainRequest(request), serial);
      const members = await readPage(environment, request.subject, serial, { first: 1, kinds: everyKind });
      return { ...collection, content: contentDocuments(environment, (path) => request.url(path), members) };
    },
  };
}

/** A request for the plain document, whatever parameters it has. */
function plainRequest(request: Pick<CollectionRequest, "subject" | "url">): CollectionRequest {
  const none = Object.fromEntries(
    Object.entries(collectionParameters).map(([name, parameter]) => [name, parameter.default]),
  ) as CollectionRequest["query"];
  return { subject: request.subject, url: (path) => request.url(path), parameter: () => undefined, query: none };
}

const everyKind: readonly AccessKind[] = ["item", "collection", "library"];

/** Which members are shown. @throws KinoraError `invalid-input` */
export function childKinds(children: readonly string[]): readonly AccessKind[] {
  if (children.length === 0 || children.includes("all")) return everyKind;
  const unknown = children.find((name) => name !== "none" && !everyKind.some((kind) => kind === name));
  if (unknown !== undefined) {
    throw new KinoraError("invalid-input", {
      context: "children",
      value: unknown.slice(0, 100),
      explanation: "The parameter children is a list of item, collection, library, or all or none",
    });
  }
  return everyKind.filter((kind) => children.includes(kind));
}
