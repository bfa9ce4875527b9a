/**
 * `npm run bench:login-timing`: whether the time of a refusal tells why it was refused. Logins of several kinds, in random
 * order through the whole service, each compared with a wrong password by the Mann-Whitney test. |z| under 4 means that
 * so many samples cannot tell them apart.
 *
 * Option: `--samples 500` of each kind.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createService } from "../src/mod.ts";

const { values } = parseArgs({ options: { samples: { type: "string", default: "500" } } });
const samples = Number(values.samples);

const folder = mkdtempSync(join(tmpdir(), "kinora-timing-"));
const service = await createService({
  databaseUrl: `file:${join(folder, "kinora.db")}`,
  adminPassword: "right",
  extDir: "no-such-folder",
});

/** Without an address nothing counts towards the lockout. */
async function send(authorization: string, path = "/whoami", document?: object): Promise<number> {
  const headers = { authorization, "content-type": "application/json" };
  const more = document === undefined ? {} : { method: "POST", body: JSON.stringify(document) };
  const answer = await service.fetch(new Request(`http://localhost/API${path}`, { headers, ...more }));
  await answer.arrayBuffer();
  return answer.status;
}
const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`;

const users = [
  { userName: "alva", password: "right", alias: ["alva@example.org"] },
  { userName: "off", password: "right", disabled: true },
  { userName: "bare" },
];
for (const user of users) await send(basic("admin", "right"), "/user", user);

const reference = "a wrong password";
const kinds: Readonly<Record<string, (i: number) => string>> = {
  [reference]: (i) => basic("alva", `wrong ${i}`),
  "a wrong password for an alias": (i) => basic("alva@example.org", `wrong ${i}`),
  "an unknown user": (i) => basic(`nobody ${i}`, "right"),
  "a disabled user, right password": () => basic("off", "right"),
  "a disabled user, wrong password": (i) => basic("off", `wrong ${i}`),
  "a user without a password": (i) => basic("bare", `wrong ${i}`),
  "a password over the limit": (i) => basic("alva", `${"x".repeat(2000)}${i}`),
};

const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
for (let i = -20; i < samples; i++) {
  const order = Object.entries(kinds).sort(() => Math.random() - 0.5);
  for (const [kind, authorization] of order) {
    const sent = authorization(i);
    const started = performance.now();
    const status = await send(sent);
    const taken = performance.now() - started;
    if (status !== 401) throw new Error(`${kind}: ${status}`);
    if (i >= 0) times.get(kind)?.push(taken); // the first ones warm up
  }
}
await service.close();
rmSync(folder, { recursive: true });

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** How many standard deviations the ranks of `a` among both are from what chance gives. */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, own: 1 })), ...b.map((value) => ({ value, own: 0 }))];
  all.sort((one, other) => one.value - other.value);
  const ranks = all.reduce((sum, { own }, i) => sum + own * (i + 1), 0);
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return (u - (a.length * b.length) / 2) / deviation;
}

const expected = times.get(reference) ?? [];
console.log(`\n${samples} logins of each kind, in random order, through the service in this process\n`);
console.log("| refused | median ms | middle half ms | median µs beside a wrong password | z |\n|---|---|---|---|---|");
for (const [kind, own] of times) {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(own, share));
  const difference = ((middle ?? 0) - quantile(expected, 0.5)) * 1000;
  const z = kind === reference ? "" : mannWhitney(own, expected).toFixed(1);
  console.log(
    `| ${kind} | ${middle?.toFixed(3)} | ${low?.toFixed(3)}–${high?.toFixed(3)} | ${difference.toFixed(0)} | ${z} |`,
  );
}
