import type { Credentials, PasswordCredentials } from "../contract.ts";

/** Characters of a value that is far longer than any real one. */
const huge = 100_000;

const oddTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "a\r\nX-Injected: b",
  "__proto__",
  "constructor",
  "toString",
  "*",
  "*)(uid=*",
  "cn=a,dc=b\\,c",
  "' OR 1=1 --",
  "\u0024{env:HOME}",
  "../../etc/passwd",
  "\u00fc\u00a7 \u{1F511}",
  "e\u0301",
  "\ufeffname",
  "\u202ename",
  "\ud800",
  "x".repeat(huge),
];

/** Names and passwords that no user has, and that careless code stumbles over. */
function oddPasswords(good: PasswordCredentials): readonly PasswordCredentials[] {
  return [
    ...oddTexts.map((userName) => ({ kind: "password", userName, password: good.password }) as const),
    ...oddTexts.map((password) => ({ kind: "password", userName: good.userName, password }) as const),
    ...oddTexts.map((text) => ({ kind: "password", userName: text, password: text }) as const),
    { kind: "password", userName: good.userName, password: `${good.password}\0` },
  ];
}

/** Credentials like the good ones that must not be taken for them. */
export function oddCredentials(good: Credentials): readonly Credentials[] {
  switch (good.kind) {
    case "password":
      return oddPasswords(good);
    case "token":
    case "bearer":
      return [...oddTexts, `${good.token}x`, good.token.slice(1)].map((token) => ({ kind: good.kind, token }));
    case "custom":
      return [...oddTexts, undefined, null, 0, {}, []].map((value) => ({ kind: "custom", scheme: good.scheme, value }));
  }
}

/** `Authorization` headers that no good client sends. */
export const oddAuthorizations: readonly string[] = [
  "Basic",
  "Basic ",
  "Basic %%%",
  "Basic YQ",
  "Basic Og==",
  `Basic ${btoa("a:\xff\xfe")}`,
  `Basic ${btoa("a\0:b\0")}`,
  `Basic ${btoa(`${"x".repeat(huge)}:y`)}`,
  "Bearer",
  "Bearer ",
  "Bearer a b",
  "Bearer ..",
  "Bearer eyJhbGciOiJub25lIn0.e30.",
  "token",
  "token ",
  `token ${"x".repeat(huge)}`,
  "Negotiate abc",
  "=",
  ",",
];
