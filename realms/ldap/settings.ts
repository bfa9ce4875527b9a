import type { PropertiesOf } from "../../src/plugin/mod.ts";
import { folded } from "./credentials.ts";
import type { ldapProperties } from "./properties.ts";

export type LdapProperties = PropertiesOf<typeof ldapProperties>;

/** A directory server. */
export interface LdapServer {
  /** As it is written, for logs. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** How the connection is encrypted. */
  readonly encryption: "none" | "StartTLS" | "TLS";
}

/** The checked properties of an LDAP realm. */
export interface LdapSettings {
  readonly servers: readonly LdapServer[];
  readonly verifyCertificate: boolean;
  readonly caFile: string | undefined;
  /** Where a user's entry is: named by a template, or found by a search. */
  readonly users: { readonly template: string } | { readonly base: string; readonly filter: string };
  readonly technicalUser: { readonly name: string; readonly password: string } | undefined;
  readonly groups: { readonly base: string; readonly filter: string; readonly nameAttribute: string } | undefined;
  readonly usernameAttribute: string;
  readonly lowerCase: boolean;
  readonly realNameAttribute: string;
  readonly attributes: readonly string[];
  /** By folded name or folded distinguished name of a group. */
  readonly groupRoles: ReadonlyMap<string, readonly string[]>;
  readonly roles: readonly string[];
  /** Folded. */
  readonly exceptUsers: ReadonlySet<string>;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
}

const memberFilter = "(|(member={0})(uniqueMember={0})(memberUid={1}))";
/** Names under which the realm itself gives something to an info provider. */
const ownAttributes = ["dn", "realName", "groups"];

/**
 * Checks the properties of a realm with one another.
 *
 * @throws Error with a sentence for each thing that is wrong
 */
export function readSettings(properties: LdapProperties): LdapSettings {
  const wrong = problemsOf(properties);
  if (wrong.length > 0) throw new Error(wrong.join("; "));
  const { userDnTemplate: template, userDN: base, bindDN, bindPassword, groupDN } = properties;
  const usernameAttribute = usernameAttributeOf(properties);
  return {
    servers: properties.url.map((url) => serverOf(url, properties.useStartTLS)),
    verifyCertificate: properties.verifyCertificate,
    caFile: properties.caFile,
    users:
      template === undefined
        ? { base: base ?? "", filter: userFilter(properties.userSearchFilter, usernameAttribute) }
        : { template },
    technicalUser: bindDN && bindPassword ? { name: bindDN, password: bindPassword } : undefined,
    groups:
      groupDN === undefined
        ? undefined
        : {
            base: groupDN,
            filter: groupFilter(properties.groupSearchFilter),
            nameAttribute: properties.groupnameAttribute,
          },
    usernameAttribute,
    lowerCase: properties.usernameFormat === "lower",
    realNameAttribute: properties.realNameAttribute,
    attributes: properties.attributes,
    groupRoles: new Map([...properties.groupRoles].map(([group, roles]) => [foldedGroup(group), listOf(roles)])),
    roles: properties.roles,
    exceptUsers: new Set(properties.exceptUsers.map(folded)),
    poolSize: properties.poolSize,
    connectTimeoutMs: properties.connectTimeoutSeconds * 1000,
    operationTimeoutMs: properties.operationTimeoutSeconds * 1000,
  };
}

/** The name or distinguished name of a group as it is compared: without regard to letter case and blanks between parts. */
export function foldedGroup(group: string): string {
  return folded(group).replace(/\s*([,=+])\s*/g, "$1");
}

function problemsOf(properties: LdapProperties): readonly string[] {
  const { userDnTemplate: template, userDN, bindDN, bindPassword } = properties;
  const wrong: (string | false)[] = [
    ...properties.url.map((url) => addressProblem(url) ?? false),
    (template === undefined) === (userDN === undefined) &&
      "Set one of userDnTemplate (the name of a user's entry) and userDN (where users are searched for)",
    template !== undefined &&
      !/=[^,]*\{0\}/.test(template) &&
      "userDnTemplate must be a distinguished name with {0} in a value, as in uid={0},ou=people,dc=example,dc=org",
    !bindDN !== !bindPassword && "Set bindDN and bindPassword together: a bind without a password proves nothing",
    // A bare word could be the name of a SASL mechanism, which is another kind of bind.
    !!bindDN && !/[=@\\]/.test(bindDN) && "bindDN must be a distinguished name, name@domain or DOMAIN\\name",
    properties.groupDN === undefined && properties.groupSearchFilter !== undefined && needsGroups("groupSearchFilter"),
    properties.groupDN === undefined && properties.groupRoles.size > 0 && needsGroups("groupRoles"),
    properties.caFile !== undefined &&
      !properties.verifyCertificate &&
      "caFile has no use when verifyCertificate is false",
    ...attributesNamed(properties).map((name) => !isAttribute(name) && `${name} cannot be the name of an attribute`),
    ...properties.attributes.map(
      (name) => ownAttributes.includes(name) && `attributes cannot have ${name}, which the realm gives itself`,
    ),
    outside("reuseSeconds", properties.reuseSeconds, 0, 60),
    outside("poolSize", properties.poolSize, 1, 100),
    outside("connectTimeoutSeconds", properties.connectTimeoutSeconds, 0.01, 60),
    outside("operationTimeoutSeconds", properties.operationTimeoutSeconds, 0.01, 60),
  ];
  return wrong.filter((one) => one !== false);
}

function needsGroups(name: string): string {
  return `${name} needs groupDN, where groups are searched for`;
}

function outside(name: string, value: number, least: number, most: number): string | false {
  return (value < least || value > most) && `${name} must be from ${least} to ${most}`;
}

function attributesNamed(properties: LdapProperties): readonly string[] {
  const { realNameAttribute, groupnameAttribute, attributes } = properties;
  return [usernameAttributeOf(properties), realNameAttribute, groupnameAttribute, ...attributes];
}

/** An attribute description of RFC 4512 §2.5. */
function isAttribute(name: string): boolean {
  return /^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)(?:;[A-Za-z0-9-]+)*$/.test(name);
}

function usernameAttributeOf({ usernameAttribute, userDnTemplate }: LdapProperties): string {
  return (
    usernameAttribute ?? /([A-Za-z][A-Za-z0-9-]*)\s*=[^,=]*\{0\}/.exec(userDnTemplate ?? "")?.[1] ?? "sAMAccountName"
  );
}

function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["ldap:", "ldaps:"].includes(url.protocol) || url.hostname === "") {
    return "url takes addresses like ldap://host, ldap://host:389 or ldaps://host:636";
  }
  return ["", "/"].includes(url.pathname) && url.search + url.hash + url.username + url.password === ""
    ? undefined
    : "An address of url is scheme, host and port alone";
}

function serverOf(address: string, useStartTls: boolean): LdapServer {
  const url = new URL(address);
  const secure = url.protocol === "ldaps:";
  return {
    url: address,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 636 : 389) : Number(url.port),
    encryption: secure ? "TLS" : useStartTls ? "StartTLS" : "none",
  };
}

function userFilter(filter: string, usernameAttribute: string): string {
  return filter.includes("{0}") ? filter : `(&${inParentheses(filter)}(${usernameAttribute}={0}))`;
}

function groupFilter(filter: string | undefined): string {
  if (filter === undefined) return memberFilter;
  return /\{[01]\}/.test(filter) ? filter : `(&${inParentheses(filter)}${memberFilter})`;
}

function inParentheses(filter: string): string {
  return filter.startsWith("(") ? filter : `(${filter})`;
}

function listOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
