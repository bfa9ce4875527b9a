import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, startService, type TestService } from "./harness.ts";

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
});
afterAll(() => kinora.close());

const json = { "content-type": "application/json", accept: "application/json" };
async function send(request: string, document?: object): Promise<Response> {
  const [method = "GET", path = "/"] = request.split(" ");
  const body = document === undefined ? {} : { body: JSON.stringify(document) };
  return kinora.admin(`/API${path}`, { method, headers: json, ...body });
}
/** A text as a header carries it: its UTF-8 bytes. */
const bytesOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

const everyByte = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const isControl = (character: string) => /\p{Cc}/u.test(character);
/** One or more characters of every kind that Unicode knows, beyond Latin-1. */
const further = [
  ..."Āſƛ\u0345ʰ\u0301\u0903\u20dd",
  ..."Ωжאع\u0e01가中々",
  ..."٣Ⅷ½‿—«»…€˄°",
  ..."\u00a0\u2003\u200b\u200e\u202e\u2066\ufeff\u00ad",
  ..."\ue000\ufdd0\u{1f600}\u{20000}\u{10ffff}\u{1fffe}",
  "👩‍👩‍👧‍👦",
  "🇸🇪",
  "é",
  "e\u0301",
  "İ",
  "ß",
];

/** Whether the user that is given this name has it in every form, and can be named in a RunAs header. */
async function takes(before: string, name: string): Promise<boolean> {
  const renamed = await send(`PUT /user/${encodeURIComponent(before)}`, { userName: name });
  const path = `/user/${encodeURIComponent(name)}`;
  const inJson = (await (await send(`GET ${path}`)).json()) as { readonly userName?: string };
  const inXml = await (await kinora.admin(`/API${path}`, { headers: { accept: "application/xml" } })).text();
  const runAs = await kinora.admin("/API/whoami", { headers: { RunAs: bytesOf(name), accept: "text/plain" } });
  const acting = await runAs.text();
  return renamed.status === 200 && inJson.userName === name && inXml.includes("<userName>") && acting === name;
}

describe("the name of a user", () => {
  test("may have every character that is no control character", async () => {
    const failed: string[] = [];
    await send("PUT /user/ab");
    let before = "ab";
    for (const character of [...everyByte.filter((one) => !isControl(one)), ...further]) {
      const name = `a${character}b`;
      if (!(await takes(before, name))) failed.push(name);
      before = name;
    }
    expect(failed).toEqual([]);
  });

  test("may not have a control character, half a character, or what XML cannot write", async () => {
    const accepted: string[] = [];
    const halves = ["\ud800", "\udbff", "\udc00", "\udfff", "\ude00\ud83d"];
    for (const character of [...everyByte.filter(isControl), ...halves, "\ufffe", "\uffff", "\u2028", "\u2029"]) {
      const answer = await send("POST /user", { userName: `a${character}b` });
      if (answer.status !== 400) accepted.push(`${JSON.stringify(character)} ${answer.status}`);
    }
    expect(accepted).toEqual([]);
  });

  test("may not have a control character in a path either", async () => {
    const accepted: string[] = [];
    for (const character of everyByte.filter(isControl)) {
      const answer = await send(`PUT /user/a${encodeURIComponent(character)}b`);
      if (answer.status !== 400) accepted.push(`${JSON.stringify(character)} ${answer.status}`);
    }
    for (const broken of ["%", "%zz", "%C3", "%ED%A0%80", "%C0%AF", "%00", "%2e", "%2E%2e"]) {
      const answer = await send(`PUT /user/${broken}`);
      if (answer.status !== 400) accepted.push(`${broken} ${answer.status}`);
    }
    expect(accepted).toEqual([]);
  });

  test.each([
    "alva",
    "alva l",
    "älva",
    "名前",
    "👩‍👩‍👧‍👦",
    "a/b",
    "a%41",
    "a\\b",
    "a;b=c",
    'a"b',
    "a,b",
    "<a>&amp;",
    "\u202eavla",
    "%",
    "'--",
  ])("logs in by Basic: %j", async (userName) => {
    const made = await send("POST /user", { userName, password: `pass:${userName}` });
    expect(made.status).toBe(200);
    const ask = async (name: string, password: string) => {
      const headers = { authorization: basic(name, password), accept: "text/plain" };
      const answer = await kinora.fetch("/API/whoami", { headers });
      return answer.status === 200 ? answer.text() : answer.status;
    };
    expect(await ask(userName, `pass:${userName}`)).toBe(userName);
    expect(await ask(userName, userName)).toBe(401);
    kinora.advance(6000);
  });

  test("with a colon logs in by an alias, since Basic parts name and password by the first one", async () => {
    const made = await send("POST /user", { userName: "urn:user:1", password: "right", alias: ["user-1"] });
    expect(made.status).toBe(200);
    expect((await kinora.as("urn:user:1", "right")("/API/whoami")).status).toBe(401);
    const answer = await kinora.as("user-1", "right")("/API/whoami");
    expect([answer.status, await answer.text()]).toEqual([200, "urn:user:1"]);
  });

  test("is the name itself, never one that looks like it", async () => {
    await send("POST /user", { userName: "Zoë", password: "right" });
    for (const other of ["Zoe\u0308", "zoë", "ZOË", " Zoë", "Zoë\u200b", "Zoe"]) {
      expect((await kinora.as(other, "right")("/API/whoami")).status, JSON.stringify(other)).toBe(401);
      kinora.advance(6000);
    }
    expect((await kinora.as("Zoë", "right")("/API/whoami")).status).toBe(200);
  });
});

