import { describe, expect, test } from "vitest";
import { type ErrorCode, errorTable, KinoraError } from "../../src/errors.ts";
import { serve } from "./http-client.ts";

const notFound = new KinoraError("not-found", { type: "Item", id: "VX-900" });
const invalid = new KinoraError("invalid-input", {
  context: "metadata",
  id: "VX-77",
  explanation: "No such\r\nfield & <more>",
  value: "x",
});

const client = serve((table) => {
  const common = { summary: "Test", role: "authenticated", output: "none" } as const;
  table.get("/not-found", common, () => Promise.reject(notFound));
  table.get("/invalid", common, () => {
    throw invalid;
  });
  table.get("/conflict", common, () => {
    throw new KinoraError("conflict", { id: "ada" });
  });
  table.get("/defect", common, () => {
    throw new TypeError("select * from user");
  });
  table.get("/defect-later", common, async () => {
    throw new TypeError("/srv/kinora/data");
  });
  table.get("/odd", common, () => Promise.reject("a text"));
  table.get("/unavailable", common, () => {
    throw new KinoraError("unavailable", { headers: { "Retry-After": "7" } });
  });
  table.get("/code/{code}", common, ({ params }) => {
    throw new KinoraError(params.code as ErrorCode);
  });
});

const get = (path: string, accept?: string) =>
  client.fetch("GET", path, accept === undefined ? {} : { headers: { accept } });

describe("an error is told in the form that the client accepts", () => {
  const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const unused = {
    notFound: null,
    internalServer: null,
    forbidden: null,
    notYetImplemented: null,
    conflict: null,
    invalidInput: null,
    licenseFault: null,
    fileAlreadyExists: null,
    notAuthorized: null,
  };

  test("in XML: one child, named by the kind", async () => {
    expect(await get("/not-found")).toMatchObject({
      status: 404,
      type: "application/xml",
      text: `${prolog}<ExceptionDocument xmlns="urn:test"><notFound><type>Item</type><id>VX-900</id></notFound></ExceptionDocument>`,
    });
    expect((await get("/invalid")).text).toContain(
      "<invalidInput><context>metadata</context><id>VX-77</id><explanation>No such&#13;\nfield &amp; &lt;more&gt;</explanation><value>x</value></invalidInput>",
    );
  });

  test("in JSON: nine keys in their order, what is not used null", async () => {
    const { text, type } = await get("/not-found", "application/json");
    expect(type).toBe("application/json");
    expect(text).toBe(JSON.stringify({ ...unused, notFound: { type: "Item", id: "VX-900", context: null } }));
    expect((await get("/conflict", "application/json")).text).toBe(
      JSON.stringify({
        ...unused,
        conflict: { context: null, id: "ada", explanation: errorTable.conflict.sentence, value: null },
      }),
    );
  });

  test("in text: a line for the status and for each thing known", async () => {
    const missing = await get("/not-found", "text/plain");
    expect(missing.type).toBe("text/plain; charset=utf-8");
    expect(missing.text).toBe("404 A resource could not be found\r\nType: Item\r\nID: VX-900\r\n");
    expect((await get("/invalid", "text/plain")).text).toBe(
      "400 An invalid parameter was entered\r\nContext: metadata\r\nID: VX-77\r\nReason: No such field & <more>\r\nValue: x\r\n",
    );
  });

  test("as problem details when the client names them", async () => {
    const { text, type, status } = await get("/not-found", "application/json, application/problem+json");
    expect([status, type]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(text)).toEqual({
      type: "urn:kinora:error:not-found",
      title: "A resource could not be found",
      status: 404,
      code: "not-found",
      entityType: "Item",
      id: "VX-900",
      requestId: "request-1",
    });
    expect(JSON.parse((await get("/invalid", "application/problem+json")).text)).toMatchObject({
      detail: "No such\r\nfield & <more>",
      context: "metadata",
      value: "x",
    });
  });

  test.each([
    [undefined, "application/xml"],
    ["*/*", "application/xml"],
    ["image/png", "application/xml"],
    ["text/xml", "text/xml"],
    ["application/problem+json;q=0.1, application/json", "application/json"],
    ["text/html, */*;q=0.1", "application/xml"],
  ])("for Accept %j as %s", async (accept, type) => {
    expect((await get("/not-found", accept)).type).toBe(type);
  });
});

describe("every error of the table", () => {
  test.each(Object.entries(errorTable))("%s has its status and its child", async (code, { status, child }) => {
    const answer = await get(`/code/${code}`, "application/json");
    expect(answer.status).toBe(status);
    const used = Object.entries(JSON.parse(answer.text)).filter(([, value]) => value !== null);
    expect(used.map(([name]) => name)).toEqual([child]);
    expect((await get(`/code/${code}`)).text).toContain(`<${child}`);
    expect((await get(`/code/${code}`, "text/plain")).text).toContain(`${status} `);
  });
});

describe("a defect", () => {
  test.each([
    ["/defect", "select * from user"],
    ["/defect-later", "/srv/kinora/data"],
  ])("%s tells the client nothing but the request's id, and the log everything", async (path, secret) => {
    const told = client.defects.length;
    for (const accept of ["application/xml", "application/json", "text/plain", "application/problem+json"]) {
      const { status, text } = await get(path, accept);
      expect(status).toBe(500);
      expect(text).not.toContain(secret);
      expect(text).toContain("request-1");
    }
    const defects = client.defects.slice(told);
    expect(defects).toHaveLength(4);
    expect(defects[0]).toMatchObject({ requestId: "request-1", method: "GET", path });
    expect(String(defects[0]?.cause)).toContain(secret);
  });

  test("that is no Error is told all the same", async () => {
    expect((await get("/odd")).status).toBe(500);
    expect(client.defects.at(-1)?.cause).toBe("a text");
  });
});

describe("every answer", () => {
  test.each(["/not-found", "/defect", "/nowhere", "/unavailable"])("%s has the request's id", async (path) => {
    expect((await get(path)).headers.get("x-request-id")).toBe("request-1");
  });

  test("has the headers of its error", async () => {
    const answer = await get("/unavailable");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
