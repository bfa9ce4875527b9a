import type { AccessOperation } from "../access-port.ts";

/** What a subject may do with an entity and with its parts of one type, 0 to 4. */
export interface Grades {
  /**
   * With a part, by all that grants can name it by: the tags of a shape. Without any: with parts in general. Of the grants
   * for one of its names, for the type and for everything, that decides which decides first.
   */
  permission(data: readonly string[]): number;
  /** With that part with which the subject may do most. */
  readonly most: number;
}

/** Highest grades by operation, as the port's `grades` tells them; see access-class.ts. */
type HighestGrades = Readonly<Record<string, number>>;

/** Nothing is limited for those who may do everything. */
export const unlimitedGrades = '{"":4}';

/** Reads what the expression of the port gave; `null` for an entity on which nothing is granted. */
export function readGrades(text: unknown, type: AccessOperation["type"]): Grades {
  const grades = (typeof text === "string" ? JSON.parse(text) : {}) as HighestGrades;
  const general = Math.max(grades[""] ?? 0, grades[type] ?? 0);
  const permissionOf = (grade: number) => grade & 7;
  return {
    permission: (data) => permissionOf(Math.max(general, ...data.map((one) => grades[`${type} ${one}`] ?? 0))),
    most: Math.max(...[0, ...Object.values(grades)].map((grade) => permissionOf(Math.max(general, grade)))),
  };
}
