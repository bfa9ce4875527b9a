import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commentedSecurityIni } from "../../src/cli/commented-security-ini.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { kinora, kinoraServe, testFolder } from "./cli.ts";

const broken = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
other = com.service.security.auth.DefaultServiceRelm
authcBasic.aplicationName = x
securityManager.realms = $serviceRealm, $unknownRealm

[urls]
/a/** = authcBasic[permissive
** = authcBasic
/** = tokenAuth[permissive], authcBasc
`;

describe("kinora check", () => {
  test("explains every error of a file in one run: line, column, text and fix", async () => {
    const cwd = testFolder();
    writeFileSync(join(cwd, "mine.ini"), broken);
    const { code, out } = await kinora(["check", "mine.ini"], { cwd });
    expect(code).toBe(1);
    for (const line of [4, 5, 6, 9, 10, 11])
      expect(out).toMatch(new RegExp(`^mine\\.ini:${line}:\\d+: error: .+\\n {4}.+\\n {4}.+$`, "m"));
    expect(out).toContain("DefaultServiceRealm");
    expect(out).toContain("applicationName");
    expect(out).toMatch(/^mine\.ini: [6-9] errors, \d+ warnings?$/m);
  });

  test("prints the same as JSON for a program", async () => {
    const cwd = testFolder();
    writeFileSync(join(cwd, "mine.ini"), broken);
    const { code, out } = await kinora(["check", "mine.ini", "--json"], { cwd });
    expect(code).toBe(1);
    const { ok, problems } = JSON.parse(out);
    expect(ok).toBe(false);
    expect(problems).toContainEqual(expect.objectContaining({ severity: "error", line: 4, source: "mine.ini" }));
  });

  test("without a file explains the one that the start would take", async () => {
    const root = testFolder();
    expect((await kinora(["check", "--instance-root", root])).out).toMatch(/^the built-in security\.ini .*0 errors/);
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "config/security.ini"), broken);
    const { code, out } = await kinora(["check", "--instance-root", root]);
    expect(code).toBe(1);
    expect(out).toContain(`${join(root, "config/security.ini")}:4:`);
  });

  test("tells the chain of a path, and why", async () => {
    const cwd = testFolder();
    writeFileSync(
      join(cwd, "security.ini"),
      defaultSecurityIni.replace(
        "[urls]\n",
        "[urls]\n/admin/** = deny\n/item/** = tokenAuth[permissive], authcBasic, roles[_item_write]\n",
      ),
    );
    const { code, out } = await kinora(["check", "--url", "/API/item/VX-1;a=b?x=y", "--method", "put"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("PUT /item/VX-1");
    expect(out).toMatch(/: \/admin\/\*\* does not match$/m);
    expect(out).toMatch(/: \/item\/\*\* matches$/m);
    expect(out).toContain("roles[_item_write]");
  });

  test("tells that a path that cannot be read is refused", async () => {
    const { out } = await kinora(["check", "--url", "/a/../b"]);
    expect(out).toContain("refused with 400");
  });

  test.each([
    [["check", "no-such.ini"], "There is no file no-such.ini"],
    [["check", "--method", "PUT"], "--method says nothing without --url"],
  ])("kinora %j: %s", async (args, message) => {
    const { code, error } = await kinora(args);
    expect(code).toBe(1);
    expect(error).toContain(message);
  });

  test("never prints a value that came from the environment", async () => {
    const cwd = testFolder();
    const misspelt = `authcBasic.applicationNam = \${env:SECRET_NAME}`;
    writeFileSync(join(cwd, "security.ini"), defaultSecurityIni.replace("[urls]", `${misspelt}\n[urls]`));
    const { code, out, error } = await kinora(["check"], { cwd, environment: { SECRET_NAME: "hush-hush" } });
    expect(code).toBe(1);
    expect(`${out}${error}`).not.toContain("hush-hush");
  });
});

describe("kinora init", () => {
  test("writes an instance that starts, and whose security.ini is the default with comments", async () => {
    const cwd = testFolder();
    const { code, out } = await kinora(["init", "here"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("wrote    here/config/security.ini");
    const written = readFileSync(join(cwd, "here/config/security.ini"), "utf8");
    expect(written).toBe(commentedSecurityIni);
    expect((await kinora(["check", "--instance-root", "here"], { cwd })).out).toContain("0 errors, 0 warnings");
    const server = await kinoraServe(["--instance-root", "here"], { cwd });
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });

  test("has every line of the default that counts, and no other", () => {
    const counting = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(counting(commentedSecurityIni)).toEqual(counting(defaultSecurityIni));
  });

  test("leaves what is there, unless it is forced", async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, "config"));
    writeFileSync(join(cwd, "config/security.ini"), "mine");
    expect((await kinora(["init"], { cwd })).out).toContain("kept     config/security.ini");
    expect(readFileSync(join(cwd, "config/security.ini"), "utf8")).toBe("mine");
    expect((await kinora(["init", "--force"], { cwd })).out).toContain("replaced config/security.ini");
    expect(readFileSync(join(cwd, "config/security.ini"), "utf8")).toBe(commentedSecurityIni);
  });

  test("says what stands in its way", async () => {
    const cwd = testFolder();
    writeFileSync(join(cwd, "lib"), "");
    const { code, error } = await kinora(["init"], { cwd });
    expect(code).toBe(1);
    expect(error).toContain("The folder lib/ext cannot be made: a file is in its place");
  });
});
