import { KinoraError } from "../../errors.ts";
import { type AccessOperation, type Permission, rankOf } from "../access-port.ts";
import type { AccessControl, AccessControlOperation } from "./access-documents.ts";
import type { PrincipalKind } from "./principals.ts";
import { type Reach, reachOf } from "./reach.ts";
import { operationText } from "./subject-access.ts";

/** An entry that somebody asks for. */
export interface WantedEntry {
  readonly kind: PrincipalKind;
  readonly name: string;
  /** 0 for NONE to 3 for ALL. */
  readonly permission: number;
  readonly reach: Reach;
  readonly priority: number;
  /** As in `Grant`. */
  readonly operation: string;
}

/** Largest priority, and the negative of the smallest. */
export const highestPriority = 1_000_000;
/** Characters of the longest field name, tag or type of an operation. */
const longestOperationData = 200;

/**
 * The entry that a document asks for.
 *
 * @throws KinoraError `invalid-input` without a permission, or without exactly one of user and group; for OWNER, which is
 * handed over and not granted
 */
export function wantedEntry(document: AccessControl): WantedEntry {
  const { user, group, permission, priority = 0, operation, appliesTo, recursive } = document;
  if (permission === undefined) refuse("permission", "An access entry needs a permission");
  if (permission === "OWNER") {
    refuse("permission", "An entity has one owner; it is changed by PUT …/access/owner/{user}");
  }
  const name = user ?? group;
  if (name === undefined || (user !== undefined && group !== undefined)) {
    refuse("access", "An access entry is for a user or for a group");
  }
  if (Math.abs(priority) > highestPriority) {
    refuse("priority", `A priority is from ${-highestPriority} to ${highestPriority}`);
  }
  return {
    kind: user === undefined ? "group" : "user",
    name,
    permission: rankOf(permission),
    reach: reachOf(appliesTo, recursive),
    priority,
    operation: operation === undefined ? "" : operationText(operationOf(operation)),
  };
}

function operationOf({ metadata, shape, uri }: AccessControlOperation): AccessOperation {
  if (metadata !== undefined) return withData("METADATA", metadata.field);
  if (shape !== undefined) return withData("SHAPE", shape.tag);
  return withData("URI", uri?.type);
}

function withData(type: AccessOperation["type"], data: string | undefined): AccessOperation {
  if (data === undefined || data === "") return { type };
  if (data.length > longestOperationData) {
    refuse("operation", `What an operation is limited to has at most ${longestOperationData} characters`);
  }
  return { type, data };
}

/** The operation that a text of a `Grant` stands for; `undefined` for every operation. */
export function parseOperation(text: string): AccessOperation | undefined {
  if (text === "") return undefined;
  const at = text.indexOf(" ");
  const type = (at < 0 ? text : text.slice(0, at)) as AccessOperation["type"];
  return at < 0 ? { type } : { type, data: text.slice(at + 1) };
}

/** An operation as documents show it. */
export function operationDocument(text: string): AccessControlOperation | undefined {
  const operation = parseOperation(text);
  if (operation === undefined) return undefined;
  const { type, data } = operation;
  if (type === "METADATA") return { metadata: data === undefined ? {} : { field: data } };
  if (type === "SHAPE") return { shape: data === undefined ? {} : { tag: data } };
  return { uri: data === undefined ? {} : { type: data } };
}

/** A permission word for a number of a `Grant`. */
export function permissionWord(permission: number): Permission {
  return (["NONE", "READ", "WRITE", "ALL", "OWNER"] as const)[permission] ?? "NONE";
}

function refuse(context: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, explanation });
}
