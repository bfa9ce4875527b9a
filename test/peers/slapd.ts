import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "ldapts";
import { type Authority, createAuthority } from "./certificates.ts";
import { peers } from "./programs.ts";

/** Whether a real LDAP server, and what makes its certificates, is installed. */
export const hasSlapd = peers.slapd !== undefined && peers.openssl !== undefined;

/** A real LDAP server of one test file. */
export interface Slapd {
  /** `ldap://127.0.0.1:PORT`, where StartTLS is offered. */
  readonly url: string;
  readonly port: number;
  /** `ldaps://127.0.0.1:PORT` */
  readonly secureUrl: string;
  readonly securePort: number;
  /** The PEM file of the authority that issued its certificate, which is for 127.0.0.1 and localhost. */
  readonly caFile: string;
  /** The PEM file of another authority. */
  readonly otherCaFile: string;
  /** Kills the server; its data stay. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, on the same ports. */
  restart(): Promise<void>;
  /** Does something as the directory's administrator. */
  asRoot<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Kills the server and removes its data. */
  stop(): Promise<void>;
}

export const suffix = "dc=example,dc=org";
const rootDn = `cn=root,${suffix}`;
const rootPassword = "root of all";

/** Starts a server with the entries of an LDIF text under {@link suffix}, ready when this returns. */
export async function startSlapd(ldif: string, settings: readonly string[] = []): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-slapd-"));
  const authority = await createAuthority(folder, "authority");
  const other = await createAuthority(folder, "other");
  const config = await writeConfig(folder, authority, settings);
  await loadEntries(folder, config, ldif);
  const port = await freePort();
  const securePort = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const secureUrl = `ldaps://127.0.0.1:${securePort}`;
  const start = () => run(config, [`${url}/`, `${secureUrl}/`], port);
  let child = await start();
  const kill = () => ended(child);
  return {
    url,
    port,
    secureUrl,
    securePort,
    caFile: authority.file,
    otherCaFile: other.file,
    kill,
    async restart() {
      child = await start();
    },
    async asRoot(work) {
      const client = new Client({ url });
      try {
        await client.bind(rootDn, rootPassword);
        return await work(client);
      } finally {
        await client.unbind();
      }
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeConfig(folder: string, authority: Authority, settings: readonly string[]): Promise<string> {
  const { certificate, key } = await authority.issue("server", ["IP:127.0.0.1", "DNS:localhost"]);
  const config = join(folder, "slapd.conf");
  await mkdir(join(folder, "data"));
  const schemas = ["core", "cosine", "nis", "inetorgperson"];
  await writeFile(
    config,
    [
      ...schemas.map((name) => `include /etc/ldap/schema/${name}.schema`),
      "modulepath /usr/lib/ldap",
      "moduleload back_mdb",
      `pidfile ${folder}/slapd.pid`,
      `TLSCertificateFile ${certificate}`,
      `TLSCertificateKeyFile ${key}`,
      "database mdb",
      `suffix "${suffix}"`,
      `directory ${folder}/data`,
      "dbnosync",
      `rootdn "${rootDn}"`,
      `rootpw "${rootPassword}"`,
      ...settings,
      "",
    ].join("\n"),
  );
  return config;
}

async function loadEntries(folder: string, config: string, ldif: string): Promise<void> {
  const file = join(folder, "entries.ldif");
  await writeFile(file, ldif);
  const program = peers.slapd ?? "slapd";
  await promisify(execFile)(program, ["-T", "add", "-q", "-f", config, "-b", suffix, "-l", file]);
}

async function run(config: string, urls: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(peers.slapd ?? "slapd", ["-d", "0", "-f", config, "-h", urls.join(" ")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-4096);
  });
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`slapd ended at its start: ${said}`);
    if (await listens(port)) return child;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await exit;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const tell = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket.once("connect", () => tell(true));
    socket.once("error", () => tell(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
