import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearestName } from "../../src/nearest-name.ts";
import { readSettings, settingProblemLine } from "../../src/read-settings.ts";
import { environmentName, flagName, settingDeclaration, settingNames, settingsWith } from "../../src/settings.ts";

const file = (content: unknown) => ({
  path: "/srv/kinora.json",
  text: typeof content === "string" ? content : JSON.stringify(content),
});

describe("precedence", () => {
  const environment = { KINORA_PORT: "2" };
  test.each([
    ["flag before environment before file", { flags: { port: "1" }, environment, file: file({ port: 3 }) }, 1],
    ["environment before file", { environment, file: file({ port: 3 }) }, 2],
    ["file before default", { file: file({ port: 3 }) }, 3],
    ["default", {}, 8080],
    ["an empty variable counts as absent", { environment: { KINORA_PORT: "" }, file: file({ port: 3 }) }, 3],
  ])("%s", (_, sources, port) => {
    expect(readSettings(sources).settings?.port).toBe(port);
  });
});

describe("values", () => {
  test.each([
    ["accessLog", "off", false],
    ["accessLog", true, true],
    ["fileRoots", "/a, /b", ["/a", "/b"]],
    ["databaseUrl", "file:/data/x.db", "file:/data/x.db"],
    ["databaseUrl", "libsql://db.example.org", "libsql://db.example.org"],
    ["site", "KN2", "KN2"],
  ] as const)("%s from %j is %j", (name, raw, value) => {
    expect(readSettings({ file: file({ [name]: raw }) }).settings?.[name]).toEqual(value);
  });

  test.each([
    ["extDir", "plugins", "/srv/plugins"],
    ["extDir", "/plugins", "/plugins"],
    ["fileRoots", ["a", "/b"], ["/srv/a", "/b"]],
    ["databaseUrl", "file:x.db", "file:/srv/x.db"],
    ["databaseUrl", "file:///x.db", "file:///x.db"],
    ["databaseUrl", "https://x/y", "https://x/y"],
  ] as const)("%s %j of a file is seen from the folder of that file: %j", (name, raw, value) => {
    expect(readSettings({ file: file({ [name]: raw }) }).settings?.[name]).toEqual(value);
  });

  test("paths of flags and of the environment are seen from the working directory", () => {
    const outcome = readSettings({ flags: { extDir: "a" }, environment: { KINORA_MEDIA_ROOT: "b" }, file: file({}) });
    expect(outcome.settings).toMatchObject({ extDir: "a", mediaRoot: "b" });
  });

  test.each([
    ["port", "80a"],
    ["port", "65536"],
    ["port", 1.5],
    ["port", null],
    ["accessLog", "maybe"],
    ["logLevel", "loud"],
    ["databaseUrl", "mysql://x"],
    ["baseUrl", "localhost:8080"],
    ["site", "vx"],
    ["fileRoots", ["/a", 1]],
    ["host", ""],
  ])("%s cannot be %j", (name, raw) => {
    const outcome = readSettings({ file: file({ [name]: raw }) });
    expect(outcome.problems).toEqual([expect.objectContaining({ name: `"${name}"`, source: "/srv/kinora.json" })]);
  });
});

describe("problems", () => {
  test("are all told in one run, each with name, source and fix", () => {
    const outcome = readSettings({
      flags: { port: "x" },
      environment: { KINORA_PROT: "1", KINORA_LOG_LEVEL: "warn", PATH: "/bin", KINORA_TEST_PEERS: "required" },
      file: file({ acessLog: true }),
    });
    expect(outcome.problems.map(settingProblemLine)).toEqual([
      '"acessLog" (/srv/kinora.json): is not a setting of Kinora. Did you mean accessLog.',
      "KINORA_PROT (environment): is not a setting of Kinora. Did you mean KINORA_PORT.",
      'KINORA_LOG_LEVEL (environment): "warn" must be one of debug, info, warning, error, off. Correct the value or leave the setting out; the default is "info".',
      '--port (command line): "x" must be a whole number from 0 to 65535. Correct the value or leave the setting out; the default is 8080.',
    ]);
  });

  test("never show a secret", () => {
    const outcome = readSettings({ file: file({ adminPassword: ["hush"] }) });
    expect(outcome.problems).toHaveLength(1);
    expect(JSON.stringify(outcome.problems)).not.toContain("hush");
  });

  test.each(["", "{", "[]", "null", '"x"'])("a file that holds %j is one problem", (text) => {
    expect(readSettings({ file: file(text) }).problems).toHaveLength(1);
  });

  test("nothing that a file can hold is thrown at the caller", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const outcome = readSettings({ file: file(text) });
        expect(outcome.settings === undefined).toBe(outcome.problems.length > 0);
      }),
    );
  });
});

describe("declarations", () => {
  test.each(settingNames)("%s accepts its own default and describes itself", (name) => {
    const declaration = settingDeclaration(name);
    if (declaration.default !== undefined) {
      expect(declaration.type.read(declaration.default)).toEqual({ value: declaration.default });
    }
    expect(declaration.description).toMatch(/\.$/);
  });

  test("names follow from one another", () => {
    expect(environmentName("instanceRoot")).toBe("KINORA_INSTANCE_ROOT");
    expect(flagName("instanceRoot")).toBe("--instance-root");
  });

  test("a program that embeds the service states what it wants and gets defaults for the rest", () => {
    expect(settingsWith({ site: "KN", port: undefined })).toMatchObject({ site: "KN", port: 8080 });
  });
});

describe("nearest name", () => {
  test.each([
    ["prot", "port"],
    ["logLevle", "logLevel"],
    ["loglevel", "logLevel"],
    ["instanceroot", "instanceRoot"],
    ["zzzzzz", undefined],
    ["", undefined],
    ["x".repeat(100_000), undefined],
  ])("%s means %s", (written, meant) => {
    expect(nearestName(written, settingNames)).toBe(meant);
  });
});
