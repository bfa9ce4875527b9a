/** Roles of the users of the database. Answers without a promise when it knows them already. */
export interface UserSource {
  rolesOf(userName: string): UserRoles | Promise<UserRoles>;
}

/** What the pipeline must know of a user of the database. */
export interface UserRoles {
  readonly state: "enabled" | "disabled" | "unknown";
  /** With those that come through groups. */
  readonly roles: ReadonlySet<string>;
}
