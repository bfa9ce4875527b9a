import anonymous from "../filters/anonymous.ts";
import basicAuth from "../filters/basic-auth.ts";
import bearerAuth from "../filters/bearer-auth.ts";
import deny from "../filters/deny.ts";
import genericBearer from "../filters/generic-bearer.ts";
import invalidRequest from "../filters/invalid-request.ts";
import ip from "../filters/ip.ts";
import noAccess from "../filters/no-access.ts";
import noSessionCreation from "../filters/no-session-creation.ts";
import permissions from "../filters/permissions.ts";
import port from "../filters/port.ts";
import rest from "../filters/rest.ts";
import roles from "../filters/roles.ts";
import ssl from "../filters/ssl.ts";
import tokenAuth from "../filters/token-auth.ts";
import user from "../filters/user.ts";
import iniRealm from "../realms/ini-realm.ts";
import ldapRealm from "../realms/ldap-realm.ts";
import serviceRealm from "../realms/service-realm.ts";
import type { Plugin } from "../src/plugin/mod.ts";
import userCreation from "./listeners/user-creation.ts";
import hashed from "./matchers/hashed.ts";
import password from "./matchers/password.ts";
import sha256 from "./matchers/sha256.ts";
import sha384 from "./matchers/sha384.ts";
import sha512 from "./matchers/sha512.ts";
import simple from "./matchers/simple.ts";
import allSuccessful from "./strategies/all-successful.ts";
import atLeastOneSuccessful from "./strategies/at-least-one-successful.ts";
import firstSuccessful from "./strategies/first-successful.ts";
import claims from "./user-info/claims.ts";

/** Every plugin that comes with Kinora. Imported one by one, so that a bundle for Workers has them all. */
export const builtInPlugins: readonly Plugin[] = [
  serviceRealm,
  iniRealm,
  ldapRealm,
  invalidRequest,
  noSessionCreation,
  tokenAuth,
  bearerAuth,
  basicAuth,
  genericBearer,
  anonymous,
  user,
  roles,
  permissions,
  rest,
  ip,
  port,
  ssl,
  deny,
  noAccess,
  atLeastOneSuccessful,
  firstSuccessful,
  allSuccessful,
  simple,
  hashed,
  sha256,
  sha384,
  sha512,
  password,
  userCreation,
  claims,
];
