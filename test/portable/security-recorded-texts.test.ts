import { describe, expect, test } from "vitest";
import { canonicalTarget } from "../../src/security/canonical-path.ts";
import { readChain } from "../../src/security/chain-definition.ts";
import { createChainTable } from "../../src/security/chain-table.ts";
import { linesOf, readIni } from "../../src/security/ini.ts";
import { compilePattern, matchesPath, segmentsOf } from "../../src/security/path-pattern.ts";
import { implies, parsePermission } from "../../src/security/permission.ts";
import { collectProblems } from "../../src/security/problem.ts";
import { expectAsRecorded } from "../conformance/as-recorded.ts";
import { differences } from "../conformance/differences.ts";
import antpath from "../conformance/shiro-antpath.jsonl?raw";
import authz from "../conformance/shiro-authz.jsonl?raw";
import chaindef from "../conformance/shiro-chaindef.jsonl?raw";
import http from "../conformance/shiro-http.jsonl?raw";
import ini from "../conformance/shiro-ini.jsonl?raw";
import invalidRequest from "../conformance/shiro-invalidRequest.jsonl?raw";
import main from "../conformance/shiro-main.jsonl?raw";
import matcher from "../conformance/shiro-matcher.jsonl?raw";
import normalize from "../conformance/shiro-normalize.jsonl?raw";
import permission from "../conformance/shiro-permission.jsonl?raw";
import resolve from "../conformance/shiro-resolve.jsonl?raw";
import { vectors } from "../conformance/vectors.ts";

type Recorded = { readonly sections?: readonly unknown[]; readonly error?: true };

test.each(vectors<{ text: string }, Recorded>(ini).map((one) => [one.id, one] as const))(
  "reads the text of %s",
  (id, { in: { text }, out }) => {
    const lines = linesOf(text);
    const problems = collectProblems("security.ini", lines);
    const sections = readIni(lines, problems).map(({ name, entries }) => [
      name,
      entries.map(({ key, value }) => [key, value]),
    ]);
    expectAsRecorded(id, problems.hasErrors() ? { error: true } : { sections }, out);
  },
);

interface RecordedStep {
  readonly name?: string;
  readonly values?: readonly string[] | null;
  readonly error?: true;
}

test.each(
  vectors<{ definition: string }, { filters: readonly RecordedStep[] | null }>(chaindef).map(
    (one) => [one.id, one] as const,
  ),
)("reads the chain of %s", (id, { in: { definition }, out }) => {
  const recorded = out.filters ?? [];
  const { steps, faults } = readChain(definition);
  const read = steps.map(({ name, words }) => [name, words]);
  expectAsRecorded(
    id,
    faults.length > 0 ? "error" : read,
    recorded.some(({ error }) => error) ? "error" : recorded.map(({ name, values }) => [name, values ?? []]),
  );
});

type PathCase = { pattern: string; path: string; caseInsensitive?: boolean };

test("matches path patterns as recorded", () => {
  for (const { id, in: given, out } of vectors<PathCase, { match: boolean }>(antpath)) {
    const pattern = compilePattern(given.pattern, given.caseInsensitive);
    expectAsRecorded(id, { ...given, match: matchesPath(pattern, segmentsOf(given.path)) }, { ...given, ...out });
  }
});

type PermissionCase = { granted: string; requested: string; caseSensitive?: boolean };
type PermissionAnswer = { granted?: { error: true }; requested?: { error: true }; implies?: boolean };

test("judges permissions as recorded", () => {
  for (const { id, in: given, out } of vectors<PermissionCase, PermissionAnswer>(permission)) {
    const granted = parsePermission(given.granted, given.caseSensitive);
    const requested = parsePermission(given.requested, given.caseSensitive);
    const answer = granted !== undefined && requested !== undefined ? implies(granted, requested) : "error";
    expectAsRecorded(id, { ...given, answer }, { ...given, answer: out.implies ?? "error" });
  }
});

/** The canonical path as the reference writes it, `null` when it is refused. */
function canonical(path: string): string | null {
  try {
    const { segments, trailingSlash } = canonicalTarget(path);
    return `/${segments.join("/")}${trailingSlash && segments.length > 0 ? "/" : ""}`;
  } catch {
    return null; // which error it is, is the subject of another test
  }
}

test.each(vectors<{ path: string }, { normalized: string | null }>(normalize).map((one) => [one.id, one] as const))(
  "makes the path of %s canonical",
  (id, { in: { path }, out }) => expectAsRecorded(id, canonical(path), out.normalized),
);

interface ResolveCase {
  readonly patterns: readonly string[];
  readonly request: { readonly servletPath: string; readonly pathInfo: string | null };
  readonly caseInsensitive?: boolean;
}

test.each(
  vectors<ResolveCase, { pattern?: string | null; error?: true }>(resolve).map((one) => [one.id, one] as const),
)("finds the chain of %s", (id, { in: { patterns, request, caseInsensitive }, out }) => {
  const chains = patterns.map((text) => {
    const pattern = compilePattern(text === "/" ? text : text.replace(/\/$/, ""), caseInsensitive ?? false);
    return { pattern: { ...pattern, text }, at: { line: 1, column: 1 }, steps: [], challenge: "" };
  });
  const target = `${request.servletPath}${request.pathInfo ?? ""}`.replaceAll(" ", "%20");
  const found =
    canonical(target) === null ? "refused" : createChainTable(chains).find(canonicalTarget(target))?.pattern.text;
  expectAsRecorded(id, found ?? null, out.error ? "error" : out.pattern);
});

describe("the list of differences", () => {
  test("names only recorded cases and requests", () => {
    const known = new Set<string>();
    const files = [antpath, authz, chaindef, http, ini, invalidRequest, main, matcher, normalize, permission, resolve];
    for (const file of files) {
      for (const { id, in: given } of vectors<{ requests?: readonly unknown[] }, unknown>(file)) {
        known.add(id);
        given.requests?.forEach((_, index) => {
          known.add(`${id}/${index}`);
        });
      }
    }
    expect(Object.keys(differences).filter((id) => !known.has(id))).toEqual([]);
  });
});
