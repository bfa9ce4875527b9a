import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import { compilePattern } from "../../src/pattern/linear-pattern.ts";

describe("patterns", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["abc", ["abc"], ["ab", "abcd", "ABC"]],
    ["[A-Z]{2}-\\d+", ["AB-1", "XY-123"], ["A-1", "AB-", "AB-1x"]],
    ["a|bc|", ["a", "bc", ""], ["b", "abc"]],
    ["(?:ab)*c?", ["", "c", "abab", "ababc"], ["aba", "cc"]],
    ["a{2,3}", ["aa", "aaa"], ["a", "aaaa"]],
    ["a{2,}", ["aa", "aaaaa"], ["a"]],
    ["(a{0,2}){2}", ["", "a", "aaaa"], ["aaaaa"]],
    ["^x.y$", ["xay", "x\u{1f600}y"], ["x\ny", "xy"]],
    ["\\p{Lu}\\p{Ll}+", ["Ärger"], ["ärger"]],
    ["[^\\]a]+", ["bc", "["], ["a", "]"]],
    ["\\x41\\u0042\\t\\.", ["AB\t."], ["AB\tx"]],
    ["\\bab\\b.*", ["ab", "ab cd"], ["abc"]],
    ["(?<year>\\d{4})", ["2024"], ["24"]],
    ["a{,2}", ["a{,2}"], ["a", "aa"]],
    ["a+?b", ["aab"], ["b"]],
  ];
  it.each(cases)("%s matches %j and not %j", (source, good, bad) => {
    const pattern = compilePattern(source);
    expect(good.filter((text) => !pattern.matches(text))).toEqual([]);
    expect(bad.filter((text) => pattern.matches(text))).toEqual([]);
  });

  it("find a part, in either case when asked", () => {
    expect(compilePattern("dawn").finds("Harbour at dawn")).toBe(true);
    expect(compilePattern("DAWN$", { ignoreCase: true }).finds("Harbour at dawn")).toBe(true);
    expect(compilePattern("^dawn").finds("Harbour at dawn")).toBe(false);
    expect(compilePattern("").finds("x")).toBe(true);
  });

  it.each([
    ["(a", "not closed"],
    ["a)", "not opened"],
    ["[a", "not closed"],
    ["*a", "nothing to repeat"],
    ["a**", "nothing to repeat"],
    ["a++", "Possessive"],
    ["(?=a)", "Look-around"],
    ["(a)\\1", "escape \\1"],
    ["[z-a]", "not a class"],
    ["a{3,2}", "ends below"],
    ["a{2000}", "above 1000"],
    ["(a{500}){500}", "too large"],
    ["((((){1000}){1000}){1000}){1000}", "too large"],
    ["(".repeat(200), "nested"],
    ["\\", "backslash"],
    ["a".repeat(5000), "longer"],
  ])("%s is refused", (source, reason) => {
    expect(() => compilePattern(source)).toThrowError(KinoraError);
    expect(() => compilePattern(source)).toThrowError(reason);
  });

  it("match what the platform's own engine matches", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      ".",
      "(a|b)",
      "(?:ab)",
      "c?",
      "a*",
      "b+",
      "[^a]",
      "(a|bc){1,2}",
      "\\b",
      "$",
      "^",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.stringMatching(/^[abc ]{0,8}$/), (pieces, text) => {
        const source = pieces.join("");
        expect(compilePattern(source).matches(text)).toBe(new RegExp(`^(?:${source})$`).test(text));
        expect(compilePattern(source).finds(text)).toBe(new RegExp(source).test(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("that would make other engines try every way are as cheap as any", () => {
    let characters = 0;
    const text = "a".repeat(30_000);
    for (const source of ["(a+)+$b", "(a|a)*b", "(.*.*.*)x"]) {
      expect(compilePattern(source).matches(text)).toBe(false);
      characters += text.length;
    }
    expect(characters).toBe(90_000);
  });
});
