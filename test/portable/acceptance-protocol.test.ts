import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminPassword, basic, type Fetcher, startService, type TestService } from "./harness.ts";

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
  const headers = { "content-type": "application/json" };
  await kinora.admin("/API/user", {
    method: "POST",
    headers,
    body: JSON.stringify({ userName: "eve", password: "x" }),
  });
});
afterAll(() => kinora.close());
// The lockout counts the failures of a minute; these tests are about other answers.
beforeEach(() => kinora.advance(60_000));

const json = { "content-type": "application/json" };
const put = (body: string, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "PUT",
  headers: { ...json, ...headers },
  body,
});

/** One request for each kind of error, with the child of the error document. */
const errors: readonly (readonly [status: number, what: string, child: string, send: () => Promise<Response>])[] = [];
function error(status: number, what: string, child: string, path: string, init: RequestInit = {}, as?: () => Fetcher) {
  const sender = as ?? (() => kinora.admin);
  const send = (accept?: string) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(accept === undefined ? {} : { accept }) };
    return sender()(path, { ...init, headers });
  };
  (errors as unknown[]).push([status, what, child, send]);
}
const nobody = () => kinora.fetch;
const eve = () => kinora.as("eve", "x");
error(400, "a parameter", "invalidInput", "/API/user?number=x");
error(400, "a path", "invalidInput", "/API/x/../user");
error(401, "no credentials", "notAuthorized", "/API/version", {}, nobody);
error(401, "wrong credentials", "notAuthorized", "/API/version", {}, () => kinora.as("admin", "wrong"));
error(403, "a missing role", "forbidden", "/API/user", {}, eve);
error(404, "a path that there is not", "notFound", "/API/no-such-thing");
error(404, "an entity", "notFound", "/API/user/nobody");
error(405, "a method", "invalidInput", "/API/version", { method: "DELETE" });
error(409, "a name that is taken", "conflict", "/API/user", {
  method: "POST",
  headers: json,
  body: '{"userName":"eve","password":"y"}',
});
error(412, "a version that has passed", "conflict", "/API/user/eve", put('{"realName":"E"}', { "if-match": '"old"' }));
error(415, "a body of another type", "invalidInput", "/API/user", {
  method: "POST",
  headers: { "content-type": "text/csv" },
  body: "eve,x",
});

