import type { Health, Lifecycle, PluginLog } from "../plugin/contract.ts";
import type { Instances } from "./instances.ts";
import { type ObjectDefinition, objectsIn, placeOf } from "./object-definition.ts";
import type { Problem, Problems } from "./problem.ts";
import { isPromise } from "./realm-call.ts";
import { type Redact, reasonOf } from "./redact.ts";

/** What one object says of itself. */
export interface ObjectHealth extends Health {
  /** Its name in `security.ini`. */
  readonly name: string;
  readonly kind: string;
}

export interface LifecycleDeps {
  /** Milliseconds for starting all objects together, and for each stop and each health. */
  readonly timeoutMs: number;
  readonly log: PluginLog;
  readonly redact: Redact;
  /** The list of the file's problems, to which those of the start belong. */
  readonly problems: Problems;
}

/** Objects did not start; `problems` names each, with its place in `security.ini`. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join("\n"));
    this.problems = problems;
  }
}

/** The life of what plugins have made. */
export interface Lives {
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): Promise<readonly ObjectHealth[]>;
}

type Living = readonly [ObjectDefinition, Lifecycle];

export function createLives(instances: Instances, { timeoutMs, log, redact, problems }: LifecycleDeps): Lives {
  const objects = [...instances] as readonly Living[];
  /** In the order in which they were ready, which is each after what it refers to. */
  const started: Living[] = [];

  async function stop(): Promise<void> {
    for (let one = started.pop(); one !== undefined; one = started.pop()) await stopOne(one);
  }

  async function stopOne([{ name }, object]: Living): Promise<void> {
    try {
      await within(timeoutMs, object.stop?.());
    } catch (error) {
      log.error("An object failed to stop", { object: name, reason: reasonOf(error, redact) });
    }
  }

  function failed(definition: ObjectDefinition, how: string): void {
    problems.error(placeOf(definition), {
      code: "plugin-failed",
      message: `Starting ${definition.name} (plugin ${definition.plugin?.names[0]}) failed: ${how}`,
      fix: "Correct the properties of the object, see to what it needs, or take it out of the file",
    });
  }

  /** Starts all at once, each after what it refers to, so that one run names everything that does not start. */
  async function startAll(): Promise<void> {
    const starting = new Set<ObjectDefinition>();
    const startings = new Map<ObjectDefinition, Promise<boolean>>();
    let ended = false;

    const begin = async (one: Living): Promise<boolean> => {
      const [definition, object] = one;
      const parts = await Promise.all(objectsIn(definition).map((part) => startings.get(part)));
      if (parts.includes(false) || ended) return false;
      try {
        starting.add(definition);
        await object.start?.();
        if (ended) await stopOne(one);
        else started.push(one);
        return true;
      } catch (error) {
        if (!ended) failed(definition, reasonOf(error, redact));
        return false;
      } finally {
        starting.delete(definition);
      }
    };

    for (const one of objects) startings.set(one[0], begin(one));
    const late = await within(timeoutMs, Promise.all(startings.values())).then(
      () => [],
      () => [...starting],
    );
    ended = true;
    for (const definition of late) failed(definition, `did not finish within ${timeoutMs / 1000} s`);
  }

  return {
    async start() {
      await startAll();
      if (!problems.hasErrors()) return;
      await stop();
      throw new NotStarted(problems.list().filter(({ severity }) => severity === "error"));
    },
    stop,
    health: () => Promise.all(objects.flatMap(([definition, object]) => healthOf(definition, object))),
  };

  function healthOf({ name, kind }: ObjectDefinition, object: Lifecycle): Promise<ObjectHealth>[] {
    const { health } = object;
    if (health === undefined) return [];
    const asked = async (): Promise<ObjectHealth> => {
      try {
        const told = await within(timeoutMs, health.call(object));
        const message = told.message === undefined ? undefined : { message: redact(told.message) };
        return { name, kind, ok: told.ok === true, ...message };
      } catch (error) {
        return { name, kind, ok: false, message: reasonOf(error, redact) };
      }
    };
    return [asked()];
  }
}

async function within<T>(timeoutMs: number, work: T | Promise<T>): Promise<T> {
  if (!isPromise(work)) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not finish within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
