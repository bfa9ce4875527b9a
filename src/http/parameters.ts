import { shown } from "../documents/input-error.ts";
import { parseBoolean } from "../documents/scalar.ts";
import { KinoraError } from "../errors.ts";
import { forbiddenCharacterAt } from "../xml/escape.ts";

declare const typeOfParameter: unique symbol;

/** A declared query or matrix parameter; `T` is its value in the handler. */
export interface Parameter<out T> {
  /** For types only; absent at run time. */
  readonly [typeOfParameter]?: T;
  /** What is expected, for errors and the docs: `a whole number of at least 1`. */
  readonly expected: string;
  /** Whether all values count, not only one. */
  readonly repeatable: boolean;
  readonly required: boolean;
  /** The value when the parameter is absent. */
  readonly default: unknown;
  /** The value of the given texts, of which there is at least one; `undefined` when one of them breaks the rule. */
  parse(texts: readonly string[]): T | undefined;
}

/** Parameters by name. */
export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

/** The values of declared parameters. */
export type ParameterValues<T> = { readonly [K in keyof T]: T[K] extends Parameter<infer V> ? V : never };

/** What every declaration may say. */
export interface ParameterOptions<T> {
  /** The value when the parameter is absent. */
  readonly default?: T;
  /** 400 without it. */
  readonly required?: boolean;
}
interface Given<T> extends ParameterOptions<T> {
  readonly default: T;
}
interface Needed<T> extends ParameterOptions<T> {
  readonly required: true;
}

type Parse<T> = (text: string) => T | undefined;

function single<T>(expected: string, options: ParameterOptions<T>, parse: Parse<T>): Parameter<T> {
  return {
    expected,
    repeatable: false,
    required: options.required ?? false,
    default: options.default,
    parse: (texts) => parse(texts[0] ?? ""),
  };
}

/** Text, as it was sent. */
export function textParameter(options: Given<string> | Needed<string>): Parameter<string>;
export function textParameter(options?: ParameterOptions<string>): Parameter<string | undefined>;
export function textParameter(options: ParameterOptions<string> = {}): Parameter<string | undefined> {
  return single("a text", options, (text) => text);
}

interface IntBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A whole number between bounds. */
export function intParameter(options: (Given<number> | Needed<number>) & IntBounds): Parameter<number>;
export function intParameter(options?: ParameterOptions<number> & IntBounds): Parameter<number | undefined>;
export function intParameter(options: ParameterOptions<number> & IntBounds = {}): Parameter<number | undefined> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = options;
  return single(intRule(options), options, (text) => {
    const number = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

function intRule({ minimum, maximum }: IntBounds): string {
  if (minimum !== undefined && maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `a whole number of at least ${minimum}`;
  return maximum === undefined ? "a whole number" : `a whole number of at most ${maximum}`;
}

/** `true`, `1`, `yes` or `false`, `0`, `no`, in any letter case. */
export function booleanParameter(options: Given<boolean> | Needed<boolean>): Parameter<boolean>;
export function booleanParameter(options?: ParameterOptions<boolean>): Parameter<boolean | undefined>;
export function booleanParameter(options: ParameterOptions<boolean> = {}): Parameter<boolean | undefined> {
  return single("true or false", options, parseBoolean);
}

/** One of a few words, in any letter case; the handler gets it as it is declared. */
export function oneOfParameter<const V extends readonly [string, ...string[]]>(
  values: V,
  options: Given<V[number]> | Needed<V[number]>,
): Parameter<V[number]>;
export function oneOfParameter<const V extends readonly [string, ...string[]]>(
  values: V,
  options?: ParameterOptions<V[number]>,
): Parameter<V[number] | undefined>;
export function oneOfParameter(
  values: readonly string[],
  options: ParameterOptions<string> = {},
): Parameter<string | undefined> {
  const byWord = new Map(values.map((value) => [value.toLowerCase(), value]));
  return single(`one of ${values.join(", ")}`, options, (text) => byWord.get(text.toLowerCase()));
}

/** Texts, separated by commas, in one or several parameters of the name; absent is empty. */
export function listParameter(options: { readonly required?: boolean } = {}): Parameter<readonly string[]> {
  return {
    expected: "a list of texts, separated by commas",
    repeatable: true,
    required: options.required ?? false,
    default: [],
    parse: (texts) =>
      texts.flatMap((text) => text.split(",").map((entry) => entry.trim())).filter((entry) => entry !== ""),
  };
}

/** Texts, one for each parameter of the name; commas are part of the text. Absent is empty. */
export function repeatedParameter(options: { readonly required?: boolean } = {}): Parameter<readonly string[]> {
  return {
    expected: "a text, which may be repeated",
    repeatable: true,
    required: options.required ?? false,
    default: [],
    parse: (texts) => texts,
  };
}

/** `name=key=value`, repeated; split at the first `=`. Absent is empty. */
export function keyValueParameter(): Parameter<readonly (readonly [key: string, value: string])[]> {
  return {
    expected: "key=value",
    repeatable: true,
    required: false,
    default: [],
    parse: (texts) => {
      const pairs: (readonly [string, string])[] = [];
      for (const text of texts) {
        const at = text.indexOf("=");
        if (at < 1) return undefined;
        pairs.push([text.slice(0, at), text.slice(at + 1)]);
      }
      return pairs;
    },
  };
}

/** A parameter that was sent: its name and its value, decoded. */
export type SentParameter = readonly [name: string, value: string];

/**
 * The values of declared parameters. Names that are not declared are left alone. Of a parameter that is not
 * repeatable the last one counts, so that the query goes before the path's matrix parameters.
 *
 * @throws KinoraError `invalid-input` that names the parameter, the value and the rule
 */
export function readParameters(table: ParameterTable, sent: readonly SentParameter[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const parameter = table[name] as Parameter<unknown>;
    const texts = sent.filter(([sentName]) => sentName === name).map(([, text]) => text);
    values[name] = texts.length === 0 ? absent(name, parameter) : given(name, parameter, texts);
  }
  return values;
}

function absent(name: string, parameter: Parameter<unknown>): unknown {
  if (!parameter.required) return parameter.default;
  throw new KinoraError("invalid-input", {
    context: name,
    explanation: `The parameter ${name} is missing; it must be ${parameter.expected}`,
  });
}

function given(name: string, parameter: Parameter<unknown>, texts: readonly string[]): unknown {
  const counted = parameter.repeatable ? texts : texts.slice(-1);
  if (counted.some((text) => forbiddenCharacterAt(text) !== -1)) {
    throw new KinoraError("invalid-input", {
      context: name,
      explanation: `The parameter ${name} has a character that no document can hold`,
    });
  }
  const value = parameter.parse(counted);
  if (value !== undefined) return value;
  const wrong = counted.find((text) => parameter.parse([text]) === undefined) ?? "";
  throw new KinoraError("invalid-input", {
    context: name,
    explanation: `The parameter ${name} must be ${parameter.expected}, not ${shown(wrong)}`,
    value: wrong.slice(0, 100),
  });
}
