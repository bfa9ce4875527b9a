/** Stands for the realm in bundles for Workers, which the library that it needs must not get into. */
export function createLdapRealm(): never {
  throw new Error("There are no sockets here");
}
