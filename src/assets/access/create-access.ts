import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import {
  type AccessKind,
  type AccessOperation,
  type AccessPort,
  type Fragment,
  type PartAccess,
  rankOf,
} from "../access-port.ts";
import { accessKey } from "./access-entity.ts";
import type { AccessEnvironment } from "./access-environment.ts";
import { followIdentity } from "./follow-identity.ts";
import { unlimitedGrades } from "./grades.ts";
import { readImportOwner } from "./import-defaults.ts";
import { newEntityAccess } from "./new-entity-access.ts";
import { rebuildSets } from "./rebuild-sets.ts";
import {
  gradesFragment,
  partAccess,
  permissionFragment,
  principalsOf,
  readableSetsFragment,
} from "./subject-access.ts";

/** Access control of items, collections and libraries. */
export interface Access extends AccessPort {
  /** A select of the access sets whose entities a subject may find; `all` for administrators. */
  readableSets(subject: Subject): "all" | Fragment | Promise<Fragment>;
  /** What a subject may read of the parts of entities of a type; `all` for administrators. */
  parts(subject: Subject, type: AccessOperation["type"]): "all" | PartAccess | Promise<PartAccess>;
  /**
   * Works out the access of sets anew, from what is written of entries and containers.
   *
   * @param after the number of the set behind which to go on; 0 to begin
   * @returns where to go on; `undefined` when all are done
   */
  rebuild(after: number, limit: number): Promise<number | undefined>;
}

const everything: Fragment = { sql: String(rankOf("OWNER")), args: [] };

/** Opens the access control over a store and lets it follow users and groups that come and go. */
export function createAccess(environment: AccessEnvironment): Access {
  const { store, memberOf } = environment;
  store.observe(followIdentity(store));
  return {
    rank(subject: Subject, kind: AccessKind, column: string, operation?: AccessOperation) {
      if (subject.hasRole("_administrator")) return everything;
      const principals = principalsOf(subject, memberOf);
      return principals instanceof Promise
        ? principals.then((keys) => permissionFragment(keys, kind, column, operation))
        : permissionFragment(principals, kind, column, operation);
    },
    readableSets(subject) {
      if (subject.hasRole("_administrator")) return "all";
      const principals = principalsOf(subject, memberOf);
      return principals instanceof Promise ? principals.then(readableSetsFragment) : readableSetsFragment(principals);
    },
    grades(subject, kind, column, type) {
      if (subject.hasRole("_administrator")) return { sql: `'${unlimitedGrades}'`, args: [] };
      const principals = principalsOf(subject, memberOf);
      return principals instanceof Promise
        ? principals.then((keys) => gradesFragment(keys, kind, column, type))
        : gradesFragment(principals, kind, column, type);
    },
    parts(subject, type) {
      if (subject.hasRole("_administrator")) return "all";
      const principals = principalsOf(subject, memberOf);
      return principals instanceof Promise
        ? principals.then((keys) => partAccess(keys, type))
        : partAccess(principals, type);
    },
    importOwner: (userName, settings) => readImportOwner(store, userName, settings),
    created: newEntityAccess(store),
    removed(change: Change, kind: AccessKind, serials: readonly number[]) {
      const keys = JSON.stringify(serials.map((serial) => accessKey(kind, serial)));
      change.add(
        { sql: "delete from access_entry where entity in (select value from json_each(?))", args: [keys] },
        { silent: true },
      );
      change.add(
        { sql: "delete from search_document where id in (select value from json_each(?))", args: [keys] },
        { silent: true },
      );
    },
    rebuild: (after, limit) => rebuildSets(store, after, limit),
  };
}
