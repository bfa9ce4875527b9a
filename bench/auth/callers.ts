import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign as signBytes } from "node:crypto";
import { createClient } from "@libsql/client";
import type { BenchServer } from "./servers.ts";
import { adminPassword } from "./servers.ts";

/** Enough that none of them is in a cache of ten thousand when its turn comes again. */
export const manyCallers = 12_000;
const tenYears = 315_360_000_000;

export const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`;
export const asAdmin = basic("admin", adminPassword);

/** The keys of an issuer of bearer tokens. */
export interface Issuer {
  readonly algorithm: "RS256" | "ES256";
  readonly privateKey: KeyObject;
  /** As `security.ini` takes it. */
  readonly publicKey: string;
}

export function makeIssuer(algorithm: Issuer["algorithm"]): Issuer {
  const { privateKey, publicKey } =
    algorithm === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { algorithm, privateKey, publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64") };
}

/** Bearer tokens for `admin`, each another one. */
export function bearerTokens({ algorithm, privateKey }: Issuer, count: number): readonly string[] {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = part({ alg: algorithm, typ: "JWT" });
  return Array.from({ length: count }, (_, jti) => {
    const claims = { iss: "https://issuer.example.org", sub: "admin", aud: "kinora", iat: now, exp: now + 86_400, jti };
    const input = `${header}.${part(claims)}`;
    const signature = signBytes("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    return `Bearer ${input}.${signature.toString("base64url")}`;
  });
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What is written into a server's database so that many callers can come: tokens, access keys and users. */
export interface ManyCallers {
  readonly tokens: readonly string[];
  readonly keys: readonly string[];
  readonly users: readonly string[];
}

/** Gives `admin` many tokens and keys, and makes a user for each password hash, all with the same password. */
export async function addCallers(
  server: BenchServer,
  hashes: readonly string[],
  password: string,
): Promise<ManyCallers> {
  const tokens = Array.from({ length: manyCallers }, () => randomBytes(32).toString("base64url"));
  const keys = Array.from({ length: manyCallers }, (_, i) => ({
    id: `KN${i
      .toString()
      .padStart(18, "A")
      .replace(/\d/g, (digit) => "ABCDEFGHIJ"[Number(digit)] ?? "A")}`,
    secret: randomBytes(30).toString("base64"),
  }));
  const users = hashes.map((hash, i) => ({ name: `cold-${i}`, hash }));
  const admin = "(select id from user where name = 'admin')";
  const now = Date.now();
  const client = createClient({ url: `file:${server.databaseFile}`, timeout: 10_000 });
  await client.batch(
    [
      {
        sql: `insert into token (hash, user_id, seconds, auto_refresh, refreshed, expires)
          select value, ${admin}, 600, 0, ?, ? from json_each(?)`,
        args: [now, now + tenYears, JSON.stringify(tokens.map(sha256))],
      },
      {
        sql: `insert into access_key (id, user_id, secret_hash, status, created)
          select value ->> 0, ${admin}, value ->> 1, 'ACTIVE', ? from json_each(?)`,
        args: [now, JSON.stringify(keys.map(({ id, secret }) => [id, sha256(secret)]))],
      },
      {
        sql: "insert into user (name, password, created) select value ->> 0, value ->> 1, ? from json_each(?)",
        args: [now, JSON.stringify(users.map(({ name, hash }) => [name, hash]))],
      },
    ],
    "write",
  );
  client.close();
  return {
    tokens: tokens.map((token) => `token ${token}`),
    keys: keys.map(({ id, secret }) => basic(id, secret)),
    users: users.map(({ name }) => basic(name, password)),
  };
}
