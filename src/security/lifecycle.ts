import type { Health, Lifecycle, PluginLog } from "../plugin/contract.ts";
import type { Instances } from "./instances.ts";
import type { ObjectDefinition } from "./object-definition.ts";
import { isPromise } from "./realm-call.ts";
import { type Redact, reasonOf } from "./redact.ts";

/** What one object says of itself. */
export interface ObjectHealth extends Health {
  /** Its name in `security.ini`. */
  readonly name: string;
  readonly kind: string;
}

export interface LifecycleDeps {
  readonly timeoutMs: number;
  readonly log: PluginLog;
  readonly redact: Redact;
}

/** The life of what plugins have made. */
export interface Lives {
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): Promise<readonly ObjectHealth[]>;
}

export function createLives(instances: Instances, { timeoutMs, log, redact }: LifecycleDeps): Lives {
  // In the order in which they were made, which is each after what it refers to.
  const objects = [...instances] as readonly (readonly [ObjectDefinition, Lifecycle])[];
  const started: (readonly [ObjectDefinition, Lifecycle])[] = [];

  async function stop(): Promise<void> {
    for (let one = started.pop(); one !== undefined; one = started.pop()) {
      const [{ name }, object] = one;
      try {
        await within(timeoutMs, object.stop?.());
      } catch (error) {
        log.error("An object failed to stop", { object: name, reason: reasonOf(error, redact) });
      }
    }
  }

  return {
    async start() {
      for (const one of objects) {
        const [{ name, plugin }, object] = one;
        try {
          started.push(one);
          await within(timeoutMs, object.start?.());
        } catch (error) {
          started.pop();
          await stop();
          const how = reasonOf(error, redact);
          throw new Error(`Starting ${name} (plugin ${plugin?.names[0]}) failed: ${how}`, { cause: error });
        }
      }
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