describe("what many do at once", () => {
  const statusesOf = async (requests: readonly (() => Promise<Response>)[]) =>
    (await Promise.all(requests.map((request) => request()))).map(({ status }) => status).sort();
  const twenty = <T>(make: (i: number) => T): readonly T[] => Array.from({ length: 20 }, (_, i) => make(i));
  const once = [200, ...new Array<number>(19).fill(409)];

  test.each([
    ["PUT /user/wanted", () => () => send("PUT /user/wanted")],
    ["POST /user", () => () => send("POST /user", { userName: "posted" })],
    [
      "PUT and POST",
      (i: number) => () => (i % 2 === 0 ? send("PUT /user/both") : send("POST /user", { userName: "both" })),
    ],
    ["PUT /group/wanted", () => () => send("PUT /group/wanted")],
  ])("creates one by %s, the others are told it is there", async (_, request) => {
    expect(await statusesOf(twenty(request))).toEqual(once);
  });

  test("gives an alias to one user", async () => {
    for (let i = 0; i < 20; i++) await send(`PUT /user/alias-${i}`);
    expect(await statusesOf(twenty((i) => () => send(`PUT /user/alias-${i}/alias/shared`)))).toEqual(once);
  });

  test("gives a name to a user or to an alias, never to both", async () => {
    await send("PUT /user/owner");
    const statuses = await statusesOf(
      twenty((i) => () => (i % 2 === 0 ? send("PUT /user/contested") : send("PUT /user/owner/alias/contested"))),
    );
    // An alias that the user has already may be put again.
    const user = (await send("GET /user/contested")).status === 200;
    expect(statuses).toEqual(user ? once : [...new Array<number>(10).fill(200), ...new Array<number>(10).fill(409)]);
  });

  test("renames one of several users to a name", async () => {
    for (let i = 0; i < 20; i++) await send(`PUT /user/before-${i}`);
    const rename = (i: number) => () => send(`PUT /user/before-${i}`, { userName: "after" });
    expect(await statusesOf(twenty(rename))).toEqual(once);
  });
});

test("a user in 1,000 groups below one that has a role logs in, acts by it, and loses it at once", async () => {
  const size = 1000;
  const group = Array.from({ length: size }, (_, i) => ({ groupName: `wide-${i}` }));
  expect((await send("PUT /group/top", { description: "above all" })).status).toBe(200);
  for (const { groupName } of group) expect((await send(`PUT /group/${groupName}`)).status).toBe(200);
  expect((await send("PUT /group/top", { childGroupList: { group } })).status).toBe(200);
  expect((await send("PUT /group/_group_read/group/top")).status).toBe(200);
  expect((await send("POST /user", { userName: "wide", password: "right", groupList: { group } })).status).toBe(200);
  const wide = kinora.as("wide", "right");
  expect((await wide("/API/whoami")).status).toBe(200);
  expect((await wide("/API/group?number=1")).status).toBe(200);
  expect((await wide("/API/user")).status).toBe(403);
  const all = (await (await send("GET /user/wide/allgroups")).json()) as { readonly group: readonly unknown[] };
  expect(all.group).toHaveLength(size + 2);
  expect((await send("DELETE /group/_group_read/group/top")).status).toBe(200);
  expect((await wide("/API/group?number=1")).status).toBe(403);
});
