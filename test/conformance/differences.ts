/** Recorded cases in which this service answers otherwise than the reference program, on purpose. */
interface Difference {
  readonly because: string;
  /** Ids of the cases. */
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
  {
    because: "A listener that throws on a failed login keeps no other listener from hearing of it",
    cases: ["matcher-0162"],
  },
  {
    because: "Caches are not configured by objects: answers are reused by what a realm declares, for a minute at most",
    cases: ["matcher-0166"],
  },
];

/** Why a case differs, by its id. A case that neither passes nor is here fails the tests. */
export const differences: Readonly<Record<string, string>> = Object.fromEntries(
  deliberate.flatMap(({ because, cases }) => cases.map((id) => [id, because])),
);
