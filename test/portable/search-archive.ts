import { onTestFinished } from "vitest";
import { type Fetcher, type StartOptions, startService, type TestService } from "./harness.ts";

/** An answer with its body as JSON; without a body `undefined`. */
export interface JsonAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly body: any;
  readonly headers: Headers;
}

/** Sends a request as JSON: `PUT /item`. */
export type JsonSender = (request: string, document?: unknown) => Promise<JsonAnswer>;

/** A whole service to search in. */
export interface Archive {
  readonly kinora: TestService;
  /** As an administrator. */
  readonly admin: JsonSender;
  /** Makes a user who has these roles. */
  user(name: string, roles: readonly string[]): Promise<JsonSender>;
  /** Makes an item of untimed fields; answers its identifier. */
  create(fields: Readonly<Record<string, string>>): Promise<string>;
  /** Identifiers of the items that a search finds, in their order. */
  find(query: object, parameters?: string): Promise<readonly string[]>;
}

const json = { accept: "application/json", "content-type": "application/json" };

export function senderOf(fetcher: Fetcher): JsonSender {
  return async (request, document) => {
    const [method = "GET", path = "/"] = request.split(" ", 2);
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const response = await fetcher(`/API${path}`, { method, headers: json, ...body });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
  };
}

export async function openArchive(options: StartOptions = {}): Promise<Archive> {
  const kinora = await startService(options);
  onTestFinished(() => kinora.close());
  const admin = senderOf(kinora.admin);
  return {
    kinora,
    admin,
    async user(name, roles) {
      const password = "secret enough for tests";
      await admin("POST /user", { userName: name, password });
      for (const role of roles) await admin(`PUT /group/${role}/user/${name}`);
      return senderOf(kinora.as(name, password));
    },
    async create(fields) {
      const field = Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] }));
      const made = await admin("POST /import/placeholder", { timespan: [{ start: "-INF", end: "+INF", field }] });
      if (made.status !== 200) throw new Error(`No item was made: ${JSON.stringify(made.body)}`);
      return made.body.id;
    },
    async find(query, parameters = "") {
      const { status, body } = await admin(`PUT /item${parameters}`, query);
      if (status !== 200) throw new Error(`The search was refused: ${JSON.stringify(body)}`);
      return body.item.map(({ id }: { readonly id: string }) => id);
    },
  };
}
