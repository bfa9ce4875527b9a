import { readFile } from "node:fs/promises";

/** What the specification asks for on Linux servers; with fewer, busy servers fail with "Too many open files". */
export const leastOpenFiles = 50_000;

/**
 * How many files this process may open, from the text of `/proc/self/limits`: `Infinity` without a limit, `undefined`
 * when the text does not tell.
 */
export function openFileLimit(limits: string): number | undefined {
  const found = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return found === undefined ? undefined : found === "unlimited" ? Number.POSITIVE_INFINITY : Number(found);
}

/** The text of `/proc/self/limits`: `undefined` where there is none, empty when it may not be read. */
export function readLimits(): Promise<string | undefined> {
  return readFile("/proc/self/limits", "utf8").catch((error: NodeJS.ErrnoException) =>
    // Deno lets only a process with all permissions read it.
    error.code === "ENOENT" ? undefined : "",
  );
}

/** A sentence about a limit that is too low, or `undefined`. */
export function openFilesWarning(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= leastOpenFiles) return undefined;
  return `This process may open ${limit} files, a server needs at least ${leastOpenFiles}: under load it would fail with "Too many open files"`;
}
