import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let small: TestService;
beforeAll(async () => {
  kinora = await startService();
  small = await startService({
    settings: { maxBodyBytes: 2000, maxXmlDepth: 5, maxXmlAttributes: 10, maxXmlNodes: 30 },
  });
});
afterAll(async () => {
  await kinora.close();
  await small.close();
});

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Posts a user; gives the status, the explanation and the whole answer. */
async function post(body: Body, type = "application/xml", to = kinora, headers: Readonly<Record<string, string>> = {}) {
  const duplex = body instanceof ReadableStream ? { duplex: "half" } : {};
  const init = {
    method: "POST",
    headers: { "content-type": type, accept: "application/json", ...headers },
    body,
    ...duplex,
  };
  const answer = await to.admin("/API/user", init);
  const text = await answer.text();
  const { explanation = "" } = text === "" ? {} : (JSON.parse(text).invalidInput ?? {});
  return { status: answer.status, explanation: explanation as string, text };
}

const exists = async (name: string) => (await kinora.admin(`/API/user/${name}`)).status === 200;
const user = (name: string, more = "") => `<UserDocument><userName>${name}</userName>${more}</UserDocument>`;
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : [...part])),
  );
const utf16 = (text: string, bigEndian = false, mark = true) =>
  Uint8Array.from(
    [...(mark ? "\uFEFF" : ""), ...text].flatMap((unit) => {
      const code = unit.charCodeAt(0);
      return bigEndian ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8];
    }),
  );

describe("XML that is refused with 400 and its place", () => {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join("");
  test.each<[string, Body, RegExp]>([
    ["a DTD", `<!DOCTYPE UserDocument>${user("x")}`, /document type declaration.*line 1, column \d+/],
    ["a billion laughs", `<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]>${user("&e9;")}`, /document type declaration/],
    [
      "an external entity",
      `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${user("&f;")}`,
      /document type declaration/,
    ],
    ["an external DTD", `<!DOCTYPE x SYSTEM "http://evil.example/x.dtd">${user("x")}`, /document type declaration/],
    [
      "a parameter entity",
      `<!DOCTYPE x [<!ENTITY % p SYSTEM "http://evil.example/x"> %p;]>${user("x")}`,
      /document type declaration/,
    ],
    ["an entity of HTML", user("&nbsp;"), /line 1/],
    [
      "an include",
      user("x", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'),
      /line 1/,
    ],
    ["no end", "<UserDocument><userName>x</userName>", /line 1, column 36/],
    ["an end of another element", "<UserDocument>\n<userName>x</user>", /line 2/],
    ["two roots", `${user("x")}${user("y")}`, /line 1/],
    ["text behind the end", `${user("x")} and more`, /line 1/],
    ["text before the root", `and more ${user("x")}`, /line 1/],
    ["text between elements", user("x", "stray"), /line 1/],
    ["another root", "<Userdocument/>", /Userdocument.*line 1/s],
    [
      "an unknown element",
      `<UserDocument>\n  <userName>x</userName>\n  <realname>X</realname>\n</UserDocument>`,
      /realname.*line 3/s,
    ],
    ["an unknown attribute", "<UserDocument admin='true'><userName>x</userName></UserDocument>", /admin.*line 1/s],
    ["another namespace", '<UserDocument xmlns="urn:other"><userName>x</userName></UserDocument>', /line 1/],
    ["an unbound prefix", "<a:UserDocument><userName>x</userName></a:UserDocument>", /line 1/],
    ["an element twice", user("x", "<realName>A</realName><realName>B</realName>"), /realName.*line 1/s],
    ["a control character", user("x\u0001y"), /line 1/],
    ["a reference to a control character", user("x&#1;y"), /line 1/],
    ["a reference beyond Unicode", user("&#x110000;"), /line 1/],
    ["an attribute twice", '<UserDocument a="1" a="2"/>', /line 1/],
    ["a tag that is none", "<UserDocument><1/></UserDocument>", /line 1/],
    ["a lone ampersand", user("a & b"), /line 1/],
    ["a version that is none", `<?xml version="3.0"?>${user("x")}`, /line 1/],
    ["a declaration in the middle", `${user("x").replace("<userName>", '<?xml version="1.0"?><userName>')}`, /line 1/],
    ["only a declaration", '<?xml version="1.0"?>', /line 1/],
    ["only blanks", "   \n", /line|body/],
    ["only a byte order mark", bytes([0xef, 0xbb, 0xbf]), /line|body/],
    ["bytes that are not UTF-8", bytes("<UserDocument><userName>J", [0xfc], "rgen</userName></UserDocument>"), /UTF-8/],
    ["an overlong dot", bytes("<UserDocument><userName>", [0xc0, 0xae], "</userName></UserDocument>"), /UTF-8/],
    ["half a character", bytes("<UserDocument><userName>x</userName></UserDocument>", [0xc3]), /UTF-8/],
    ["UTF-8 that says UTF-16", `<?xml version="1.0" encoding="UTF-16"?>${user("x")}`, /UTF-16/],
    ["an encoding that nobody knows", `<?xml version="1.0" encoding="x-klingon"?>${user("x")}`, /x-klingon/],
    ["an encoding of letters behind UTF-7", `<?xml version="1.0" encoding="UTF-7"?>${user("+ADw-")}`, /UTF-7/i],
  ])("%s", async (_, body, place) => {
    const { status, explanation } = await post(body);
    expect([status, explanation]).toEqual([400, expect.stringMatching(place)]);
    expect(explanation).not.toMatch(/passwd|root:|\bat .*\.ts|node_modules/);
    expect(await exists("x")).toBe(false);
  });

  test("every cut of a document that would be good", async () => {
    const whole = `<?xml version="1.0"?>\n${user("cut", "<realName><![CDATA[C]]></realName><!-- a comment -->")}`;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        const { status, explanation } = await post(whole.slice(0, length));
        expect([length, status]).toEqual([length, 400]);
        if (length > 0) expect(explanation).toMatch(/line \d+, column \d+|body/);
      }),
      { numRuns: 60 },
    );
    expect(await exists("cut")).toBe(false);
    expect((await post(whole)).status).toBe(200);
  });
});

