import type { AuthenticationEvent, AuthenticationListener, PluginLog } from "../plugin/contract.ts";
import { isPromise } from "./realm-call.ts";
import { type Redact, reasonOf } from "./redact.ts";

export interface NamedListener {
  readonly name: string;
  readonly listener: AuthenticationListener;
}
export interface ListenerDeps {
  readonly listeners: readonly NamedListener[];
  readonly log: PluginLog;
  readonly redact: Redact;
}

/**
 * Tells listeners, in order, how an attempt ended. The name of the first whose `onSuccess` fails is returned: the
 * attempt fails with it, and later listeners are not told. A failing `onFailure` is logged.
 */
export function tellListeners(
  deps: ListenerDeps,
  event: AuthenticationEvent,
): string | undefined | Promise<string | undefined> {
  return deps.listeners.length === 0 ? undefined : tellFrom(0, deps, event);
}

function tellFrom(
  start: number,
  deps: ListenerDeps,
  event: AuthenticationEvent,
): string | undefined | Promise<string | undefined> {
  const succeeded = event.accounts.size > 0;
  const failed = (name: string, error: unknown): string | undefined => {
    deps.log.error("An authentication listener failed", { listener: name, reason: reasonOf(error, deps.redact) });
    return succeeded ? name : undefined;
  };
  for (const [index, { name, listener }] of deps.listeners.entries()) {
    if (index < start) continue;
    try {
      const told = succeeded ? listener.onSuccess?.(event) : listener.onFailure?.(event);
      if (isPromise(told)) {
        return told.then(
          () => tellFrom(index + 1, deps, event),
          (error: unknown) => failed(name, error) ?? tellFrom(index + 1, deps, event),
        );
      }
    } catch (error) {
      const failing = failed(name, error);
      if (failing !== undefined) return failing;
    }
  }
  return undefined;
}
