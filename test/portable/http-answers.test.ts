import { describe, expect, test } from "vitest";
import { document, text } from "../../src/documents/declare.ts";
import { mount } from "../../src/http/dispatcher.ts";
import { reply } from "../../src/http/reply.ts";
import { routes } from "../../src/http/route-table.ts";
import { versionRoutes } from "../../src/http/version.ts";
import { caller, serve } from "./http-client.ts";

const NoteDocument = document("NoteDocument", { note: text() });
const common = { summary: "Test", role: "authenticated" } as const;

const client = serve((table) => {
  table.get("/soon", { ...common, output: "text" }, () => "now");
  table.get("/later", { ...common, output: "text" }, async () => "later");
  table.post("/created", { ...common, output: NoteDocument }, () =>
    reply({ note: "x" }, { status: 202, headers: { location: "/note/x" } }),
  );
  table.post("/nothing", { ...common, output: "none" }, async () => undefined);
  table.post("/no-content", { ...common, output: "none" }, () => reply(undefined, { status: 204 }));
  table.get("/bytes", { ...common, output: "bytes" }, () => new Response(new Uint8Array([1, 2])));
  table.get("/redirect", { ...common, output: NoteDocument }, () => Response.redirect("http://kinora.test/x", 303));
  table.get("/about", { ...common, output: "text" }, (request) =>
    JSON.stringify({
      id: request.id,
      path: request.path,
      now: request.now(),
      remoteAddress: request.remoteAddress,
      user: request.subject.userName,
      url: request.url("/item/VX-1"),
      accepts: request.accepts("image/png"),
      agent: request.header("user-agent"),
    }),
  );
});

describe("an answer", () => {
  test("is there at once when the handler needs no time", () => {
    expect(client.send("GET", "/soon")).toBeInstanceOf(Response);
    expect(client.send("GET", "/later")).toBeInstanceOf(Promise);
  });

  test.each([
    ["GET", "/soon", 200, "now", "text/plain; charset=utf-8"],
    ["GET", "/later", 200, "later", "text/plain; charset=utf-8"],
    ["POST", "/nothing", 200, "", null],
    ["POST", "/no-content", 204, "", null],
    ["GET", "/bytes", 200, "\u0001\u0002", null],
  ])("%s %s", async (method, path, status, text, type) => {
    const answer = await client.fetch(method, path);
    expect(answer).toMatchObject({ status, text, type });
    expect(answer.headers.get("x-request-id")).toBe("request-1");
  });

  test("has the status and headers of a reply", async () => {
    const answer = await client.fetch("POST", "/created", { headers: { accept: "application/json" } });
    expect([answer.status, answer.headers.get("location"), answer.text]).toEqual([202, "/note/x", '{"note":"x"}']);
  });

  test("may be a response of the handler's own, whose headers cannot be changed", async () => {
    const answer = await client.fetch("GET", "/redirect");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "http://kinora.test/x"]);
    expect(answer.headers.get("x-request-id")).toBe("request-1");
  });
});

describe("a handler is told", () => {
  const about = async (target: string, options: Parameters<typeof client.fetch>[2] = {}) =>
    JSON.parse((await client.fetch("GET", target, options)).text);

  test("who asks for what, and from where", async () => {
    const headers = { "user-agent": "test", accept: "text/plain, image/*" };
    expect(await about("/API/about;x=1/", { as: caller("ada"), headers })).toEqual({
      id: "request-1",
      path: "/about",
      now: 1_709_633_472_345,
      remoteAddress: "192.0.2.1",
      user: "ada",
      url: "http://kinora.test/API/item/VX-1",
      accepts: true,
      agent: "test",
    });
  });

  test.each([
    ["/API/about", undefined, "http://kinora.test/API/item/VX-1"],
    ["/about", undefined, "http://kinora.test/item/VX-1"],
    ["/about", "https://media.example.org/", "https://media.example.org/item/VX-1"],
    ["/API/about", "https://media.example.org", "https://media.example.org/API/item/VX-1"],
    ["/API/about", "https://example.org/media/API/", "https://example.org/media/API/item/VX-1"],
    ["/about", "https://example.org/media/API", "https://example.org/media/API/item/VX-1"],
  ])("the URL of an entity, for a client of %s with the base %s", async (target, baseUrl, url) => {
    const { fetch } = serve(
      (table) => {
        table.get("/about", { ...common, output: "text" }, (request) => request.url("/item/VX-1"));
      },
      { baseUrl },
    );
    expect((await fetch("GET", target)).text).toBe(url);
  });

  test("in whose name a change is made", async () => {
    const actors: unknown[] = [];
    const { fetch } = serve(
      (table) => {
        table.post("/change", { ...common, output: "none" }, (request) => {
          request.change();
        });
      },
      {
        change: (actor) => {
          actors.push(actor);
          return undefined as never;
        },
      },
    );
    await fetch("POST", "/change", { as: caller("ada") });
    await fetch("POST", "/change", { as: { ...caller("eva"), callerName: "service" } });
    expect(actors).toEqual([
      { userName: "ada", requestId: "request-1" },
      { userName: "service", runAs: "eva", requestId: "request-1" },
    ]);
  });
});

describe("GET /version", () => {
  const { fetch } = serve(versionRoutes({ version: "1.2.3" }));

  test("names the level of the API, and a valid licence", async () => {
    const { text } = await fetch("GET", "/API/version", { headers: { accept: "application/json" } });
    expect(JSON.parse(text)).toEqual({
      component: [
        { name: "API", version: "24.1.0" },
        { name: "Kinora", version: "1.2.3" },
      ],
      licenseInfo: { licenseStatus: "valid" },
    });
  });

  test("as XML and as text", async () => {
    expect((await fetch("GET", "/version")).text).toContain(
      '<VersionDocument xmlns="urn:test"><component><name>API</name><version>24.1.0</version></component>',
    );
    const { text } = await fetch("GET", "/version", { headers: { accept: "text/plain" } });
    expect(text).toBe("API\t24.1.0\r\nKinora\t1.2.3\r\n");
  });

  test("needs a login", async () => {
    expect((await fetch("GET", "/version", { as: null })).status).toBe(401);
  });
});

describe("GET /schema.xsd", () => {
  test("has every document of the routes, and the error document", async () => {
    const { status, text, type } = await client.fetch("GET", "/API/schema.xsd");
    expect([status, type]).toEqual([200, "application/xml"]);
    expect(text).toContain('targetNamespace="urn:test"');
    expect(text).toContain('<xs:element name="NoteDocument" type="NoteType"/>');
    expect(text).toContain('<xs:element name="ExceptionDocument" type="ExceptionType"/>');
    expect(client.dispatcher.documents.map((known) => known.documentName)).toEqual([
      "ExceptionDocument",
      "NoteDocument",
    ]);
  });

  test("cannot have two documents of one name", () => {
    const table = routes();
    table.get("/a", { ...common, output: NoteDocument }, () => ({}));
    table.get("/b", { ...common, output: document("NoteDocument", { other: text() }) }, () => ({}));
    const options = { namespace: "", now: Date.now, change: () => undefined as never, onDefect: () => undefined };
    expect(() => mount([table], options)).toThrow("Two documents are called NoteDocument");
  });
});
