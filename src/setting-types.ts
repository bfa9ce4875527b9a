/** What a value of a setting was understood as, or one clause that completes "must be …". */
export type Reading<T> = { readonly value: T } | { readonly expected: string };

/** How the value of a setting is read: from a text (flag, environment) or from a value of `kinora.json`. */
export interface SettingType<T> {
  /** For tables and help: `number`, `URL`, `private|public` … */
  readonly label: string;
  /** Whether a bare flag means `true` and `--no-flag` means `false`. */
  readonly toggle?: true;
  read(raw: unknown): Reading<T>;
  /** The value as seen from another folder: of a path that stands in a file and is relative to that file's folder. */
  from?(folder: string, value: T): T;
}

/** Any text that is not empty; with a pattern, one that fits it. `form` says in words what the pattern asks for. */
export function text(pattern?: RegExp, form = "a text that is not empty"): SettingType<string> {
  return {
    label: "text",
    read: (raw) =>
      typeof raw === "string" && raw !== "" && (pattern?.test(raw) ?? true) ? { value: raw } : { expected: form },
  };
}

/** A path in the file system: relative to the working directory, in `kinora.json` to the folder of that file. */
export function path(): SettingType<string> {
  return { ...text(undefined, "a path"), label: "path", from: inFolder };
}

function inFolder(folder: string, path: string): string {
  const absolute = /^(?:[A-Za-z]:)?[\\/]/.test(path);
  return absolute || folder === "" || folder === "." ? path : `${folder.replace(/[\\/]$/, "")}/${path}`;
}

/** Paths: an array in `kinora.json`, else separated by commas. */
export function paths(): SettingType<readonly string[]> {
  return {
    label: "paths",
    read(raw) {
      const list = typeof raw === "string" ? raw.split(",").map((part) => part.trim()) : raw;
      const valid = Array.isArray(list) && list.every((part) => typeof part === "string" && part !== "");
      return valid ? { value: list } : { expected: "paths separated by commas" };
    },
    from: (folder, list) => list.map((path) => inFolder(folder, path)),
  };
}

/** A whole number within bounds, both inclusive. */
export function integer(minimum: number, maximum: number): SettingType<number> {
  return {
    label: "number",
    read(raw) {
      const value = typeof raw === "string" && /^[+-]?\d+$/.test(raw) ? Number(raw) : raw;
      const valid = typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum;
      return valid ? { value } : { expected: `a whole number from ${minimum} to ${maximum}` };
    },
  };
}

/** On or off. */
export function toggle(): SettingType<boolean> {
  const words = new Map([
    ["true", true],
    ["yes", true],
    ["on", true],
    ["1", true],
    ["false", false],
    ["no", false],
    ["off", false],
    ["0", false],
  ]);
  return {
    label: "true|false",
    toggle: true,
    read(raw) {
      const value = typeof raw === "string" ? words.get(raw.toLowerCase()) : raw;
      return typeof value === "boolean" ? { value } : { expected: "true or false" };
    },
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): SettingType<Word> {
  return {
    label: words.join("|"),
    read(raw) {
      const value = words.find((word) => word === raw);
      return value === undefined ? { expected: `one of ${words.join(", ")}` } : { value };
    },
  };
}

/** An absolute URL of one of the schemes; `file:` may be followed by a relative path. */
export function url(...schemes: readonly string[]): SettingType<string> {
  return {
    label: "URL",
    read(raw) {
      const expected = `a URL that starts with ${schemes.map((scheme) => `${scheme}:`).join(", ")}`;
      if (typeof raw !== "string") return { expected };
      const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(raw)?.[1]?.toLowerCase();
      if (scheme === undefined || !schemes.includes(scheme)) return { expected };
      return scheme === "file" || URL.canParse(raw) ? { value: raw } : { expected };
    },
    from: (folder, value) => (value.startsWith("file:") ? `file:${inFolder(folder, value.slice(5))}` : value),
  };
}