describe("XML that is taken", () => {
  test.each<[string, (name: string) => Body]>([
    ["as it is", (name) => user(name)],
    ["with a byte order mark", (name) => bytes([0xef, 0xbb, 0xbf], user(name))],
    ["in UTF-16, little end first", (name) => utf16(user(name))],
    ["in UTF-16 by its mark, whatever it says", (name) => utf16(`<?xml version="1.0" encoding="UTF-8"?>${user(name)}`)],
    ["in UTF-16, big end first", (name) => utf16(`<?xml version="1.0" encoding="UTF-16"?>${user(name)}`, true)],
    [
      "in Latin-1 that says so",
      (name) =>
        bytes(
          `<?xml version="1.0" encoding="ISO-8859-1"?>${user(name, "<realName>J")}`.replace("</UserDocument>", ""),
          [0xfc],
          "rgen</realName></UserDocument>",
        ),
    ],
    [
      "in our namespace",
      (name) => user(name).replace("<UserDocument", '<UserDocument xmlns="urn:kinora:schema:media-asset"'),
    ],
    [
      "in the reference's namespace",
      (name) => user(name).replace("<UserDocument", '<UserDocument xmlns="http://xml.vidispine.com/schema/vidispine"'),
    ],
    [
      "with a prefix",
      (name) =>
        `<a:UserDocument xmlns:a="urn:kinora:schema:media-asset"><a:userName>${name}</a:userName></a:UserDocument>`,
    ],
    [
      "with comments and instructions",
      (name) => `<!-- a --><?x y?><UserDocument><!-- b --><userName>${name}</userName></UserDocument><!-- c -->`,
    ],
  ])("%s", async (what, body) => {
    const name = what.replace(/\W+/g, "-");
    expect(await post(body(name))).toMatchObject({ status: 200 });
    expect(await exists(name)).toBe(true);
  });
});

