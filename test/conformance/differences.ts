/** Recorded cases in which this service answers otherwise than the reference program, on purpose. */
interface Difference {
  readonly because: string;
  /** Ids of cases; of a case with several requests also `id/request` and `id/first-last`, counted from 0. */
  readonly cases: readonly string[];
}

const deliberate: readonly Difference[] = [
  {
    because:
      "Settings of invalidRequest that contradict each other give the strictest of them, not the one that stands last",
    cases: ["invalidRequest-0365", "invalidRequest-0366"],
  },
  {
    because: "A dot segment is refused with matrix parameters behind it as well: a router that cuts them resolves it",
    cases: ["invalidRequest-0094"],
  },

  // The file
  {
    because: "A repeated section is a start-up error: the reference drops the first without a word",
    cases: ["ini-0031", "ini-0032", "ini-0040", "ini-0041", "http-0197"],
  },
  {
    because: "A continuation that nothing ends is a start-up error: the reference drops the line without a word",
    cases: ["ini-0158"],
  },
  {
    because: "A section whose name is unknown, or in the wrong case, is a start-up error: the reference ignores it",
    cases: ["http-0196", "http-0205"],
  },

  // Objects and properties
  {
    because: "A number or boolean that cannot be read is a start-up error: the reference takes 0 or false",
    cases: ["main-0020", "main-0023", "main-0035", "main-0050"],
  },
  { because: "Integers have 53 bits, not 32", cases: ["main-0024"] },
  { because: "Arrays are lists: divided by commas alone, their elements are texts", cases: ["main-0086", "main-0089"] },
  {
    because: "A property for text takes no object, and the keys and values of maps are texts",
    cases: ["main-0013", "main-0101", "main-0115", "main-0116", "main-0118", "main-0131"],
  },
  { because: "The framework's own objects are not handed to plugins", cases: ["main-0148"] },
  {
    because: "Form login, logout and pages to redirect to are not offered: there are no sessions",
    cases: [
      "main-0150",
      "main-0203",
      "http-0109",
      "http-0110",
      "http-0139",
      "http-0142",
      "http-0143",
      "http-0144",
      "http-0145",
      "http-0146",
      "http-0147",
      "http-0218",
      "http-0219",
    ],
  },
  { because: "A name that the reference gives to a filter of its own is free here", cases: ["main-0212"] },
  {
    because: "Cache managers are not offered: a realm itself declares for how long its answers may be reused",
    cases: ["main-0223", "matcher-0166"],
  },
  { because: "There are no forwards, so that a filter needs no setting to run once a request", cases: ["http-0222"] },
  { because: "HSTS is not offered: a filter cannot change the answer of a route", cases: ["http-0140"] },

  // Chains
  {
    because: "Brackets that do not match, and text behind a closing bracket, are start-up errors",
    cases: [
      "chaindef-0018",
      "chaindef-0019",
      "chaindef-0046",
      "chaindef-0048",
      "chaindef-0053",
      "chaindef-0071",
      "chaindef-0079",
      "http-0153",
    ],
  },
  { because: "Brackets in brackets are kept as they are written", cases: ["chaindef-0087"] },
  {
    because: "An unknown word in the brackets of authcBasic is a start-up error: it would switch authentication off",
    cases: ["http-0011", "http-0023", "http-0024"],
  },
  {
    because: "roles, perms and rest without a word are start-up errors: they would let everyone pass",
    cases: ["http-0091", "http-0107", "http-0255"],
  },
  {
    because: "Words and properties that a filter cannot use are start-up errors, not failures of requests",
    cases: ["http-0092", "http-0103", "http-0115", "http-0119", "http-0120", "http-0121", "http-0135", "http-0164"],
  },
  { because: "The filter noAccess of the reference's newest line is offered", cases: ["http-0126"] },
  {
    because: "A pattern that can match no request is a start-up error: its rule would not hold",
    cases: ["http-0165", "http-0167", "http-0178"],
  },
  {
    because: "A file without [urls] is a start-up error: it would leave everything open",
    cases: ["http-0189", "http-0190"],
  },
  {
    because:
      "A path with and without a slash at its end is one resource, and patterns that differ in it are one pattern",
    cases: ["http-0174/0", "http-0174/2", "http-0212", "http-0247", "resolve-0061", "resolve-0066"],
  },
  {
    because: "A path that would get another chain with a slash at its end than without is refused",
    cases: ["resolve-0043"],
  },
  {
    because: "A filter that stands twice in a chain keeps its own words each time",
    cases: ["http-0207/0-9"],
  },
  {
    because: "A request that no chain matches is refused with 403",
    cases: [
      "http-0170/3-4",
      "http-0170/6",
      "http-0174/3-4",
      "http-0174/6",
      "http-0175/4",
      "http-0175/6",
      "http-0176/3",
      "http-0176/6",
      "http-0181/0-6",
      "http-0183/3-4",
      "http-0183/6",
      "http-0188/3-4",
      "http-0188/6",
      "http-0243/2",
    ],
  },
  {
    because: "Patterns are compared without regard to letter case by default, as in the reference's newest line",
    cases: [
      "http-0170/5",
      "http-0174/5",
      "http-0175/5",
      "http-0183/5",
      "http-0188/5",
      "http-0239/68-69",
      "http-0239/72",
    ],
  },

  // Paths
  {
    because: "Dot segments are refused, plain and encoded, not resolved",
    cases: [
      "normalize-0010",
      "normalize-0011",
      "normalize-0018",
      "normalize-0019",
      "normalize-0026",
      "normalize-0027",
      "resolve-0009",
      "resolve-0010",
      "resolve-0011",
      "resolve-0020",
      "resolve-0021",
      "resolve-0022",
      "resolve-0023",
      "resolve-0025",
      "resolve-0032",
      "resolve-0033",
      ...["http-0223", "http-0224", "http-0225", "http-0229"].flatMap((id) => [`${id}/9`, `${id}/11`]),
      "http-0230/9",
      ...["http-0239", "http-0242"].flatMap((id) => [`${id}/7-9`, `${id}/13-15`, `${id}/81-87`, `${id}/132`]),
    ],
  },
  {
    because: "A path that does not begin with a slash, or has a character that must be percent-encoded, is refused",
    cases: [
      "normalize-0006",
      "normalize-0034",
      ...["http-0223", "http-0224", "http-0225", "http-0229"].map((id) => `${id}/6`),
      "http-0239/54",
      "http-0242/54",
    ],
  },
  { because: "A broken percent-escape is refused", cases: ["http-0239/74", "http-0242/74"] },
  {
    because: "An encoded slash is a part of its segment, for patterns and for routes alike",
    cases: ["http-0239/55-56", "http-0239/60-61"],
  },
  {
    because: "An empty request target is the business of the HTTP parser in front",
    cases: ["http-0239/116", "http-0242/116"],
  },

  // Callers
  {
    because: "Anonymous callers get 401 with a challenge, never a redirect to a page",
    cases: ["http-0082/0-3", "http-0084/0", "http-0089/0-3", "http-0097/0", "http-0105/0-14"],
  },
  {
    because:
      "There are no sessions: nothing of a caller is kept from one request to the next, and nothing fails for want of one",
    cases: ["http-0045/0", "http-0045/10", "http-0248/1-3", "http-0251/1-3"],
  },
  {
    because: "A scheme without credentials is no attempt, and is answered 401",
    cases: ["http-0038/11", "http-0042/11", "http-0045/11", "http-0074/5-6", "http-0074/17-18"],
  },
  {
    because: "A bearer token is all that stands behind the scheme, blanks around it cut; the scheme is a whole word",
    cases: ["http-0074/7-9", "http-0074/19-21"],
  },
  {
    because: "A realm that fails could not tell: when no other accepts, the answer is 503, not 401",
    cases: [
      "http-0055/1",
      "http-0069/1",
      "http-0070/0",
      "matcher-0066",
      "matcher-0068",
      "matcher-0077",
      "matcher-0081",
      "matcher-0082",
      "matcher-0098",
      "matcher-0107",
      "matcher-0108",
      "matcher-0127",
      "matcher-0128",
      "matcher-0131",
      "matcher-0132",
      "matcher-0146",
      "matcher-0152",
      "matcher-0155",
      "matcher-0156",
    ],
  },
  {
    because: "A listener that fails to hear of a failure does not keep the next from hearing of it",
    cases: ["matcher-0162"],
  },
  { because: "Roles and permissions come only from realms that accepted the credentials", cases: ["authz-0015"] },
];

/** Why a case differs, by its id. A case that neither passes nor is here fails the tests. */
export const differences: Readonly<Record<string, string>> = Object.fromEntries(
  deliberate.flatMap(({ because, cases }) => cases.flatMap(eachOf).map((id) => [id, because])),
);

/** `id/2-4` is `id/2`, `id/3`, `id/4`. */
function eachOf(written: string): readonly string[] {
  const [, id, first, last] = /^(.*)\/(\d+)-(\d+)$/.exec(written) ?? [];
  if (id === undefined) return [written];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => `${id}/${Number(first) + index}`);
}
