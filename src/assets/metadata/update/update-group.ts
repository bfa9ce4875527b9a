import type { MetadataGroupValue } from "../../documents/metadata-document.ts";
import type { Container, GroupEntry } from "../model.ts";
import { definedGroup, invalid, permitted, type Updating, unknownEntry } from "./update-context.ts";
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
function contentPermitted(group: GroupEntry, updating: Updating): boolean {
  return (
    permitted(updating, "group", group.name) &&
    group.fields.every((field) => permitted(updating, "field", field.name)) &&
    group.groups.every((child) => contentPermitted(child, updating))
  );
}

/** The groups of a container while they are updated. */
interface GroupsInWork {
  get(entry: number | undefined): GroupEntry | undefined;
  named(name: string): readonly number[];
  put(group: GroupEntry): void;
  remove(group: GroupEntry): void;
  /** The same array as at the start when nothing changed. */
  list(): readonly GroupEntry[];
}

function groupsInWork(existing: readonly GroupEntry[]): GroupsInWork {
  const all = new Map<number, GroupEntry>();
  const numbers = new Map<string, Set<number>>();
  let changed = false;
  const set = (group: GroupEntry): void => {
    all.set(group.entry, group);
    const same = numbers.get(group.name);
    if (same === undefined) numbers.set(group.name, new Set([group.entry]));
    else same.add(group.entry);
  };
  for (const group of existing) set(group);
  return {
    get: (entry) => (entry === undefined ? undefined : all.get(entry)),
    named: (name) => [...(numbers.get(name) ?? [])],
    put(group) {
      if (all.get(group.entry) === group) return;
      changed = true;
      set(group);
    },
    remove(group) {
      changed = true;
      all.delete(group.entry);
      numbers.get(group.name)?.delete(group.entry);
    },
    list: () => (changed ? [...all.values()] : existing),
  };
}

/** The instance that a group of the document means: by its UUID, or as the only one of its name. */
function addressed(groups: GroupsInWork, update: MetadataGroupValue, updating: Updating): GroupEntry | undefined {
  if (update.uuid !== undefined) {
    const group = groups.get(updating.entryOf(update.uuid));
    if (group === undefined) throw unknownEntry(update.uuid);
    return group;
  }
  const [first, second] = groups.named(update.name ?? "");
  if (second === undefined) return groups.get(first);
  throw invalid(
    `There are several groups ${update.name} in the same place: say by uuid which is meant, or mode="add"`,
    {
      id: update.name ?? "",
    },
  );
}

function updateGroup(existing: GroupEntry | undefined, update: MetadataGroupValue, updating: Updating, depth: number) {
  const name = existing?.name ?? update.name ?? "";
  const reference = update.reference === undefined || update.reference === "" ? undefined : update.reference;
  if (existing !== undefined) {
    const inner = updateContainer(existing, update, updating, depth);
    if (reference === undefined || reference === existing.reference) return inner;
    return { ...inner, reference, change: updating.stamp };
  }
  const head = { name, entry: updating.nextEntry(), change: updating.stamp };
  const made = { ...head, ...updateContainer(emptyContainer, update, updating, depth) };
  return reference === undefined ? made : { ...made, reference };
}

/**
 * The groups of a timespan or group after an update: `mode="add"` makes a further instance, `mode="remove"` takes one
 * away; without mode the instance that the UUID names, or the only one of the name, is changed, or made.
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
    if ((wanted.name === undefined || wanted.name === "") && wanted.uuid === undefined) {
      throw invalid("A group has neither name nor uuid");
    }
    const target = wanted.mode === "add" ? undefined : addressed(groups, wanted, updating);
    const name = target?.name ?? wanted.name ?? "";
    definedGroup(updating, name);
    if (!permitted(updating, "group", name)) continue;
    if (wanted.mode === "remove") {
      if (target !== undefined && contentPermitted(target, updating)) groups.remove(target);
    } else groups.put(updateGroup(target, wanted, updating, depth));
  }
  return groups.list();
}
