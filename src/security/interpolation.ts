// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the messages quote the placeholders of the file format
/** Where `${…}` finds its values. */
export interface LookUps {
  /** An environment variable. */
  readonly variable: (name: string) => string | undefined;
  /** The text of a file, `undefined` when there is none. Absent where there is no file system. */
  readonly readFile?: ((path: string) => Promise<string | undefined>) | undefined;
}

/** Something wrong in a value, at an offset. */
export interface ValueFault {
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
}

export interface Interpolated {
  readonly text: string;
  /** Whether anything was filled in. Such text is never printed, and never read as a reference. */
  readonly filled: boolean;
  readonly faults: readonly ValueFault[];
}

/**
 * Fills `${NAME}` and `${env:NAME}` (environment variables), `${file:PATH}` (a file's text without its last line
 * break), each with an optional `:-default` for a value that is not set or empty. There is no nesting and there are no
 * other look-ups; a value that is not there and has no default is a fault.
 */
export async function interpolate(raw: string, lookUps: LookUps): Promise<Interpolated> {
  if (!raw.includes("${")) return { text: raw, filled: false, faults: [] };
  const faults: ValueFault[] = [];
  let text = "";
  let from = 0;
  for (let start = raw.indexOf("${"); start >= 0; start = raw.indexOf("${", from)) {
    text += raw.slice(from, start);
    const end = raw.indexOf("}", start);
    if (end < 0) {
      faults.push({ offset: start, message: "The ${ is never closed", fix: "Write ${NAME}" });
      return { text, filled: true, faults };
    }
    const found = await lookUp(raw.slice(start + 2, end), lookUps);
    if ("message" in found) faults.push({ offset: start, ...found });
    else text += found.text;
    from = end + 1;
  }
  return { text: text + raw.slice(from), filled: true, faults };
}

type Found = { readonly text: string } | { readonly message: string; readonly fix: string };

async function lookUp(expression: string, { variable, readFile }: LookUps): Promise<Found> {
  const divider = expression.indexOf(":-");
  const what = divider < 0 ? expression : expression.slice(0, divider);
  const fallback = divider < 0 ? undefined : expression.slice(divider + 2);
  const scheme = /^(\w+):/.exec(what)?.[1];
  const name = scheme === undefined ? what : what.slice(scheme.length + 1);
  if (name === "") return { message: "The ${} names nothing", fix: "Write ${NAME}, ${env:NAME} or ${file:PATH}" };

  if (scheme === "file") {
    if (readFile === undefined) {
      return { message: `There is no file system here to read ${name} from`, fix: "Use ${env:NAME}" };
    }
    const content = await readOrReason(readFile, name);
    const text = typeof content === "string" ? content.replace(/\r?\n$/, "") : undefined;
    if (text !== undefined && text !== "") return { text };
    if (fallback !== undefined) return { text: fallback };
    const reason = text === "" ? "is empty" : content instanceof Error ? "cannot be read" : "does not exist";
    return { message: `The file ${name} ${reason}`, fix: "Name a file with the value, or give ${file:PATH:-default}" };
  }

  if (scheme !== undefined && scheme !== "env") {
    return { message: `There is no look-up named ${scheme}`, fix: "Use ${env:NAME} or ${file:PATH}" };
  }
  const value = variable(name);
  if (value !== undefined && value !== "") return { text: value };
  if (fallback !== undefined) return { text: fallback };
  if (value === "") return { text: "" };
  return {
    message: `The environment variable ${name} is not set`,
    fix: `Set ${name}, or write \${${name}:-default}`,
  };
}

async function readOrReason(
  readFile: (path: string) => Promise<string | undefined>,
  path: string,
): Promise<string | undefined | Error> {
  try {
    return await readFile(path);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
