import type { PluginContext } from "../../src/plugin/mod.ts";
import type { Verdict } from "./verdict.ts";

/** Verdicts kept; half of them are forgotten at a time. */
const mostVerdicts = 10_000;

/** Verdicts that are used again while they last. */
export interface Verdicts {
  /** The verdict on a token; `version` is that of the configuration, and a verdict under another one does not count. */
  of(token: string, version: number, validate: () => Promise<Verdict>): Verdict | Promise<Verdict>;
}

/** Keeps verdicts by a keyed digest: the tokens themselves are not kept. */
export function createVerdicts({ digest, now, runtime }: PluginContext): Verdicts {
  let recent = new Map<string, Verdict>();
  let older = new Map<string, Verdict>();
  let keptFor = -1;
  /** Validations under way: requests that come with the same token meanwhile wait for the same verdict. */
  const running = new Map<string, Promise<Verdict>>();

  function find(key: string, version: number): Verdict | undefined {
    if (version !== keptFor) {
      recent = new Map();
      older = new Map();
      keptFor = version;
    }
    const verdict = recent.get(key) ?? older.get(key);
    return verdict?.usableUntil !== undefined && verdict.usableUntil > now() ? verdict : undefined;
  }

  function keep(key: string, version: number, verdict: Verdict): Verdict {
    if (version !== keptFor || verdict.usableUntil === undefined) return verdict;
    if (recent.size >= mostVerdicts / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, verdict);
    return verdict;
  }

  function ask(key: string, version: number, validate: () => Promise<Verdict>): Promise<Verdict> {
    const judge = async () => keep(key, version, await validate());
    // On Workers one request must not wait for the promise of another.
    if (runtime === "workerd") return judge();
    const name = `${version} ${key}`;
    const known = running.get(name);
    if (known !== undefined) return known;
    const verdict = judge().finally(() => running.delete(name));
    running.set(name, verdict);
    return verdict;
  }

  return {
    of(token, version, validate) {
      const key = digest(`bearer ${token}`);
      if (key instanceof Promise) {
        return key.then((settled) => find(settled, version) ?? ask(settled, version, validate));
      }
      return find(key, version) ?? ask(key, version, validate);
    },
  };
}