describe("JSON that is refused with 400 and its place", () => {
  test.each<[string, Body, RegExp]>([
    ["depth beyond the limit", `{"metadata":${"[".repeat(5000)}`, /line 1/],
    ["deep objects", `{"metadata":${'{"field":'.repeat(5000)}1${"}".repeat(5000)}}`, /line 1/],
    ["no end", '{"userName":"x"', /line 1, column 16/],
    ["an open text", '{"userName":"x', /line 1/],
    ["two values", '{"userName":"x"} {}', /line 1/],
    ["a comma at the end", '{"userName":"x",}', /line 1/],
    ["a comment", '{"userName":"x"/* */}', /line 1/],
    ["single quotes", "{'userName':'x'}", /line 1/],
    ["a list", '[{"userName":"x"}]', /line 1|object/],
    ["a text", '"x"', /line 1|object/],
    ["null", "null", /line 1|object/],
    ["NaN", '{"userName":NaN}', /line 1/],
    ["an unknown member", '{\n  "userName": "x",\n  "realname": "X"\n}', /realname.*line 3|line 3.*realname/s],
    ["the same member twice", '{"userName":"x","userName":"admin"}', /userName.*line 1/s],
    ["the prototype", '{"userName":"x","__proto__":{"admin":true}}', /__proto__/],
    ["an object for a text", '{"userName":{"a":1}}', /userName.*line 1/s],
    ["a list for a text", '{"userName":["x"]}', /userName.*line 1/s],
    ["half a surrogate pair", '{"userName":"\\ud800"}', /line 1/],
    ["a NUL", '{"userName":"x\\u0000"}', /line 1/],
    ["a control character", '{"userName":"x\u0001"}', /line 1/],
    ["bytes that are not UTF-8", bytes('{"userName":"', [0xff], '"}'), /UTF-8/],
    ["UTF-16", utf16('{"userName":"x"}'), /UTF-8|line 1/],
    ["nothing", "", /body/],
    ["only blanks", "  ", /line 1|body/],
  ])("%s", async (_, body, place) => {
    const { status, explanation } = await post(body, "application/json");
    expect([status, explanation]).toEqual([400, expect.stringMatching(place)]);
    expect(await exists("x")).toBe(false);
  });

  test("every cut of a document that would be good", async () => {
    const whole = '{ "userName": "cutjson", "realName": "C\\u00e9" }';
    for (let length = 0; length < whole.length; length++) {
      expect([length, (await post(whole.slice(0, length), "application/json")).status]).toEqual([length, 400]);
    }
    expect((await post(whole, "application/json")).status).toBe(200);
  });
});

describe("limits", () => {
  const nested = (depth: number) =>
    `<ItemSearchDocument>${'<operator operation="AND">'.repeat(depth - 1)}${"</operator>".repeat(depth - 1)}</ItemSearchDocument>`;
  const field = "<field><key>k</key><value>v</value></field>";
  const attributes = Array.from({ length: 11 }, (_, i) => `a${i}="1"`).join(" ");

  test.each([
    ["of depth by itself", "PUT", "/API/item", nested(65), () => kinora, /64/],
    ["of depth by a setting", "PUT", "/API/item", nested(6), () => small, /\b5\b/],
    ["of attributes", "POST", "/API/user", `<UserDocument ${attributes}/>`, () => small, /\b10\b/],
    ["of nodes", "POST", "/API/user", user("x", `<metadata>${field.repeat(12)}</metadata>`), () => small, /\b30\b/],
  ])("%s are told with the place", async (_, method, path, body, to, limit) => {
    const headers = { "content-type": "application/xml", accept: "text/plain" };
    const answer = await to().admin(path, { method, headers, body });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([400, expect.stringMatching(limit)]);
    expect(text).toMatch(/line 1, column \d+/);
  });

  test("what is just within them is taken", async () => {
    const headers = { "content-type": "application/xml" };
    const search = (body: string, to: TestService) => to.admin("/API/item", { method: "PUT", headers, body });
    expect((await search(nested(5), small)).status).toBe(200);
  });

  test("a body of the size that is allowed is taken, a byte more is not", async () => {
    const padded = (length: number) => user("padded").padEnd(length, " ");
    expect((await post(padded(2001), "application/xml", small)).status).toBe(413);
    expect((await post(padded(2000), "application/xml", small)).status).toBe(200);
  });

  test("a body that says it is too large is refused before it is read", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
        if (pulled === 100) controller.close();
      },
    });
    const { status, text } = await post(body, "application/xml", small, { "content-length": "100000" });
    expect(status).toBe(413);
    expect(text).toContain("2000 bytes");
    expect(pulled).toBeLessThan(10);
  });

  test("a body that does not say it is refused as soon as it is", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
    });
    expect((await post(body, "application/xml", small)).status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });

  test("a body that breaks off is no body", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(user("broken")));
        controller.error(new Error("connection reset"));
      },
    });
    expect((await post(body)).status).toBe(400);
    expect(await exists("broken")).toBe(false);
  });
});

describe("a type of body that is not taken is 415", () => {
  test.each([
    ["text/csv", {}],
    ["", {}],
    ["application/xml-dtd", {}],
    ["application/json; charset=utf-16", {}],
    ["multipart/form-data; boundary=x", {}],
    ["application/xml", { "content-encoding": "gzip" }],
    ["application/json", { "content-encoding": "br" }],
  ])("%j %j", async (type, headers) => {
    const { status, explanation } = await post(user("x"), type, kinora, headers);
    expect([status, explanation]).toEqual([415, expect.stringMatching(/^The body /)]);
  });

  test.each([
    "application/xml; charset=utf-8",
    "TEXT/XML",
    "application/vnd.example+xml",
    'application/xml; charset="UTF-8"',
  ])("%s is taken", async (type) => {
    const name = type.replace(/\W+/g, "-");
    expect((await post(user(name), type)).status).toBe(200);
  });
});
