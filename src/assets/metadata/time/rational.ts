/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Makes the fraction `numerator / denominator` in lowest terms. @throws RangeError when the denominator is zero. */
export function rational(numerator: bigint, denominator: bigint = 1n): Rational {
  if (denominator === 0n) throw new RangeError("A fraction has no zero denominator");
  if (denominator === 1n) return { numerator, denominator };
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const divisor = greatestCommonDivisor(n, d);
  return divisor === 1n ? { numerator: n, denominator: d } : { numerator: n / divisor, denominator: d / divisor };
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** `a / b`. @throws RangeError when `b` is zero. */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Writes a fraction as a decimal number, rounded half away from zero to at most `digits` places, without trailing
 * zeros: `25`, `12.5`, `0.333333333`.
 */
export function toDecimal(value: Rational, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const magnitude = value.numerator < 0n ? -value.numerator : value.numerator;
  const scaled = (magnitude * scale * 2n + value.denominator) / (value.denominator * 2n);
  const whole = scaled / scale;
  const fraction = (scaled % scale).toString().padStart(digits, "0").replace(/0+$/, "");
  const sign = value.numerator < 0n && scaled !== 0n ? "-" : "";
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
