// What the tests of assets send and read: requests as clients send them, answers as elements, objects or text.
import { expect } from "vitest";
import { defaultXmlLimits, parseXml } from "../../src/xml/parse.ts";
import type { Fetcher } from "./harness.ts";

/** The namespace in which clients of the reference send their documents. */
export const clientNamespace = "http://xml.vidispine.com/schema/vidispine";

/** One element of an answer. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The root of an XML answer. */
  readonly xml: Element;
  /** The object of a JSON answer. */
  readonly json: Json;
}

/** What a JSON answer holds; tests look into documents of every kind. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
export type Json = any;

export interface Sent {
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One program that uses the service. */
export interface Client {
  /** Sends as told, and adds no header of its own. */
  send(request: string, sent?: Sent): Promise<Answer>;
  /** Accepts XML; a body is sent as XML, and without a body there is no Content-Type. */
  xml(request: string, body?: string): Promise<Answer>;
  /** Accepts JSON; a body is sent as JSON, and without a body there is no Content-Type. */
  json(request: string, body?: object): Promise<Answer>;
  /** Accepts text. */
  text(request: string): Promise<Answer>;
}

/** Of every user that {@link newUser} makes. */
export const userPassword = "a good password";

/** Makes a user with roles. */
export async function newUser(admin: Client, userName: string, roles: readonly string[]): Promise<void> {
  expect((await admin.json("POST /API/user", { userName, password: userPassword })).status).toBe(200);
  for (const role of roles) expect((await admin.json(`PUT /API/group/${role}/user/${userName}`)).status).toBe(200);
}

export function clientOf(fetcher: Fetcher): Client {
  const send: Client["send"] = async (request, { accept, type, body, headers = {} } = {}) => {
    const [method = "GET", path = "/"] = request.split(" ", 2);
    const response = await fetcher(path, {
      method,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...(type === undefined ? {} : { "content-type": type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    });
    return answerOf(response.status, response.headers.get("content-type") ?? "", await response.text());
  };
  const typed = (request: string, type: string, body: string | undefined) =>
    send(request, { accept: type, ...(body === undefined ? {} : { type, body }) });
  return {
    send,
    xml: (request, body) => typed(request, "application/xml", body),
    json: (request, body) => typed(request, "application/json", body === undefined ? undefined : JSON.stringify(body)),
    text: (request) => send(request, { accept: "text/plain" }),
  };
}

function answerOf(status: number, type: string, text: string): Answer {
  return {
    status,
    type,
    text,
    get xml() {
      return elementOf(text);
    },
    get json() {
      return JSON.parse(text) as Json;
    },
  };
}

/** Reads a document into elements, without their prefixes. */
export function elementOf(text: string): Element {
  type Growing = { name: string; attributes: Record<string, string>; children: Growing[]; text: string };
  const top: Growing = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  parseXml(text, defaultXmlLimits, {
    open(name, _uri, attributes) {
      const pairs = attributes.map((one) => [one.local, one.value]);
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text(part) {
      const element = open.at(-1);
      if (element !== undefined) element.text += part;
    },
    close() {
      open.pop();
    },
  });
  const root = top.children[0];
  if (root === undefined) throw new Error(`No document: ${text}`);
  return root;
}

/** The children of this name. */
export function childrenOf(element: Element, name: string): readonly Element[] {
  return element.children.filter((child) => child.name === name);
}

/** The text at a path of names: the first of each. */
export function textAt(element: Element, ...names: readonly string[]): string | undefined {
  let at: Element | undefined = element;
  for (const name of names) at = at?.children.find((child) => child.name === name);
  return at?.text;
}

/** The different names of the children, in the order of their first. */
export function namesIn(element: Element): readonly string[] {
  return [...new Set(element.children.map((child) => child.name))];
}

/** A document of a client of the reference. */
export function document(root: string, inner: string): string {
  return `<${root} xmlns="${clientNamespace}">${inner}</${root}>`;
}

/** A metadata document of untimed fields. */
export function metadataXml(fields: Readonly<Record<string, string>>): string {
  const inner = Object.entries(fields)
    .map(([name, value]) => `<field><name>${name}</name><value>${value}</value></field>`)
    .join("");
  return document("MetadataDocument", `<timespan start="-INF" end="+INF">${inner}</timespan>`);
}

/** The same in JSON. A number stays a number, as some clients send it. */
export function metadataJson(fields: Readonly<Record<string, string | number | readonly string[]>>): object {
  return {
    timespan: [
      {
        start: "-INF",
        end: "+INF",
        field: Object.entries(fields).map(([name, value]) => ({
          name,
          value: (Array.isArray(value) ? value : [value]).map((one) => ({ value: one })),
        })),
      },
    ],
  };
}

/** The untimed values of a field in the metadata of a JSON answer. */
export function valuesOf(metadata: Json, name: string): readonly string[] {
  for (const span of metadata.timespan ?? []) {
    if (span.start !== "-INF" || span.end !== "+INF") continue;
    const field = (span.field ?? []).find((one: Json) => one.name === name);
    if (field !== undefined) return (field.value ?? []).map((one: Json) => one.value);
  }
  return [];
}

/** The untimed values of a field in the metadata of an XML answer. */
export function xmlValuesOf(metadata: Element, name: string): readonly string[] {
  for (const span of childrenOf(metadata, "timespan")) {
    if (span.attributes.start !== "-INF" || span.attributes.end !== "+INF") continue;
    const field = childrenOf(span, "field").find((one) => textAt(one, "name") === name);
    if (field !== undefined) return childrenOf(field, "value").map((value) => value.text);
  }
  return [];
}
