import { describe, expect, test } from "vitest";
import { pageOf, pageParameters } from "../../src/http/page.ts";
import {
  booleanParameter,
  intParameter,
  keyValueParameter,
  listParameter,
  oneOfParameter,
  repeatedParameter,
  textParameter,
} from "../../src/http/parameters.ts";
import { serve } from "./http-client.ts";

const client = serve((table) => {
  table.get(
    "/list/{id}",
    {
      summary: "Test",
      role: "authenticated",
      output: "text",
      query: {
        ...pageParameters({ number: 100, maximum: 1000 }),
        name: textParameter(),
        title: textParameter({ default: "none" }),
        seconds: intParameter({ minimum: -5, maximum: 5 }),
        terse: booleanParameter({ default: false }),
        content: listParameter(),
        id: repeatedParameter(),
        disabled: oneOfParameter(["true", "false", "all"], { default: "all" }),
        jobmetadata: keyValueParameter(),
      },
    },
    ({ query, params }) => {
      // What the declarations say is what the compiler knows.
      const typed: { first: number; name: string | undefined; terse: boolean; disabled: "true" | "false" | "all" } =
        query;
      return JSON.stringify({ ...query, ...typed, path: params.id });
    },
  );
  table.get(
    "/needed",
    { summary: "Test", role: "authenticated", output: "text", query: { id: textParameter({ required: true }) } },
    ({ query, parameter, parameters }) => `${query.id}`.concat(String(parameter), String(parameters)),
  );
  table.get("/sent", { summary: "Test", role: "authenticated", output: "text" }, (request) =>
    JSON.stringify([request.parameters, request.parameter("a"), request.parameter("b")]),
  );
});

const defaults = {
  first: 1,
  number: 100,
  title: "none",
  terse: false,
  content: [],
  id: [],
  disabled: "all",
  jobmetadata: [],
};

describe("parameters mean", () => {
  test.each([
    ["", {}],
    ["?", {}],
    ["?first=3&number=1000", { first: 3, number: 1000 }],
    [";first=3;number=0", { first: 3, number: 0 }],
    [";first=2?first=3", { first: 3 }],
    ["?first=2&first=3", { first: 3 }],
    ["?name=", { name: "" }],
    ["?name", { name: "" }],
    ["?name=a+b%2Bc%26d%3D%C3%A5", { name: "a b+c&d=å" }],
    [";name=a+b%2Bc%3B", { name: "a+b+c;" }],
    ["?name=a=b", { name: "a=b" }],
    ["?&&name=a&", { name: "a" }],
    ["?seconds=-5", { seconds: -5 }],
    ["?seconds=%2B5", { seconds: 5 }],
    ["?terse=TRUE", { terse: true }],
    ["?terse=1", { terse: true }],
    ["?terse=Yes", { terse: true }],
    ["?terse=no", { terse: false }],
    ["?disabled=True", { disabled: "true" }],
    ["?content=metadata,uri&content=shape", { content: ["metadata", "uri", "shape"] }],
    [";content=metadata?content=%20uri%20,,", { content: ["metadata", "uri"] }],
    ["?id=a,b&id=c", { id: ["a,b", "c"] }],
    [
      "?jobmetadata=a%3Db%3Dc&jobmetadata=d=",
      {
        jobmetadata: [
          ["a", "b=c"],
          ["d", ""],
        ],
      },
    ],
    ["?unknown=1&Name=x&__proto__=y", {}],
  ])("%s", async (sent, expected) => {
    const { status, text } = await client.fetch("GET", `/list/VX-1${sent}`);
    expect([status, JSON.parse(text)]).toEqual([200, { ...defaults, path: "VX-1", ...expected }]);
  });

  test("the same on any segment of the path", async () => {
    const { text } = await client.fetch("GET", "/API/list;first=7;terse=1/VX-1;number=2/");
    expect(JSON.parse(text)).toMatchObject({ first: 7, terse: true, number: 2, path: "VX-1" });
  });

  test("what was sent, to a handler that asks for all", async () => {
    const { text } = await client.fetch("GET", "/sent;a=1;c?a=2&b=x%20y&a=3");
    expect(JSON.parse(text)).toEqual([
      [
        ["a", "1"],
        ["c", ""],
        ["a", "2"],
        ["b", "x y"],
        ["a", "3"],
      ],
      "3",
      "x y",
    ]);
  });
});

describe("a wrong parameter is told by name, value and rule", () => {
  test.each([
    ["/list/x?number=1001", "The parameter number must be a whole number from 0 to 1000, not &quot;1001&quot;"],
    ["/list/x?first=-1", "The parameter first must be a whole number of at least 0, not &quot;-1&quot;"],
    ["/list/x?first=1.5", "first must be a whole number"],
    ["/list/x?first=", "first must be a whole number of at least 0, not &quot;&quot;"],
    ["/list/x?first=1e3", "first must be a whole number"],
    ["/list/x?first=99999999999999999999", "first must be a whole number"],
    ["/list/x;seconds=6", "The parameter seconds must be a whole number from -5 to 5, not &quot;6&quot;"],
    ["/list/x?terse=maybe", "The parameter terse must be true or false, not &quot;maybe&quot;"],
    ["/list/x?disabled=x", "The parameter disabled must be one of true, false, all, not &quot;x&quot;"],
    ["/list/x?jobmetadata=a=b&jobmetadata=c", "The parameter jobmetadata must be key=value, not &quot;c&quot;"],
    ["/list/x?jobmetadata==c", "must be key=value, not &quot;=c&quot;"],
    ["/needed", "The parameter id is missing; it must be a text"],
    ["/list/x?name=%zz", "The query has a broken percent-escape in &quot;%zz&quot;"],
    ["/list/x?name=%ff", "The query has a broken percent-escape"],
    ["/list/x?name=a%00", "The parameter name has a character that no document can hold"],
  ])("%s", async (target, explanation) => {
    const { status, text } = await client.fetch("GET", target);
    expect(status).toBe(400);
    expect(text.replaceAll('"', "&quot;")).toContain(explanation);
  });
});

describe("a page", () => {
  test.each([
    [{ first: 1, number: 100 }, undefined, { offset: 0, limit: 100 }],
    [{ first: 11, number: 10 }, 1, { offset: 10, limit: 10 }],
    [{ first: 0, number: 10 }, 1, { offset: 0, limit: 10 }],
    [{ first: 0, number: 10 }, 0, { offset: 0, limit: 10 }],
    [{ first: 10, number: undefined }, 0, { offset: 10, limit: undefined }],
  ] as const)("of %j counted from %s is %j", (query, base, expected) => {
    expect(pageOf<number | undefined>(query, base)).toEqual(expected);
  });
});