const forms = [
  ["no Accept", undefined, "application/xml"],
  ["*/*", "*/*", "application/xml"],
  ["XML", "application/xml", "application/xml"],
  ["the other XML", "text/xml", "text/xml"],
  ["JSON", "application/json", "application/json"],
  ["text", "text/plain, */*;q=0.1", "text/plain; charset=utf-8"],
  ["a problem document", "application/problem+json, */*;q=0.5", "application/problem+json"],
  ["a browser's list", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"],
  ["JSON before XML", "application/xml;q=0.5, application/json", "application/json"],
] as const;

describe.each(errors)("%i for %s", (status, _, child, send) => {
  test.each(forms)("is told to a client that asks for %s [spec: error-401]", async (_form, accept, type) => {
    const answer = await (send as (accept?: string) => Promise<Response>)(accept);
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, type]);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]+$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("www-authenticate")).toBe(status === 401);
    expect(answer.headers.has("allow")).toBe(status === 405);
    expect(text).not.toMatch(/\bat .*\.ts|node_modules|select |kinora\.db| Error: /i);
    if (type === "application/problem+json") {
      expect(JSON.parse(text)).toMatchObject({ status, type: expect.stringMatching(/^urn:kinora:error:/) });
    } else if (type === "application/json") {
      const document = JSON.parse(text);
      expect(Object.keys(document)).toHaveLength(9);
      expect(Object.entries(document).filter(([, value]) => value !== null)).toEqual([[child, expect.anything()]]);
    } else if (type.endsWith("xml")) {
      expect(text).toMatch(new RegExp(`<ExceptionDocument xmlns="[^"]+"><${child}[ />]`));
    } else {
      expect(text).toMatch(new RegExp(`^${status} .+\r\n`));
    }
  });

  test("is told by its headers alone to HEAD and in full to GET, with an id of its own", async () => {
    const ids = await Promise.all(
      [send(), send(), send()].map(async (sent) => (await sent).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe("who asks for a form that there is not", () => {
  test.each([
    ["/API/whoami", "application/xml"],
    ["/API/version", "image/png"],
    ["/API/version", "application/xml;q=0"],
    ["/API/user", "text/html"],
    ["/API/user/eve", "application/vnd.custom+json"],
  ])("of %s as %s is told 406 and what there is", async (path, accept) => {
    const answer = await kinora.admin(path, { headers: { accept } });
    expect(answer.status).toBe(406);
    expect(await answer.text()).toMatch(/is offered as (?:text\/plain|application\/xml)/);
  });
});

describe("a method that there is not", () => {
  test.each([
    ["/API/version", "PUT", "GET, HEAD, OPTIONS"],
    ["/API/whoami", "PATCH", "GET, HEAD, OPTIONS"],
    ["/API/user", "DELETE", "GET, HEAD, OPTIONS, POST, PUT"],
    ["/API/user/eve/enable", "GET", "OPTIONS, PUT"],
    ["/API/user/eve", "PROPFIND", "DELETE, GET, HEAD, OPTIONS, PUT"],
  ])("on %s: %s is told which there are", async (path, method, allow) => {
    const answer = await kinora.admin(path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    const options = await kinora.admin(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
  });

  test("is not told to who may not ask", async () => {
    expect((await kinora.fetch("/API/version", { method: "PUT" })).status).toBe(401);
    expect((await kinora.fetch("/API/version", { method: "OPTIONS" })).status).toBe(401);
  });
});

describe("HEAD", () => {
  const paths = ["/API/whoami", "/API/version", "/API/schema.xsd", "/API/user/eve", "/API/user/nobody", "/API/nothing"];
  test.each([...paths, "/livez", "/readyz", "/API/x/../y", "/API/user?number=x"])(
    "of %s has the status and the headers of GET and no body",
    async (path) => {
      const [head, get] = await Promise.all([kinora.admin(path, { method: "HEAD" }), kinora.admin(path)]);
      const told = ({ status, headers }: Response) => [status, headers.get("content-type"), headers.get("etag")];
      expect(told(head)).toEqual(told(get));
      expect(await head.text()).toBe("");
      expect(await get.text()).not.toBe("");
    },
  );

  test("without credentials has the challenge and no body", async () => {
    const head = await kinora.fetch("/API/version", { method: "HEAD" });
    expect(head.status).toBe(401);
    expect(head.headers.get("www-authenticate")).toBe('Basic realm="serviceRealm"');
    expect(await head.text()).toBe("");
  });
});

describe("request ids", () => {
  test("every answer has one that no other has, and none that a client made up", async () => {
    const sent = await Promise.all([
      ...["/livez", "/readyz", "/APInoauth/is-online", "/API/whoami", "/API/../x"].map((path) => kinora.fetch(path)),
      ...["/API/whoami", "/API/version", "/API/schema.xsd", "/API/nothing"].map((path) => kinora.admin(path)),
      kinora.admin("/API/whoami", { method: "OPTIONS" }),
      kinora.admin("/API/whoami", { method: "HEAD" }),
      kinora.admin("/API/user/eve/enable", { method: "PUT" }),
      kinora.admin("/API/whoami", { headers: { "x-request-id": "mine" } }),
      kinora.fetch("/API/whoami", { headers: { "x-request-id": "mine" } }),
    ]);
    const ids = sent.map((answer) => answer.headers.get("x-request-id") ?? "");
    expect(ids.every((id) => /^[\w-]{8,64}$/.test(id))).toBe(true);
    expect(ids).not.toContain("mine");
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("entity tags", () => {
  const read = (headers: Record<string, string> = {}) => kinora.admin("/API/user/eve", { headers });

  test("an entity that has not changed is not sent again", async () => {
    const first = await read();
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const known of [tag, "*", `W/${tag}`, `"other", ${tag}`]) {
      const again = await read({ "if-none-match": known });
      expect([known, again.status, await again.text(), again.headers.get("etag")]).toEqual([known, 304, "", tag]);
    }
    expect((await read({ "if-none-match": '"other"' })).status).toBe(200);
    expect((await read({ "if-none-match": tag.slice(1, -1) })).status).toBe(200);
  });

  test("each form has its own, and one that is not the client's is not taken for it", async () => {
    const xml = (await read()).headers.get("etag") ?? "";
    const answer = await read({ accept: "application/json", "if-none-match": xml });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).not.toBe(xml);
    expect(answer.headers.get("vary")?.toLowerCase()).toContain("accept");
  });

  test("a change of what is no longer so is refused, and nothing is changed", async () => {
    const tag = (await read()).headers.get("etag") ?? "";
    const change = (realName: string, match: string) =>
      kinora.admin("/API/user/eve", put(JSON.stringify({ userName: "eve", realName }), { "if-match": match }));
    expect((await change("First", tag)).status).toBe(200);
    expect((await change("Second", tag)).status).toBe(412);
    expect(await (await read({ accept: "application/json" })).json()).toMatchObject({ realName: "First" });
    const now = (await read({ accept: "application/json" })).headers.get("etag") ?? "";
    expect((await change("Third", now)).status).toBe(200);
    expect((await change("Fourth", "*")).status).toBe(200);
    expect(await (await read({ accept: "application/json" })).json()).toMatchObject({ realName: "Fourth" });
  });

  test("If-Match: * refuses to make what is not there", async () => {
    const init = put('{"userName":"new","password":"x"}', { "if-match": "*" });
    expect((await kinora.admin("/API/user/new", init)).status).toBe(412);
    expect((await kinora.admin("/API/user/new")).status).toBe(404);
  });
});

describe("documents in their forms", () => {
  const get = async (path: string, accept: string) => {
    const answer = await kinora.admin(path, { headers: { accept } });
    return [answer.status, answer.headers.get("content-type"), await answer.text()] as const;
  };

  test("the version [spec: version] [spec: version-reported]", async () => {
    const [, type, xml] = await get("/API/version", "application/xml");
    expect(type).toBe("application/xml");
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8" standalone="yes"\?><VersionDocument xmlns="urn:kinora/,
    );
    const [, , text] = await get("/API/version", "application/json");
    expect(JSON.parse(text)).toMatchObject({
      component: [
        { name: "API", version: "24.1.0" },
        { name: "Kinora", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      ],
      licenseInfo: { licenseStatus: "valid" },
    });
    expect(await get("/API/version", "text/plain")).toEqual([
      200,
      "text/plain; charset=utf-8",
      expect.stringMatching(/^API\t24\.1\.0\r\nKinora\t\d+\.\d+\.\d+\S*\r\n$/),
    ]);
  });

  test("the caller's name is text alone [spec: whoami]", async () => {
    expect(await get("/API/whoami", "*/*")).toEqual([200, "text/plain; charset=utf-8", "admin"]);
    expect(await get("/whoami", "text/plain")).toEqual([200, "text/plain; charset=utf-8", "admin"]);
    expect(await get("/whoami/", "text/*;q=0.1")).toEqual([200, "text/plain; charset=utf-8", "admin"]);
  });

  test("the schema names every document", async () => {
    const [status, type, schema] = await get("/API/schema.xsd", "*/*");
    expect([status, type]).toEqual([200, "application/xml"]);
    for (const name of ["UserDocument", "VersionDocument", "ExceptionDocument", "AccessKeyDocument"]) {
      expect(schema).toContain(`<xs:element name="${name}"`);
    }
  });

  test("a client that insists on the reference's namespace gets it", async () => {
    const namespace = "http://xml.vidispine.com/schema/vidispine";
    const other = await startService({ settings: { schemaNamespace: namespace } });
    try {
      expect(await (await other.admin("/API/version")).text()).toContain(`<VersionDocument xmlns="${namespace}">`);
      expect(await (await other.fetch("/API/version")).text()).toContain(`<ExceptionDocument xmlns="${namespace}">`);
      expect(await (await other.admin("/API/schema.xsd")).text()).toContain(`targetNamespace="${namespace}"`);
    } finally {
      await other.close();
    }
  });
});

describe("parameters", () => {
  const names = async (path: string) => {
    const answer = await kinora.admin(path, { headers: { accept: "application/json" } });
    const { user = [] } = (await answer.json()) as { user?: { userName: string }[] };
    return user.map(({ userName }) => userName);
  };

  test("are taken from the query and from matrix parameters of any segment", async () => {
    expect(await names("/API/user?number=1")).toHaveLength(1);
    expect(await names("/API/user;number=1")).toHaveLength(1);
    expect(await names("/API;number=1/user/")).toHaveLength(1);
    expect(await names("/API/user;number=1?number=2")).toHaveLength(2);
    expect(await names("/API/user?name=eve")).toEqual(["eve"]);
    expect(await names("/API/user?name=eve,admin")).toHaveLength(2);
    expect(await names("/API/user?name=eve&name=admin")).toHaveLength(2);
    expect(await names("/API/user?name=%65ve")).toEqual(["eve"]);
  });

  test.each([
    ["number=x", "number", '"x"'],
    ["number=-1", "number", '"-1"'],
    ["number=99999999999999999999", "number", "99999999999999999999"],
    ["number=10001", "number", "10001"],
    ["number=", "number", '""'],
    ["disabled=maybe", "disabled", "maybe"],
    ["name=%00", "name", "character"],
  ])("%s is refused with the name and what is wrong", async (query, name, wrong) => {
    const answer = await kinora.admin(`/API/user?${query}`, { headers: { accept: "application/json" } });
    expect(answer.status).toBe(400);
    const { invalidInput } = (await answer.json()) as { invalidInput: Record<string, string> };
    expect(invalidInput).toMatchObject({ context: name, explanation: expect.stringContaining(wrong) });
  });

  test.each(["%", "%zz", "a=%ff", "a=%c3", "%00=1"])("the query ?%s fails nothing but itself", async (query) => {
    expect((await kinora.admin(`/API/user?${query}`)).status).toEqual(expect.toBeOneOf([200, 400]));
    expect((await kinora.fetch(`/API/user?${query}`)).status).toBe(401);
  });
});

describe("credentials [spec: basic]", () => {
  test.each([
    ["as they are", basic("admin", adminPassword), 200],
    ["behind basic in small letters", basic("admin", adminPassword).replace("Basic", "basic"), 200],
    ["without padding", basic("admin", adminPassword).replace(/=+$/, ""), 200],
    ["with an empty password", basic("admin", ""), 401],
    ["with an empty name", basic("", adminPassword), 401],
    ["without a colon", `Basic ${btoa("admin")}`, 401],
    ["that are no Base64", "Basic ***", 401],
    ["in Base64 of URLs", "Basic __--", 401],
    ["that are not UTF-8", `Basic ${btoa("admin:\xff\xfe")}`, 401],
    ["with a NUL", `Basic ${btoa(`admin\0:${adminPassword}`)}`, 401],
    ["with a word behind", `${basic("admin", adminPassword)} x`, 401],
    ["without any payload", "Basic", 401],
    ["glued to the scheme", basic("admin", adminPassword).replace(" ", ""), 401],
    ["of a scheme that begins alike", basic("admin", adminPassword).replace("Basic", "BasicX"), 401],
    ["of 64 kB", `Basic ${btoa("x".repeat(48_000))}`, 401],
  ])("%s", async (_, authorization, status) => {
    expect((await kinora.fetch("/API/whoami", { headers: { authorization } })).status).toBe(status);
  });
});
