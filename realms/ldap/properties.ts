import type { PropertyTable } from "../../src/plugin/mod.ts";

/** What `security.ini` can set of an LDAP realm. Names are those of the public API's LDAP resource, and Shiro's. */
export const ldapProperties = {
  url: {
    type: "list",
    required: true,
    aliases: ["contextFactory.url"],
    description: "ldap:// or ldaps:// addresses of servers with the same content; the first that works is asked",
  },
  useStartTLS: {
    type: "boolean",
    default: true,
    description:
      "Whether connections to ldap:// addresses are encrypted by StartTLS; false sends passwords as they are",
  },
  caFile: {
    type: "string",
    description: "A PEM file with the certificates of the authorities to trust, in place of those of the runtime",
  },
  verifyCertificate: {
    type: "boolean",
    default: true,
    description: "Whether the server's certificate must be good for its name; false lets anyone be the server",
  },
  userDnTemplate: {
    type: "string",
    description: "The distinguished name of a user, with {0} for the user name: uid={0},ou=people,dc=example,dc=org",
  },
  userDN: {
    type: "string",
    aliases: ["searchBase"],
    description: "The entry under which users are searched for; in place of userDnTemplate",
  },
  userSearchFilter: {
    type: "string",
    default: "(objectClass=*)",
    description:
      "Which entries are users; with {0} for the user name the whole filter, else usernameAttribute is added",
  },
  usernameAttribute: {
    type: "string",
    description: "The attribute with the user name. Default: the one before {0} in userDnTemplate, else sAMAccountName",
  },
  usernameFormat: {
    type: "string",
    values: ["lower"],
    description: "lower makes user names lower-case; else they are as the directory has them",
  },
  bindDN: {
    type: "string",
    aliases: ["contextFactory.systemUsername"],
    description: "A technical user who searches; without one the search is anonymous and users read their own entries",
  },
  bindPassword: {
    type: "string",
    secret: true,
    aliases: ["contextFactory.systemPassword"],
    description: "The password of bindDN",
  },
  realNameAttribute: {
    type: "string",
    default: "cn",
    description: "The attribute with the real name, given to an info provider as realName",
  },
  attributes: {
    type: "list",
    description: "Further attributes that an info provider gets, by these names",
  },
  groupDN: {
    type: "string",
    description: "The entry under which groups are searched for, given to an info provider as groups",
  },
  groupSearchFilter: {
    type: "string",
    description:
      "Which entries are groups of a user; with {0} for the user's distinguished name or {1} for the user name the " +
      "whole filter, else (|(member={0})(uniqueMember={0})(memberUid={1})) is added",
  },
  groupnameAttribute: {
    type: "string",
    default: "cn",
    description: "The attribute with the name of a group",
  },
  groupRoles: {
    type: "map",
    aliases: ["groupRolesMap"],
    description: 'Roles by name or distinguished name of a group: editors:_item_read, desk:"_item_read,_item_write"',
  },
  roles: {
    type: "list",
    default: ["_user"],
    description: "Roles of everyone whom the realm lets in",
  },
  exceptUsers: {
    type: "list",
    default: ["admin"],
    description: "User names that the realm never lets in, whatever the directory says",
  },
  reuseSeconds: {
    type: "integer",
    default: 60,
    description: "Seconds, at most 60, for which the directory is not asked again about the same name and password",
  },
  poolSize: {
    type: "integer",
    default: 5,
    description: "The most connections for searches, and the most for logins",
  },
  connectTimeoutSeconds: {
    type: "number",
    default: 3,
    description: "Seconds until a connection must be there, encryption included",
  },
  operationTimeoutSeconds: {
    type: "number",
    default: 5,
    description: "Seconds until an operation must be answered, and that a login waits for a connection to be free",
  },
} as const satisfies PropertyTable;
