import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic } from "./harness.ts";
import { runsHere } from "./runs-here.ts";
import { type Entrance, openEntrance } from "./ways-in.ts";

let kinora: Entrance;
beforeAll(async () => {
  kinora = await openEntrance();
});
afterAll(() => kinora.close());

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}
async function newKey(userName: string): Promise<Key> {
  const { id, secret } = (await (await kinora.do(`POST /user/${userName}/key/`)).json()) as Omit<Key, "path">;
  return { id, secret, path: `/user/${userName}/key/${id}` };
}
const asAdmin = (accept: string) => (request: string, body?: string) => {
  const [method = "GET", path = "/"] = request.split(" ");
  const type = body?.startsWith("<") ? "application/xml" : "application/json";
  const headers = { accept, "content-type": type };
  return kinora.admin(`/API${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
};
const inJson = asAdmin("application/json");
const inXml = asAdmin("application/xml");

describe("an access key", () => {
  test("is shown once with its secret, as XML and as JSON [spec: create-access-key] [spec: access-key-document] [spec: access-key-created]", async () => {
    const userName = await kinora.user();
    const xml = await (await inXml(`POST /user/${userName}/key/?name=Ingest`)).text();
    const [, id = "", name, secret = "", status, created = ""] =
      /<AccessKeyDocument xmlns="[^"]+"><id>(.*)<\/id><name>(.*)<\/name><secret>(.*)<\/secret><status>(.*)<\/status><created>(.*)<\/created><\/AccessKeyDocument>/.exec(
        xml,
      ) ?? [];
    expect({ name, status }).toEqual({ name: "Ingest", status: "ACTIVE" });
    expect(id).toMatch(/^KN[A-Z2-7]{18}$/);
    expect(atob(secret)).toHaveLength(30);
    expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(new Date(created).getTime()).toBe(kinora.now());
    expect(await (await inJson(`POST /user/${userName}/key`)).json()).toMatchObject({ status: "ACTIVE" });
    expect(await kinora.whoami(basic(id, secret))).toBe(userName);
  });

  test("never shows its secret again [spec: access-key-secret-once]", async () => {
    const userName = await kinora.user();
    const { secret, path } = await newKey(userName);
    const status = (word: string) => JSON.stringify({ status: word });
    for (const [send, request, body] of [
      [inJson, `GET /user/${userName}/key`],
      [inXml, `GET /user/${userName}/key`],
      [inJson, `GET ${path}`],
      [inXml, `GET ${path}`],
      [inJson, `PUT ${path}`, status("INACTIVE")],
      [inXml, `PUT ${path}`, `<AccessKeyDocument><status>ACTIVE</status><name>n</name></AccessKeyDocument>`],
      [inJson, "GET /log?rows=1000"],
      [inJson, `DELETE ${path}`],
    ] as const) {
      const answer = await send(request, body);
      expect(answer.status, request).toBe(200);
      expect(await answer.text(), request).not.toMatch(/secret/i);
    }
    expect(JSON.stringify(await (await inJson("GET /log?rows=1000")).json())).not.toContain(secret);
  });

  test("is one of several that work side by side and do not expire [spec: access-keys-several]", async () => {
    const userName = await kinora.user();
    const keys = await Promise.all([newKey(userName), newKey(userName), newKey(userName)]);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(3);
    const ask = () => Promise.all(keys.map(({ id, secret }) => kinora.whoami(basic(id, secret))));
    expect(await ask()).toEqual([userName, userName, userName]);
    kinora.advance(20 * 365 * 86_400_000);
    expect(await ask()).toEqual([userName, userName, userName]);
    const [first, second] = keys;
    expect(await kinora.whoami(basic(first?.id ?? "", second?.secret ?? ""))).toBe("401");
    await kinora.do(`DELETE ${first?.path}`);
    expect(await ask()).toEqual(["401", userName, userName]);
  });

  test("makes the token that GET /token gives, for a name the caller need not know [spec: get-token]", async () => {
    const userName = await kinora.user();
    const { id, secret } = await newKey(userName);
    const headers = { authorization: basic(id, secret), accept: "application/json" };
    const answer = (await (await kinora.fetch("/API/token", { headers })).json()) as Record<string, string>;
    expect(answer.user).toBe(userName);
    expect(await kinora.whoami(`token ${answer.token}`)).toBe(userName);
  });

  // The table of states: ACTIVE by creation and by PUT, disabled by PUT, permanently disabled by DELETE from any state.
  type Step = "enable" | "disable" | "rename" | "delete" | "wait";
  const requests: Readonly<Record<Exclude<Step, "wait">, readonly [method: string, body?: string]>> = {
    enable: ["PUT", '{"status":"ACTIVE"}'],
    disable: ["PUT", '{"status":"INACTIVE"}'],
    rename: ["PUT", '{"name":"renamed"}'],
    delete: ["DELETE"],
  };
  const nextState = (state: string, step: Step): string => {
    if (state === "deleted" || step === "delete") return "deleted";
    return step === "enable" ? "ACTIVE" : step === "disable" ? "INACTIVE" : state;
  };

  test("authenticates exactly while it is ACTIVE, whatever was done before [spec: access-key-disable] [spec: access-key-delete]", async () => {
    const userName = await kinora.user();
    const steps = fc.array(fc.constantFrom<Step>("enable", "disable", "rename", "delete", "wait"), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { id, secret, path } = await newKey(userName);
        let state = "ACTIVE";
        for (const step of sequence) {
          if (step === "wait") kinora.advance(61_000);
          else {
            const [method, body] = requests[step];
            const answer = await inJson(`${method} ${path}`, body);
            expect(answer.status, step).toBe(state === "deleted" ? 404 : 200);
          }
          state = nextState(state, step);
          expect(await kinora.whoami(basic(id, secret)), step).toBe(state === "ACTIVE" ? userName : "401");
          const shown = await inJson(`GET ${path}`);
          const document = (await shown.json()) as { readonly status?: string };
          expect(shown.status === 404 ? "deleted" : document.status).toBe(state);
        }
        if (state !== "deleted") await kinora.do(`DELETE ${path}`);
      }),
      { numRuns: runsHere(25) },
    );
  });

  test.each([
    ["another state", '{"status":"DELETED"}', 400],
    ["a state in lower case", '{"status":"inactive"}', 400],
    ["an empty state", '{"status":""}', 400],
    ["a misspelt element", '{"state":"INACTIVE"}', 400],
    ["a name with a control character", '{"name":"a\\u0000"}', 400],
    ["nothing at all", "{}", 200],
    ["another id and secret, which are not its to set", '{"id":"KNAAAAAAAAAAAAAAAAAA","secret":"x"}', 200],
  ])("is put with %s: %s is %i", async (_, body, status) => {
    const userName = await kinora.user();
    const { id, secret, path } = await newKey(userName);
    expect((await inJson(`PUT ${path}`, body)).status).toBe(status);
    expect(await kinora.whoami(basic(id, secret))).toBe(userName);
  });

  test("does not let in under the name of a user that is called like it", async () => {
    const userName = await kinora.user();
    const { id, secret } = await newKey(userName);
    await kinora.do(`PUT /user/${id}`);
    // The user of that name has no password: nobody logs in as it, and the key no longer answers to the name.
    expect(await kinora.whoami(basic(id, secret))).toBe("401");
    await kinora.do(`DELETE /user/${id}?hard=true`);
    expect(await kinora.whoami(basic(id, secret))).toBe(userName);
  });
});
