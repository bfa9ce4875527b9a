import { readChain } from "./chain-definition.ts";
import type { IniEntry } from "./ini.ts";
import { whyNotOffered } from "./not-offered.ts";
import { isDisabled, type ObjectDefinition } from "./object-definition.ts";
import type { ObjectGraph } from "./object-graph.ts";
import { compilePattern, type PathPattern } from "./path-pattern.ts";
import type { Position, Problems } from "./problem.ts";
import { nameOfKind } from "./property-value.ts";

/** A line of `[urls]`, its filters found; the filters themselves are not made yet. */
export interface ChainPlan {
  readonly pattern: PathPattern;
  readonly at: Position;
  readonly steps: readonly StepPlan[];
}
export interface StepPlan {
  readonly object: ObjectDefinition;
  /** As written, `permissive` included. */
  readonly words: readonly string[];
  readonly at: Position;
  /** Stands in front of every chain. */
  readonly global: boolean;
}

/** Reads `[urls]`: `pattern = filter[word], filter`, each behind the global filters. */
export function planChains(entries: readonly IniEntry[], graph: ObjectGraph): readonly ChainPlan[] {
  const { problems } = graph;
  if (entries.length === 0) {
    problems.error(
      { line: 1, column: 1 },
      {
        code: "no-chains",
        message: "There is no [urls], so that no request would be allowed",
        fix: "Add [urls] with a line such as: /** = authcBasic",
      },
    );
  }
  const globals = globalSteps(graph);
  const caseInsensitive = caseInsensitivity(graph);
  const earlier = new Map<string, Position>();
  let catchAll: Position | undefined;
  const plans: ChainPlan[] = [];
  for (const entry of entries) {
    if (problems.isFull()) break;
    const sound = checkPattern(entry, problems);
    const steps = planSteps(entry, graph);
    if (!sound) continue;
    const pattern = compilePattern(withoutTrailingSlash(entry.key), caseInsensitive);
    checkReachable(entry, pattern, earlier, catchAll, problems);
    if (pattern.segments.every(({ kind }) => kind === "span") && pattern.spans) catchAll ??= entry.at;
    plans.push({ pattern, at: entry.at, steps: [...globals, ...steps] });
  }
  return plans;
}

function withoutTrailingSlash(pattern: string): string {
  return pattern.replace(/(?<=[^/])\/+$/, "");
}

function caseInsensitivity({ objects }: ObjectGraph): boolean {
  const value = objects.get("filterChainResolver")?.set.get("caseInsensitive")?.value;
  return value?.kind === "plain" && typeof value.value === "boolean" ? value.value : true;
}

/** The filters of `filterChainResolver.globalFilters`; when it is not set, those that their plugins put in front. */
function globalSteps(graph: ObjectGraph): readonly StepPlan[] {
  const set = graph.objects.get("filterChainResolver")?.set.get("globalFilters");
  if (set === undefined) {
    return [...graph.objects.values()]
      .filter(({ plugin, name }) => plugin?.global && plugin.predefined === name)
      .map((object) => ({ object, words: [], at: object.at, global: true }));
  }
  const names = set.value.kind === "plain" && Array.isArray(set.value.value) ? set.value.value.map(String) : [];
  return names.flatMap((name) => {
    const object = findFilter(name, set.at, graph);
    return object === undefined ? [] : [{ object, words: [], at: set.at, global: true }];
  });
}

function planSteps(entry: IniEntry, graph: ObjectGraph): readonly StepPlan[] {
  const { steps, faults } = readChain(entry.value);
  for (const { offset, message, fix } of faults) {
    graph.problems.error(entry.valueAt(offset), { code: "bad-chain", message, fix });
  }
  return steps.flatMap(({ name, words, offset, sound }) => {
    const at = entry.valueAt(offset);
    const object = findFilter(name, at, graph);
    return object === undefined || !sound ? [] : [{ object, words, at, global: false }];
  });
}

