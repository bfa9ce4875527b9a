import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fromRoot } from "../tools/program.ts";
import { basic, kinora, kinoraServe, serveWith, testFolder } from "./cli.ts";
import { rawConnection } from "./raw-http.ts";

const whoami = async (url: string, user: string, password: string) => {
  const answer = await fetch(`${url}/API/whoami`, { headers: basic(user, password) });
  return answer.ok ? answer.text() : answer.status;
};
const generatedPassword = (out: string) => /with the password (\S+)/.exec(out)?.[1] ?? "";

describe("the first start", () => {
  test("makes the database and the user admin, says the password once, and says when it is ready", async () => {
    const cwd = testFolder();
    const first = await kinoraServe([], { cwd });
    const password = generatedPassword(first.said.out);
    expect(first.said.out).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\n$/m);
    expect(await whoami(first.url, "admin", password)).toBe("admin");
    expect(await first.stop()).toBe(0);

    const second = await kinoraServe([], { cwd });
    expect(generatedPassword(second.said.out)).toBe("");
    expect(await whoami(second.url, "admin", password)).toBe("admin");
    expect(`${second.said.out}${second.said.error}`).not.toContain(password);
  });

  test("gives admin the password of KINORA_ADMIN_PASSWORD, which is printed nowhere", async () => {
    const server = await kinoraServe([], { environment: { KINORA_ADMIN_PASSWORD: "s3cret" } });
    expect(await whoami(server.url, "admin", "s3cret")).toBe("admin");
    await server.stop();
    expect(`${server.said.out}${server.said.error}`).not.toContain("s3cret");
  });
});

describe("an instance", () => {
  test("has everything under its root [spec: security-ini-place]", async () => {
    const root = testFolder();
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "kinora.json"), JSON.stringify({ site: "KN", adminPassword: "s3cret" }));
    // The one in the config folder counts, the other one is never read.
    writeFileSync(join(root, "security.ini"), "[main]\nbroken");
    writeFileSync(
      join(root, "config/security.ini"),
      `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
deny = com.service.security.auth.DenyFilter
securityManager.realms = $serviceRealm
[urls]
/API/version = deny
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
    );
    const server = await kinoraServe(["--instance-root", root]);
    expect(await whoami(server.url, "admin", "s3cret")).toBe("admin");
    expect((await fetch(`${server.url}/version`, { headers: basic("admin", "s3cret") })).status).toBe(403);
    await server.stop();
    expect(server.said.error).toContain(`"securityIni":"${root}/config/security.ini"`);
  });

  test("without a file says that the built-in one is in force", async () => {
    const server = await kinoraServe([]);
    await server.stop();
    expect(server.said.error).toContain('"securityIni":"the built-in security.ini"');
  });

  test("lets a realm of its ext folder decide [spec: several-realms]", async () => {
    const root = testFolder();
    mkdirSync(join(root, "lib/ext"), { recursive: true });
    writeFileSync(
      join(root, "lib/ext/static-users.ts"),
      `import type { RealmPlugin } from "kinora/plugin";
export default {
  kind: "realm",
  names: ["StaticUserRealm"],
  properties: { users: "map" },
  create: ({ users }, { constantTimeEqual }) => ({
    accepts: "password",
    authenticate(credentials) {
      if (credentials.kind !== "password" || !users.has(credentials.userName)) return "not mine";
      const known = constantTimeEqual(users.get(credentials.userName), credentials.password);
      return known ? { userName: credentials.userName } : "rejected";
    },
  }),
} satisfies RealmPlugin<{ users: "map" }>;
`,
    );
    writeFileSync(
      join(root, "security.ini"),
      `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
staticRealm = ./static-users.ts
staticRealm.users = alice:wonder
securityManager.realms = $serviceRealm, $staticRealm
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
    );
    const server = await kinoraServe(["--instance-root", root], { environment: { KINORA_ADMIN_PASSWORD: "s3cret" } });
    const version = async (user: string, password: string) =>
      (await fetch(`${server.url}/API/version`, { headers: basic(user, password) })).status;
    expect(await version("admin", "s3cret")).toBe(200);
    expect(await version("alice", "wonder")).toBe(200);
    expect(await version("alice", "wrong")).toBe(401);
    expect(await version("bob", "wonder")).toBe(401);
  });
});

