import fc from "fast-check";
import { EqualityFilter, FilterParser } from "ldapts";
import { describe, expect, test } from "vitest";
import { escapeDnValue, escapeFilterValue, fillTemplate } from "../../realms/ldap/escape.ts";

/** Texts that are full of what has a meaning in names and filters. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'\\",+<>;=# *()\0{}01$&ab\u00e9\u{1f511}') }),
  fc.string({ unit: "binary" }),
);

/** Reads a distinguished name as RFC 4514 writes it: its parts, each attribute and value. */
function readDn(dn: string): readonly (readonly [string, string])[] {
  const parts: [string, string][] = [];
  let attribute: string | undefined;
  let text = "";
  let blanks = "";
  const end = () => {
    parts.push([attribute ?? "", text]);
    attribute = undefined;
    text = "";
    blanks = "";
  };
  for (let at = 0; at < dn.length; at++) {
    const character = dn.charAt(at);
    if (character === "\\") {
      const hex = /^[0-9a-f]{2}/i.exec(dn.slice(at + 1))?.[0];
      text += blanks + (hex === undefined ? dn.charAt(at + 1) : String.fromCharCode(Number.parseInt(hex, 16)));
      blanks = "";
      at += hex?.length ?? 1;
    } else if (character === "=" && attribute === undefined) {
      attribute = text;
      text = "";
    } else if (character === ",") end();
    else if (/[+;<>"]/.test(character) || (character === "#" && text + blanks === ""))
      throw new Error(`bare ${character}`);
    else if (character === " ") blanks += text === "" ? "" : character;
    else {
      text += blanks + character;
      blanks = "";
    }
  }
  end();
  return parts;
}

describe("a user name in a distinguished name", () => {
  test.each([
    ["alice", "alice"],
    ["admin,dc=example", "admin\\,dc\\=example"],
    ['a"b\\c', 'a\\"b\\\\c'],
    ["a+b<c>d;e", "a\\+b\\<c\\>d\\;e"],
    ["#1", "\\#1"],
    ["1#", "1#"],
    [" a b ", "\\ a b\\ "],
    [" ", "\\ "],
    ["a\0b", "a\\00b"],
    ["*)(uid=*", "*)(uid\\=*"],
    ["jos\u00e9", "jos\u00e9"],
  ])("%j is written %s", (text, escaped) => {
    expect(escapeDnValue(text)).toBe(escaped);
  });

  test("is one value, whatever it contains", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const dn = fillTemplate("uid={0},ou=people,dc=example", [text], escapeDnValue);
        expect(readDn(dn)).toEqual([
          ["uid", text],
          ["ou", "people"],
          ["dc", "example"],
        ]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a user name in a search filter", () => {
  test.each([
    ["alice", "alice"],
    ["*)(uid=*", "\\2a\\29\\28uid=\\2a"],
    ["a\\b", "a\\5cb"],
    ["a\0", "a\\00"],
    ["jos\u00e9", "jos\u00e9"],
  ])("%j is written %s", (text, escaped) => {
    expect(escapeFilterValue(text)).toBe(escaped);
  });

  test("is one value that is compared, whatever it contains", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const filter = FilterParser.parseString(fillTemplate("(uid={0})", [text], escapeFilterValue));
        expect(filter).toBeInstanceOf(EqualityFilter);
        expect(filter).toMatchObject({ attribute: "uid", value: text });
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a template is filled once: what is put in is not read again", () => {
  const same = (text: string) => text;
  expect(fillTemplate("{0}-{1}-{2}", ["{1}$&", "b"], same)).toBe("{1}$&-b-{2}");
});