function findFilter(name: string, at: Position, graph: ObjectGraph): ObjectDefinition | undefined {
  const object = graph.objects.get(name);
  if (object?.kind === "filter") {
    if (isDisabled(object)) {
      graph.problems.warning(object.set.get("enabled")?.at ?? at, {
        code: "disabled-filter",
        message: `The filter ${name} is switched off: chains skip it`,
        fix: "Remove it from the chains, or remove this line",
      });
    }
    return object;
  }
  if (graph.failed.has(name)) return undefined;
  const shown = name.slice(0, 100);
  if (object !== undefined) {
    graph.problems.error(at, {
      code: "unknown-filter",
      message: `${shown} is a ${nameOfKind(object.kind)}, not a filter`,
      fix: "Name a filter",
    });
    return undefined;
  }
  const refusal = whyNotOffered(name);
  const filters = [...graph.objects.values()].filter(({ kind }) => kind === "filter");
  const nearest = graph.suggest(
    name,
    filters.map((filter) => filter.name),
  );
  graph.problems.error(at, {
    code: refusal === undefined ? "unknown-filter" : "not-offered",
    message: `There is no filter named ${shown}`,
    fix:
      refusal ??
      adviceFor(name) ??
      (nearest === undefined ? "Define it in [main]: name = ClassName" : `Perhaps ${nearest} is meant`),
  });
  return undefined;
}

function adviceFor(name: string): string | undefined {
  if (/["']/.test(name)) return "Write filters without quotes";
  if (/\s[#;]/.test(name)) return "A comment stands on a line of its own, not behind a value";
  return /[\s;]/.test(name) ? "Divide filters by commas" : undefined;
}

/** A pattern that can match no request is an error: the rule that it stands for would not hold. */
function checkPattern({ key, at }: IniEntry, problems: Problems): boolean {
  const wrong = patternFault(key);
  if (wrong !== undefined) problems.error(at, { code: "bad-pattern", ...wrong });
  return wrong === undefined;
}

function patternFault(pattern: string): { readonly message: string; readonly fix: string } | undefined {
  if (/^["']/.test(pattern))
    return { message: "A pattern in quotes matches no request", fix: "Write it without quotes" };
  if (!pattern.startsWith("/")) {
    return { message: "A pattern without a leading slash matches no request", fix: `Write /${pattern.slice(0, 100)}` };
  }
  if (/%[0-9a-f]{2}/i.test(pattern)) {
    return {
      message: "Patterns are compared with decoded paths",
      fix: "Write the character itself, not its percent-escape",
    };
  }
  if (pattern.includes(";")) {
    return {
      message: "Matrix parameters are cut before patterns are compared",
      fix: "Remove the semicolon and what follows",
    };
  }
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(pattern)) {
    return {
      message: "Requests with dot segments are refused, so that the pattern matches none",
      fix: "Write the path without dot segments",
    };
  }
  return /\p{Cc}/u.test(pattern)
    ? { message: "The pattern has a control character, which no path has", fix: "Remove the character" }
    : undefined;
}

function checkReachable(
  { at, key }: IniEntry,
  pattern: PathPattern,
  earlier: Map<string, Position>,
  catchAll: Position | undefined,
  problems: Problems,
): void {
  const folded = `/${pattern.segments.map((segment) => (segment.kind === "span" ? "**" : segment.text)).join("/")}`;
  const alias = folded.replace(pattern.caseInsensitive ? /^\/api(?=\/|$)/ : /^\/API(?=\/|$)/, "") || "/";
  const same = earlier.get(alias);
  if (same !== undefined) {
    problems.error(at, {
      code: "same-pattern",
      message: `The pattern matches the same paths as the one in line ${same.line}, which stands first`,
      fix: "Keep one of the two: a trailing slash, the prefix /API and (by default) letter case make no difference",
    });
  } else if (catchAll !== undefined) {
    problems.warning(at, {
      code: "unreachable-chain",
      message: `The line is never used: line ${catchAll.line} matches every path before it`,
      fix: `Move ${key.slice(0, 100)} above that line`,
    });
  }
  if (same === undefined) earlier.set(alias, at);
}
