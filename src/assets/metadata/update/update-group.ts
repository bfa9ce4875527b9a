import type { MetadataGroupValue } from "../../documents/metadata-document.ts";
import type { Container, GroupEntry } from "../model.ts";
import { definedGroup, invalid, permitted, referenceOf, type Updating, unknownEntry } from "./update-context.ts";
import { updateFields } from "./update-field.ts";

/** Groups in groups, counted from the timespan. */
const deepest = 64;

const emptyContainer: Container = { fields: [], groups: [] };

/** The fields and groups of a container after an update; the same object when nothing changes. */
export function updateContainer<C extends Container>(
  existing: C,
  update: Pick<MetadataGroupValue, "field" | "group">,
  updating: Updating,
  depth = 0,
): C {
  const fields = updateFields(existing.fields, update.field ?? [], updating);
  const groups = updateGroups(existing.groups, update.group ?? [], updating, depth + 1);
  return fields === existing.fields && groups === existing.groups ? existing : { ...existing, fields, groups };
}

/** Whether the caller may write everything inside a group. */
export function contentPermitted(group: GroupEntry, updating: Updating): boolean {
  return (
    permitted(updating, "group", group.name) &&
    group.fields.every((field) => permitted(updating, "field", field.name)) &&
    group.groups.every((child) => contentPermitted(child, updating))
  );
}

/** A group while it is updated, with all that the document says of it. */
interface GroupInWork {
  readonly name: string;
  readonly entry: number;
  /** As it was; absent for one that the document makes. */
  readonly before?: GroupEntry;
  readonly updates: MetadataGroupValue[];
}

/** The groups of a container while they are updated. */
interface GroupsInWork {
  get(entry: number | undefined): GroupInWork | undefined;
  named(name: string): ReadonlySet<number>;
  make(name: string, entry: number): GroupInWork;
  remove(group: GroupInWork): void;
  /** What comes of them; the same array as at the start when nothing changes. */
  finished(finish: (group: GroupInWork) => GroupEntry): readonly GroupEntry[];
}

const noNumbers: ReadonlySet<number> = new Set();

function groupsInWork(existing: readonly GroupEntry[]): GroupsInWork {
  const all = new Map<number, GroupInWork>();
  const numbers = new Map<string, Set<number>>();
  let changed = false;
  const put = (group: GroupInWork): GroupInWork => {
    all.set(group.entry, group);
    const same = numbers.get(group.name);
    if (same === undefined) numbers.set(group.name, new Set([group.entry]));
    else same.add(group.entry);
    return group;
  };
  for (const before of existing) put({ name: before.name, entry: before.entry, before, updates: [] });
  return {
    get: (entry) => (entry === undefined ? undefined : all.get(entry)),
    named: (name) => numbers.get(name) ?? noNumbers,
    make(name, entry) {
      changed = true;
      return put({ name, entry, updates: [] });
    },
    remove(group) {
      changed = true;
      all.delete(group.entry);
      numbers.get(group.name)?.delete(group.entry);
    },
    finished(finish) {
      const groups: GroupEntry[] = [];
      for (const group of all.values()) {
        const after = finish(group);
        changed ||= after !== group.before;
        groups.push(after);
      }
      return changed ? groups : existing;
    },
  };
}

/** The instance that a group of the document means: by its UUID, or as the only one of its name. */
function addressed(groups: GroupsInWork, update: MetadataGroupValue, updating: Updating): GroupInWork | undefined {
  const { uuid, name = "", mode } = update;
  if (mode === "add" || (updating.isNew && uuid && name !== "")) return undefined;
  if (uuid) {
    const group = groups.get(updating.entryOf(uuid));
    if (group === undefined) throw unknownEntry(uuid);
    return group;
  }
  const [first, second] = groups.named(name);
  if (second === undefined) return groups.get(first);
  throw invalid(`There are several groups ${name} in the same place: say by uuid which is meant, or mode="add"`, {
    id: name,
  });
}

/** What the document says of a group in one or several elements; what it shows of another group is not said of this. */
function together(updates: readonly MetadataGroupValue[]) {
  const own = updates.filter((update) => update.referenced === undefined || update.reference);
  const [first] = own;
  const reference = updates.findLast((update) => referenceOf(update) !== undefined);
  return {
    field: own.length === 1 ? first?.field : own.flatMap((update) => update.field ?? []),
    group: own.length === 1 ? first?.group : own.flatMap((update) => update.group ?? []),
    reference: reference === undefined ? undefined : referenceOf(reference),
  };
}

function updateGroup({ name, entry, before, updates }: GroupInWork, updating: Updating, depth: number): GroupEntry {
  if (before !== undefined && updates.length === 0) return before;
  const { reference, ...content } = together(updates);
  if (before !== undefined) {
    const inner = updateContainer(before, content, updating, depth);
    if (reference === undefined || reference === before.reference) return inner;
    return { ...inner, reference, change: updating.stamp };
  }
  const head = { name, entry, change: updating.stamp };
  const made = { ...head, ...updateContainer(emptyContainer, content, updating, depth) };
  return reference === undefined ? made : { ...made, reference };
}

/**
 * The groups of a timespan or group after an update: `mode="add"` makes a further instance, `mode="remove"` takes one
 * away; without mode the instance that the UUID names, or the only one of the name, is changed, or made. Elements for
 * the same instance are one.
 *
 * @throws KinoraError `not-found` for a group that is not defined or a UUID that is not there, `invalid-input` when a
 * name alone leaves open which of several is meant, `forbidden`, and what the fields throw
 */
function updateGroups(
  existing: readonly GroupEntry[],
  update: readonly MetadataGroupValue[],
  updating: Updating,
  depth: number,
): readonly GroupEntry[] {
  if (update.length === 0) return existing;
  if (depth > deepest) throw invalid(`Groups are nested more than ${deepest} deep`);
  const groups = groupsInWork(existing);
  for (const wanted of update) {
    if (!wanted.name && !wanted.uuid) {
      throw invalid("A group has neither name nor uuid");
    }
    const target = addressed(groups, wanted, updating);
    const name = target?.name ?? wanted.name ?? "";
    definedGroup(updating, name);
    if (!permitted(updating, "group", name)) continue;
    if (wanted.mode !== "remove") (target ?? groups.make(name, updating.nextEntry())).updates.push(wanted);
    else if (target !== undefined && (target.before === undefined || contentPermitted(target.before, updating))) {
      groups.remove(target);
    }
  }
  return groups.finished((group) => updateGroup(group, updating, depth));
}
