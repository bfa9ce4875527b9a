import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adminPassword, basic, type StartOptions, startService, type TestService } from "./harness.ts";

let kinora: TestService;
async function open(options: StartOptions = {}): Promise<void> {
  kinora = await startService(options);
  for (const userName of ["alva", "bo"]) {
    await act("POST /user", { userName, password: "right", alias: [`${userName}@example.org`] });
  }
  await act("POST /user", { userName: "app", password: "right", groupList: { group: [{ groupName: "_runas" }] } });
}
/** Judges guesses as slowly as a service that is run, so that those of a burst wait for each other. */
async function reopenWithFullHashing(): Promise<void> {
  await kinora.close();
  await open({ passwordHashing: "full" });
}
beforeEach(() => open());
afterEach(() => kinora.close());

const ours = "203.0.113.9";

async function ask(
  authorization: string,
  { from = "192.0.2.1", request = "GET /whoami", body = undefined as string | undefined } = {},
): Promise<Response> {
  const [method = "GET", path = "/"] = request.split(" ");
  const type = body?.startsWith("{") ? "application/json" : "text/plain";
  const headers = { authorization, accept: "*/*", "content-type": type };
  const sent = new Request(`http://localhost/API${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return kinora.service.fetch(sent, { remoteAddress: from, rawTarget: `/API${path}` });
}
async function act(request: string, document: object): Promise<Response> {
  const answer = await ask(basic("admin", adminPassword), { from: ours, request, body: JSON.stringify(document) });
  expect(answer.status, request).toBe(200);
  return answer;
}
const statusOf = async (...sent: Parameters<typeof ask>) => (await ask(...sent)).status;
async function fail(times: number, name = "alva", from = "192.0.2.1"): Promise<void> {
  for (let i = 0; i < times; i++) expect(await statusOf(basic(name, `guess ${i}`), { from })).toBe(401);
}

describe("who fails ten times in a minute", () => {
  test("must wait as long as Retry-After says, also with the right password", async () => {
    await fail(10);
    const refused = await ask(basic("alva", "right"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "6"]);
    expect(refused.headers.has("www-authenticate")).toBe(false);
    expect(await refused.text()).not.toContain("alva");
    expect(await statusOf(basic("alva", "another guess"))).toBe(429);
    kinora.advance(5999);
    expect(await statusOf(basic("alva", "right"))).toBe(429);
    kinora.advance(1);
    expect(await statusOf(basic("alva", "right"))).toBe(200);
  });

  test("holds up nobody at another address, and nobody who had logged in from there before", async () => {
    expect(await statusOf(basic("bo", "right"))).toBe(200);
    await fail(10);
    expect(await statusOf(basic("alva", "right"), { from: "198.51.100.7" })).toBe(200);
    expect(await statusOf(basic("bo", "right"))).toBe(200);
    expect(await statusOf(basic("app", "right"))).toBe(429);
  });

  test("does not get around it by a burst of guesses at once, the right one among them", async () => {
    await reopenWithFullHashing();
    const guesses = Array.from({ length: 16 }, (_, i) => statusOf(basic("alva", i === 15 ? "right" : `guess ${i}`)));
    const statuses = await Promise.all(guesses);
    // In whatever order they are judged: no more than ten are told to be wrong, then nothing is told.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(429);
    expect(await statusOf(basic("alva", "right"))).toBe(429);
  });

  test("does not get around it by what the server remembers of the user's own login", async () => {
    expect(await statusOf(basic("alva", "right"), { from: "198.51.100.7" })).toBe(200);
    await fail(10);
    expect(await statusOf(basic("alva", "right"))).toBe(429);
  });

  test.each([
    ["unknown names", (i: number) => `nobody-${i}`],
    ["aliases", (i: number) => (i % 2 === 0 ? "alva@example.org" : "bo@example.org")],
    ["ids of access keys", (i: number) => `KN${"ABCDEFGHIJ"[i]}AAAAAAAAAAAAAAAAA`],
    ["very long names", (i: number) => `${"x".repeat(5000)}${i}`],
  ])("is found out when it tries %s", async (_, nameOf) => {
    for (let i = 0; i < 10; i++) expect(await statusOf(basic(nameOf(i), "guess"))).toBe(401);
    expect(await statusOf(basic("alva", "right"))).toBe(429);
  });

  test("can still use a token and an access key that is known there", async () => {
    const token = await (await ask(basic("alva", "right"), { request: "GET /token" })).text();
    const held = token.replace(/^.*<token>(.*)<\/token>.*$/s, "$1");
    await fail(10, "bo");
    expect(await statusOf(`token ${held}`)).toBe(200);
  });

  test("is not held up when the property is 0, and sooner when it is less", async () => {
    const put = (value: string) => act("PUT /configuration/properties", { key: "loginFailuresPerMinute", value });
    await put("0");
    await fail(15);
    expect(await statusOf(basic("alva", "right"))).toBe(200);
    await put("2");
    await fail(2, "bo", "198.51.100.7");
    const refused = await ask(basic("bo", "right"), { from: "198.51.100.7" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  });
});

describe("PUT /user/{user}/validate", () => {
  const app = basic("app", "right");
  const validate = (body: string, name = "alva") => ask(app, { request: `PUT /user/${name}/validate`, body });

  test("succeeds by the password, and its flow goes on with RunAs [spec: validate] [spec: run-as-flow]", async () => {
    const answer = await validate("right");
    expect([answer.status, await answer.text()]).toEqual([200, "OK"]);
    const headers = { authorization: app, RunAs: "alva" };
    const later = await kinora.fetch("/API/whoami", { headers });
    expect([later.status, await later.text()]).toEqual([200, "alva"]);
  });

  test("counts towards the lockout, together with logins from there", async () => {
    for (let i = 0; i < 5; i++) expect((await validate(`guess ${i}`)).status).toBe(403);
    await fail(5);
    const refused = await validate("right");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "6"]);
    expect(await statusOf(basic("alva", "right"))).toBe(429);
    // Who asks is not who is asked about.
    expect(await statusOf(app)).toBe(200);
  });

  test("does not tell a right guess among a burst of them", async () => {
    await reopenWithFullHashing();
    // Who asks is known, so that only the guesses are computed.
    expect(await statusOf(app)).toBe(200);
    const guesses = Array.from({ length: 16 }, (_, i) => validate(i === 15 ? "right" : `guess ${i}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(429);
    expect((await validate("right")).status).toBe(429);
  });

  test("tells unknown, disabled and wrong apart in nothing but the request id", async () => {
    await act("POST /user", { userName: "off", password: "right", disabled: true });
    await act("POST /user", { userName: "bare" });
    const bodies = new Set<string>();
    for (const [name, body] of [
      ["alva", "wrong"],
      ["nobody", "right"],
      ["off", "right"],
      ["bare", ""],
    ]) {
      const answer = await validate(body ?? "", name);
      expect(answer.status).toBe(403);
      bodies.add(await answer.text());
    }
    expect(bodies.size).toBe(1);
  });
});

test("unknown, disabled and wrong are answered with the same bytes and headers [spec: error-401] [spec: rejected-by-all]", async () => {
  await act("POST /user", { userName: "off", password: "right", disabled: true });
  await act("POST /user", { userName: "bare" });
  const answers = new Set<string>();
  for (const [name, password] of [
    ["alva", "wrong"],
    ["nobody", "right"],
    ["off", "right"],
    ["off", "wrong"],
    ["bare", ""],
    ["", ""],
    ["KNAAAAAAAAAAAAAAAAAA", "right"],
    ["alva", "right\u00e9"],
  ] as const) {
    for (const accept of ["application/xml", "application/json", "text/plain"]) {
      const answer = await kinora.fetch("/API/whoami", { headers: { authorization: basic(name, password), accept } });
      expect(answer.status).toBe(401);
      const headers = [...answer.headers].filter(([header]) => header !== "x-request-id");
      answers.add(`${accept} ${JSON.stringify(headers)} ${await answer.text()}`);
      kinora.advance(6000);
    }
  }
  expect(answers.size).toBe(3);
});