describe("a start that cannot be", () => {
  test("tells every wrong setting with its source and a fix", async () => {
    const cwd = testFolder();
    writeFileSync(join(cwd, "kinora.json"), JSON.stringify({ acessLog: true }));
    const { code, error } = await kinora(["serve", "--port", "80a"], { cwd, environment: { KINORA_PROT: "1" } });
    expect(code).toBe(1);
    expect(error).toContain('"acessLog" (kinora.json): is not a setting of Kinora. Did you mean accessLog');
    expect(error).toContain("KINORA_PROT (environment): is not a setting of Kinora. Did you mean KINORA_PORT");
    expect(error).toContain('--port (command line): "80a" must be a whole number from 0 to 65535');
  });

  test("tells every error of security.ini and of the plugins in one run, without a stack", async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, "lib/ext"), { recursive: true });
    writeFileSync(join(cwd, "lib/ext/broken.js"), "export default { kind: 'realm' };");
    writeFileSync(join(cwd, "security.ini"), "[main]\nx = NoSuchRealm\n[urls]\n** = authcBasic\n");
    const { code, error } = await kinora(["serve", "--port", "0"], { cwd });
    expect(code).toBe(1);
    expect(error).toContain("./broken.js");
    expect(error).toContain("security.ini:2:");
    expect(error).toContain("security.ini:4:");
    expect(error).not.toMatch(/^\s+at /m);
  });

  test("tells which port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const { code, error } = await kinora(["serve", "--port", String(port)]);
    expect(code).toBe(1);
    expect(error).toContain(`Another program listens on port ${port} on 127.0.0.1 already`);
  });

  test.each([
    [["serve", "--prot", "1"], "--prot is not a flag; did you mean --port"],
    [["serve", "now"], '"now" is one word too many'],
    [["serve", "--port"], "--port needs a value"],
    [["serv"], '"serv" is not a command; did you mean kinora serve'],
    [["user", "ad", "bob"], '"user ad" is not a command; did you mean kinora user add'],
    [["user", "add"], "NAME is missing"],
  ])("kinora %j: %s", async (args, message) => {
    const { code, error } = await kinora(args);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

test("SIGTERM lets the request under way finish and ends with 0", async () => {
  const server = await kinoraServe([], { environment: { KINORA_ADMIN_PASSWORD: "s3cret" } });
  const connection = await rawConnection(server.url);
  const { authorization } = basic("admin", "s3cret");
  connection.send(
    `PUT /API/user/bob HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 18\r\nExpect: 100-continue\r\n\r\n`,
  );
  await connection.until("100 Continue");
  const stopped = server.stop();
  await expect(untilRefused(server.url)).resolves.toBe(true);
  connection.send('{"userName":"bob"}');
  expect(await connection.closed()).toMatch(/HTTP\/1\.1 20\d /);
  expect(await stopped).toBe(0);
});

/** Once the server accepts no more connections. */
async function untilRefused(url: string): Promise<boolean> {
  for (;;) {
    try {
      const connection = await rawConnection(url);
      connection.socket.destroy();
    } catch {
      return true; // refused, which is what is waited for
    }
  }
}

test.skipIf(process.platform !== "linux")(
  "a server that may open few files says so at its start [spec: limit-file-descriptors]",
  async () => {
    const limited = ["-c", 'ulimit -n 1024; exec "$0" "$@"', process.execPath, fromRoot("src/cli/kinora.js")];
    const server = await serveWith("bash", [...limited, "serve", "--port", "0"]);
    await server.stop();
    expect(server.said.error).toContain("This process may open 1024 files, a server needs at least 50000");
  },
);

describe("help", () => {
  const commands = ["serve", "init", "check", "migrate", "user add", "user password", "user role", "doctor"];
  test.each(commands)("kinora %s tells its usage", async (name) => {
    const { code, out } = await kinora([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: kinora ${name} `));
  });

  test("every setting has a flag of serve", async () => {
    const { settingNames, flagName } = await import("../../src/settings.ts");
    const { out } = await kinora(["serve", "--help"]);
    for (const name of settingNames) expect(out).toContain(`  ${flagName(name)}`);
  });
});
