import { KinoraError } from "../errors.ts";
import type { Configurable, FilterOutcome, Subject } from "../plugin/contract.ts";
import type { Authenticator } from "./authenticator.ts";
import type { ChainStep } from "./chain.ts";
import type { ChainTable } from "./chain-table.ts";
import type { PipelineDescription } from "./describe.ts";
import { Exchange, type PipelineRequest } from "./exchange.ts";
import type { ChainExplanation } from "./explain.ts";
import type { ObjectHealth } from "./lifecycle.ts";
import { isPromise } from "./realm-call.ts";

export type { PipelineRequest } from "./exchange.ts";

/** What a request is when it has passed its chain. Without a subject the chain lets anonymous callers pass. */
export interface Passed {
  readonly subject: Subject | undefined;
  /** `WWW-Authenticate` for a refusal further down. */
  readonly challenge: string;
}

/** How a request leaves the pipeline: passed, or answered by a filter. */
export type PipelineOutcome = Passed | Response;

/** The security framework as `security.ini` composes it. */
export interface SecurityPipeline {
  /**
   * Takes a request through the chain of its path; without a promise when no filter needs one. Throws `no-chain` when
   * no chain matches. A filter that throws, or answers neither a response nor `"next"`, fails the request: it is never
   * let through.
   */
  run(request: PipelineRequest): PipelineOutcome | Promise<PipelineOutcome>;
  /** Asks the realms about credentials that a route was handed, as a filter would; the lockout counts it. */
  authenticate: Authenticator["authenticate"];
  /** The chain that a request would take, and why. Throws `invalid-path` for a path that cannot be read. */
  explain(target: string, method: string): ChainExplanation;
  /** Starts what plugins have made, each after what it refers to. Rejects with `NotStarted`, all that failed named. */
  start(): Promise<void>;
  /** Stops everything that was started, in the reverse order. Never rejects. */
  stop(): Promise<void>;
  /** The health of everything that can tell. Never rejects. */
  health(): Promise<readonly ObjectHealth[]>;
  describe(): PipelineDescription;
  /** What an administrator can replace under a name, when an object of the file offers it. */
  configurable(name: string): Configurable | undefined;
}

/** Makes the function that takes requests through their chains. */
export function createRun(chains: ChainTable, authenticator: Authenticator): SecurityPipeline["run"] {
  return (request) => {
    const chain = chains.find(request);
    if (chain === undefined) throw new KinoraError("no-chain");
    return walk(new Exchange(request, chain, authenticator), chain.steps);
  };
}

function walk(exchange: Exchange, steps: readonly ChainStep[]): PipelineOutcome | Promise<PipelineOutcome> {
  for (; exchange.step < steps.length; exchange.step++) {
    const step = steps[exchange.step];
    if (step === undefined) break;
    const outcome = step.filter.handle(exchange);
    if (outcome === "next") continue;
    if (isPromise(outcome)) return outcome.then((settled) => goOn(exchange, steps, step, settled));
    return responseOf(step, outcome);
  }
  return exchange;
}

function goOn(
  exchange: Exchange,
  steps: readonly ChainStep[],
  step: ChainStep,
  outcome: FilterOutcome,
): PipelineOutcome | Promise<PipelineOutcome> {
  if (outcome !== "next") return responseOf(step, outcome);
  exchange.step++;
  return walk(exchange, steps);
}

/** A response by its members: frameworks replace the global class, so that `instanceof` would refuse some of them. */
function responseOf(step: ChainStep, outcome: Response): Response {
  if (typeof outcome === "object" && outcome !== null && "headers" in outcome && "status" in outcome) return outcome;
  throw new TypeError(`The filter ${step.name} answered neither a response nor "next"`);
}
