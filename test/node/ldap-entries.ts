import { suffix } from "../peers/slapd.ts";

export const people = `ou=people,${suffix}`;
export const groups = `ou=groups,${suffix}`;
export const technicalUser = `cn=kinora,ou=services,${suffix}`;
export const technicalPassword = "technical secret";

/** A user's name, password and what else an entry has. */
interface Person {
  readonly uid: string | readonly string[];
  readonly password?: string;
  readonly in?: string;
  readonly more?: readonly string[];
}

function person({ uid, password, in: parent = people, more = [] }: Person): string {
  const uids = typeof uid === "string" ? [uid] : uid;
  // Every character in hexadecimal: how the realm writes names must not decide how the test does.
  const rdn = [...new TextEncoder().encode(uids[0])].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  const cn = `${uids[0]} Example`;
  return [
    `dn: uid=${rdn},${parent}`,
    "objectClass: inetOrgPerson",
    ...uids.map((one) => line("uid", one)),
    line("cn", cn),
    "sn: Example",
    ...(password === undefined ? [] : [line("userPassword", password)]),
    ...more,
  ].join("\n");
}

function line(attribute: string, text: string): string {
  return `${attribute}:: ${Buffer.from(text, "utf8").toString("base64")}`;
}

/** Names with what has a meaning in a distinguished name or a filter; the password of each is `odd`. */
export const oddNames = [
  'c,o+m"m\\a<n>d;s=1',
  "#hash",
  "star*(paren)\\",
  "jos\u00e9 \u65e5\u672c \u{1f511}",
  "{0} $& {1}",
  "EXTERNAL",
];

/** What the directory of the tests has. */
export const entries = [
  `dn: ${suffix}\nobjectClass: dcObject\nobjectClass: organization\no: Example`,
  ...["people", "groups", "services"].map((ou) => `dn: ou=${ou},${suffix}\nobjectClass: organizationalUnit`),
  ...["one", "two"].map((ou) => `dn: ou=${ou},${people}\nobjectClass: organizationalUnit`),
  `dn: ${technicalUser}\nobjectClass: person\nsn: Kinora\nuserPassword: ${technicalPassword}`,
  person({
    uid: "alice",
    password: "wonder",
    more: ["mail: alice@example.org", "telephoneNumber: 1", "telephoneNumber: 2", "jpegPhoto:: /9j/4A=="],
  }),
  person({ uid: "Bob", password: "builder" }),
  person({ uid: "locked" }),
  person({ uid: "admin", password: "directory" }),
  person({ uid: ["zoe", "anna"], password: "several" }),
  person({ uid: "twin", password: "one", in: `ou=one,${people}` }),
  person({ uid: "twin", password: "two", in: `ou=two,${people}` }),
  ...oddNames.map((uid) => person({ uid, password: "odd" })),
  `dn: cn=editors,${groups}\nobjectClass: groupOfNames\nmember: uid=alice,${people}\nmember: uid=bob,${people}`,
  `dn: cn=desk,${groups}\nobjectClass: posixGroup\ngidNumber: 1\nmemberUid: alice`,
  `dn: cn=others,${groups}\nobjectClass: groupOfNames\nmember: uid=zoe,${people}`,
  `dn: ou=elsewhere,${suffix}\nobjectClass: referral\nobjectClass: extensibleObject\nref: ldap://127.0.0.1:1/${suffix}`,
  "",
].join("\n\n");
