import type { Group, GroupList } from "./documents.ts";
import type { Addresses } from "./user-routes.ts";

/** Groups as lines: their addresses. */
export function addressLines(list: GroupList): readonly string[] {
  return (list.group ?? []).map((group) => group.loc ?? "");
}

/** The list with the address of each group. */
export function withGroupAddresses(list: GroupList, addresses: Addresses): GroupList {
  return { ...list, group: list.group?.map((group) => withGroupAddress(group, addresses)) };
}

/** The group with its address. */
export function withGroupAddress(group: Group, addresses: Addresses): Group {
  return { ...group, loc: addresses.url(`/group/${encodeURIComponent(group.groupName ?? "")}`) };
}
