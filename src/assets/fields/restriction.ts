import { KinoraError } from "../../errors.ts";
import type { MetadataField } from "../documents/field-document.ts";
import type { Restriction } from "./field-definition.ts";
import { type FieldType, valueKind } from "./field-types.ts";
import { matchesPattern } from "./value-pattern.ts";

type RestrictionMembers = Pick<
  MetadataField,
  "floatRestriction" | "integerRestriction" | "longRestriction" | "stringRestriction"
>;

/** Leaves out members that are `undefined`. */
function given<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function invalid(name: string, explanation: string): KinoraError {
  return new KinoraError("invalid-input", { context: "metadata-field", id: name, explanation });
}

function wholeText(name: string, text: string | number | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^[+-]?\d{1,19}$/.test(String(text))) return String(BigInt(String(text).replace(/^\+/, "")));
  throw invalid(
    name,
    `The bound ${JSON.stringify(text)} of the field ${name} is not a whole number of at most 64 bits`,
  );
}

/** The restriction that a document gives to a field, as it stands. */
function readRestriction(name: string, document: RestrictionMembers): Restriction | undefined {
  const { stringRestriction, integerRestriction, longRestriction, floatRestriction } = document;
  if (stringRestriction !== undefined) return { kind: "string", ...given(stringRestriction) };
  const whole = integerRestriction ?? longRestriction;
  if (whole !== undefined) {
    const minimum = wholeText(name, whole.minInclusive);
    const maximum = wholeText(name, whole.maxInclusive);
    const kind = integerRestriction === undefined ? "long" : "integer";
    return { kind, ...given({ minimum, maximum }) } as Restriction;
  }
  if (floatRestriction === undefined) return undefined;
  const { minInclusive: minimum, maxInclusive: maximum } = floatRestriction;
  return { kind: "float", ...given({ minimum, maximum }) } as Restriction;
}

function isReversed(restriction: Restriction): boolean {
  const [low, high] =
    restriction.kind === "string"
      ? [restriction.minLength, restriction.maxLength]
      : [restriction.minimum, restriction.maximum];
  return low !== undefined && high !== undefined && Number(low) > Number(high);
}

/**
 * Reads the restriction of a field's document; `undefined` when it has none.
 *
 * @throws KinoraError `invalid-input` when it does not fit the type or its bounds are reversed, `invalid-value` for a
 * pattern that cannot be used
 */
export function restrictionOf(name: string, type: FieldType, document: RestrictionMembers): Restriction | undefined {
  const restriction = readRestriction(name, document);
  if (restriction === undefined) return undefined;
  if (restriction.kind !== valueKind(type)) {
    throw invalid(name, `The field ${name} is of the type ${type}, which has no ${restriction.kind}Restriction`);
  }
  if (isReversed(restriction)) throw invalid(name, `The lower bound of the field ${name} is above the upper one`);
  if (restriction.kind === "string" && restriction.pattern !== undefined) matchesPattern(restriction.pattern, "");
  return restriction;
}

/** The restriction as the members of a field's document. */
export function restrictionMembers(restriction: Restriction | undefined): RestrictionMembers {
  if (restriction === undefined) return {};
  if (restriction.kind === "string") {
    const { minLength, maxLength, pattern } = restriction;
    return { stringRestriction: { minLength, maxLength, pattern } };
  }
  const { minimum, maximum } = restriction;
  if (restriction.kind === "float") {
    return { floatRestriction: { minInclusive: restriction.minimum, maxInclusive: restriction.maximum } };
  }
  if (restriction.kind === "long") {
    return { longRestriction: { minInclusive: restriction.minimum, maxInclusive: restriction.maximum } };
  }
  return {
    integerRestriction: {
      minInclusive: minimum === undefined ? undefined : Number(minimum),
      maxInclusive: maximum === undefined ? undefined : Number(maximum),
    },
  };
}
