import { describe, expect, test } from "vitest";
import { defineFilter } from "../../src/plugin/mod.ts";
import { differences } from "../conformance/differences.ts";
import { type OracleNotes, oraclePlugins } from "../conformance/oracle.ts";
import cases from "../conformance/shiro-matcher.jsonl?raw";
import { vectors } from "../conformance/vectors.ts";
import { optionalPlugins, securityScene } from "./security-scene.ts";

interface Input {
  readonly ini: string;
  readonly user: string;
  readonly passwords: readonly string[];
}
type Output =
  | { readonly error: true }
  | {
      /** Password, `ok` or the name of what was thrown, and the primary principal. */
      readonly results: readonly (readonly [string, string, string | null])[];
      readonly events?: readonly string[];
    };

/** Logs in with any name and password: Basic has no way to write a name with a colon. */
const directLogin = defineFilter({
  names: ["DirectLogin"],
  create: () => ({
    async handle(exchange) {
      const [userName = "", password = ""] = (exchange.header("x-login") ?? "").split("/").map(decodeURIComponent);
      const { outcome } = await exchange.authenticate({ kind: "password", userName, password });
      return outcome === "accepted" ? "next" : exchange.refuse(401);
    },
  }),
});

interface Observed {
  readonly error: boolean;
  /** The user that each password lets in. */
  readonly users: readonly (string | undefined)[];
  readonly events: readonly string[];
}

async function observe({ ini, user, passwords }: Input): Promise<Observed> {
  const notes: OracleNotes = { events: [], beans: new Map() };
  const text = `${ini}\n[urls]\n/** = directLogin\n`;
  const plugins = [...optionalPlugins, ...oraclePlugins(notes), { ...directLogin, predefined: "directLogin" }];
  const scene = await securityScene(text, { plugins });
  if (scene.loaded.pipeline === undefined) return { error: true, users: [], events: [] };
  const users: (string | undefined)[] = [];
  for (const password of passwords) {
    const login = `${encodeURIComponent(user)}/${encodeURIComponent(password)}`;
    users.push((await scene.send("/", { headers: [["x-login", login]] })).subject?.userName);
  }
  return { error: false, users, events: notes.events };
}

function expected(out: Output): Observed {
  if ("error" in out) return { error: true, users: [], events: [] };
  const users = out.results.map(([, result, principal]) => (result === "ok" ? (principal ?? undefined) : undefined));
  // What was thrown to a listener has a name in the reference; here a failure is a failure.
  const events = (out.events ?? []).map((event) => event.replace(/^(\w+:failure:[^:]*):.*$/, "$1"));
  return { error: false, users, events };
}

describe("recorded logins", () => {
  test.each(vectors<Input, Output>(cases).map((one) => [one.id, one] as const))("%s", async (id, one) => {
    const observed = await observe(one.in);
    const because = differences[id];
    if (because === undefined) expect(observed).toEqual(expected(one.out));
    else expect(observed, `no difference any more: ${because}`).not.toEqual(expected(one.out));
  });
});
