import { KinoraError } from "../../errors.ts";
import type { SimpleMetadata } from "../../identity/documents.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import { accessEntityOf, accessKey, accessKinds } from "../access/access-entity.ts";
import { formatAccessEntity } from "../access/entity-id.ts";
import { readPermissions, requireAccess } from "../access/require-access.ts";
import { type AccessKind, rankOf } from "../access-port.ts";
import { type MembershipEdit, mostMembersAtOnce, type PutMember } from "./change-members.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { type MemberOrder, memberOrder, newPositions, type Place } from "./member-order.ts";
import { type ReadMember, readMembers } from "./read-members.ts";

/** Who edits a collection, and where the change is started. */
export interface CollectionEditing {
  readonly environment: CollectionEnvironment;
  readonly subject: Subject;
  change(): Change;
}

/** What is to be done with one member. */
export interface ContentStep {
  readonly mode: "add" | "remove" | "move";
  readonly key: number;
  /** Absent: behind all others, or where it is already. */
  readonly place?: Place;
  /** Pairs to set; with the value `null` to take away. */
  readonly metadata?: ReadonlyMap<string, string | null>;
}

/** Pairs of one member. */
const mostPairs = 100;

/** What an attempt knows of the collection and of those that the steps name. */
interface Known {
  readonly members: ReadonlyMap<number, ReadMember>;
  /** What the caller may do with each, by key. */
  readonly permissions: ReadonlyMap<number, number>;
  readonly changes: number;
}

/**
 * Plans steps on the content of a collection, one after the other; `undefined` when they change nothing. What a collection
 * grants reaches a member only when who puts it in may share it, which takes ALL.
 *
 * @throws KinoraError `not-found` for the collection, or an entity that is to come in or is a place; `forbidden` without
 * WRITE; `invalid-input` for more than {@link mostMembersAtOnce} steps
 */
export async function planSteps(
  editing: CollectionEditing,
  collection: number,
  steps: readonly ContentStep[],
): Promise<MembershipEdit | undefined> {
  requireFew(steps.length);
  const needsOrder = steps.some(({ mode, place }) => mode === "move" || place !== undefined);
  const known = await readKnown(editing, collection, steps, needsOrder);
  const edit = plan(editing, known, steps, needsOrder);
  return unlessEmpty({ ...edit, ...(needsOrder ? { plannedFor: known.changes } : {}) });
}

/**
 * Refuses steps that could not be carried out on a new collection, before it is made.
 *
 * @throws KinoraError as {@link planSteps}
 */
export async function requireSteps(editing: CollectionEditing, steps: readonly ContentStep[]): Promise<void> {
  requireFew(steps.length);
  const permissions = await readStepPermissions(editing, steps);
  plan(editing, { members: new Map(), permissions, changes: 0 }, steps, true);
}

/**
 * Plans that the members of a collection become those of a list, in its order.
 *
 * @param clear `false`: other members stay, behind those of the list. Members that the caller cannot see stay always.
 * @throws KinoraError as {@link planSteps}
 */
export async function planWhole(
  editing: CollectionEditing,
  collection: number,
  steps: readonly ContentStep[],
  clear: boolean,
): Promise<MembershipEdit | undefined> {
  requireFew(steps.length);
  const known = await readKnown(editing, collection, steps, true);
  const listed = new Set(steps.map(({ key }) => key));
  const others = [...known.members.values()].filter(({ key }) => !listed.has(key));
  const removed = clear ? others.filter(({ readable }) => readable).map(({ key }) => key) : [];
  const gone = new Set(removed);
  const order = [...listed, ...others.map(({ key }) => key).filter((key) => !gone.has(key))];
  const before = [...known.members.keys()].filter((key) => !gone.has(key));
  const same = order.length === before.length && order.every((key, index) => key === before[index]);
  const positions = same ? new Map<number, number>() : newPositions(order, () => undefined);
  const put = steps.flatMap((step) => putOf(editing, known, step, positions.get(step.key)) ?? []);
  const putKeys = new Set(put.map(({ key }) => key));
  const moved = [...positions].filter(
    ([key, position]) => !putKeys.has(key) && known.members.get(key)?.position !== position,
  );
  return unlessEmpty({ put, removed, moved, plannedFor: known.changes });
}

function unlessEmpty(edit: MembershipEdit): MembershipEdit | undefined {
  const { put = [], removed = [], moved = [] } = edit;
  return put.length + removed.length + moved.length === 0 ? undefined : edit;
}

async function readKnown(
  editing: CollectionEditing,
  collection: number,
  steps: readonly ContentStep[],
  all: boolean,
): Promise<Known> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("collection", collection), "WRITE");
  const keys = [...new Set(steps.map(({ key }) => key))];
  const [row] = await environment.store.query({
    sql: "select changes from collection where id = ?",
    args: [collection],
  });
  const members = await readMembers(environment, subject, collection, all ? {} : { keys });
  return {
    members: new Map(members.map((member) => [member.key, member])),
    permissions: await readStepPermissions(editing, steps),
    changes: Number(row?.changes ?? 0),
  };
}

/** What the caller may do with each entity that steps name, by key. */
async function readStepPermissions(
  { environment, subject }: CollectionEditing,
  steps: readonly ContentStep[],
): Promise<ReadonlyMap<number, number>> {
  const entities = [...new Set(steps.map(({ key }) => key))].map(accessEntityOf);
  const permissions = new Map<number, number>();
  for (const kind of ["item", "collection", "library"] as const) {
    const serials = entities.filter((entity) => entity.kind === kind).map(({ serial }) => serial);
    const read = await readPermissions(environment, subject, kind, serials);
    for (const [key, permission] of read) permissions.set(key, permission);
  }
  return permissions;
}

interface PlannedContent {
  readonly put: readonly PutMember[];
  readonly removed: readonly number[];
  readonly moved: readonly (readonly [number, number])[];
}

function plan(
  editing: CollectionEditing,
  known: Known,
  steps: readonly ContentStep[],
  needsOrder: boolean,
): PlannedContent {
  const order = memberOrder([...known.members.values()]);
  const removed = new Set<number>();
  const added = new Map<number, ContentStep>();
  for (const step of steps) {
    const { key, mode, place } = step;
    const member = known.members.get(key);
    if (mode === "remove") {
      added.delete(key);
      order.remove(key);
      if (member?.readable === true) removed.add(key);
      continue;
    }
    if (mode === "move" && !order.has(key)) throw notFound(editing, key);
    if (mode === "add") {
      requireReadable(editing, known, key);
      removed.delete(key);
      added.set(key, step);
    }
    if (place !== undefined || mode === "move" || !order.has(key)) {
      requirePlace(editing, order, place);
      order.put(key, place ?? {});
    }
  }
  const positions = needsOrder ? order.positions() : new Map<number, number>();
  const put = [...added.values()].flatMap((step) => putOf(editing, known, step, positions.get(step.key)) ?? []);
  const putKeys = new Set(put.map(({ key }) => key));
  const moved = [...positions].filter(([key, position]) => {
    const member = known.members.get(key);
    return !putKeys.has(key) && member !== undefined && member.position !== position;
  });
  return { put, removed: [...removed], moved };
}

function requirePlace(editing: CollectionEditing, order: MemberOrder, place: Place = {}): void {
  for (const key of [place.before, place.after]) {
    if (key !== undefined && !order.has(key)) throw notFound(editing, key);
  }
}

/** What is written of a member that is put in; `undefined` when it is in already as it should be. */
function putOf(
  editing: CollectionEditing,
  known: Known,
  { key, metadata }: ContentStep,
  position: number | undefined,
): PutMember | undefined {
  requireReadable(editing, known, key);
  const member = known.members.get(key);
  const passes = (known.permissions.get(key) ?? 0) >= rankOf("ALL");
  const pairs = metadata === undefined ? undefined : edited(member?.metadata, metadata);
  const stays =
    member !== undefined &&
    (member.passes || !passes) &&
    (position === undefined || position === member.position) &&
    (pairs === undefined || pairs === textOf(member.metadata));
  if (stays) return undefined;
  return {
    key,
    passes,
    ...(position === undefined ? {} : { position }),
    ...(pairs === undefined ? {} : { metadata: pairs }),
  };
}

function requireReadable(editing: CollectionEditing, { permissions }: Known, key: number): void {
  if ((permissions.get(key) ?? 0) < rankOf("READ")) throw notFound(editing, key);
}

/** Pairs behind an edit, as JSON; `null` when none are left. @throws KinoraError `invalid-input` for too many */
function edited(metadata: SimpleMetadata | undefined, edit: ReadonlyMap<string, string | null>): string | null {
  const pairs = new Map((metadata?.field ?? []).map(({ key, value }) => [key, value]));
  for (const [key, value] of edit) {
    if (value === null) pairs.delete(key);
    else pairs.set(key, value);
  }
  if (pairs.size > mostPairs) {
    throw new KinoraError("invalid-input", {
      context: "metadata",
      explanation: `A member of a collection has at most ${mostPairs} pairs of key and value`,
    });
  }
  return textOf({ field: [...pairs].map(([key, value]) => ({ key, value })) });
}

function textOf(metadata: SimpleMetadata | undefined): string | null {
  const field = metadata?.field ?? [];
  return field.length === 0 ? null : JSON.stringify(field.map(({ key, value }) => ({ key, value })));
}

function notFound({ environment }: CollectionEditing, key: number): KinoraError {
  const kind: AccessKind = accessEntityOf(key).kind;
  return new KinoraError("not-found", {
    type: accessKinds[kind].type,
    id: formatAccessEntity(environment.store.ids, key),
  });
}

function requireFew(steps: number): void {
  if (steps <= mostMembersAtOnce) return;
  throw new KinoraError("invalid-input", {
    context: "content",
    explanation: `A request changes at most ${mostMembersAtOnce} members of a collection; send several`,
  });
}
