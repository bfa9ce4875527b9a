import type { Account, AuthenticationRequest, Credentials, PluginLog, Realm, RealmAnswer } from "../plugin/contract.ts";
import { type Redact, reasonOf } from "./redact.ts";
import { afterRunning } from "./running-time.ts";

/** A realm of the authenticator. */
export interface NamedRealm {
  readonly name: string;
  readonly realm: Realm;
  readonly accepts: ReadonlySet<Credentials["kind"]>;
  readonly reuseMs: number;
  readonly log: PluginLog;
}

export function nameRealm(name: string, realm: Realm, log: PluginLog): NamedRealm {
  const accepts = new Set(typeof realm.accepts === "string" ? [realm.accepts] : realm.accepts);
  return { name, realm, accepts, reuseMs: (realm.reuseSeconds ?? 0) * 1000, log };
}

/**
 * Asks a realm. A realm that throws, answers something that is no answer, or does not answer in time has answered
 * `unavailable`: it never lets anyone in, and never keeps another realm from being asked.
 */
export function askRealm(
  { realm, log }: NamedRealm,
  credentials: Credentials,
  request: AuthenticationRequest,
  timeoutMs: number,
  redact: Redact,
): RealmAnswer | Promise<RealmAnswer> {
  let answer: RealmAnswer | Promise<RealmAnswer>;
  try {
    answer = realm.authenticate(credentials, request);
  } catch (error) {
    return failed(log, error, redact);
  }
  if (!isPromise(answer)) return checked(answer, log);
  return withinTime(answer, timeoutMs, log).then(
    (settled) => checked(settled, log),
    (error: unknown) => failed(log, error, redact),
  );
}

function failed(log: PluginLog, error: unknown, redact: Redact): "unavailable" {
  log.error("The realm failed", { reason: reasonOf(error, redact) });
  return "unavailable";
}

function checked(answer: RealmAnswer, log: PluginLog): RealmAnswer {
  if (answer === "not mine" || answer === "rejected" || answer === "unavailable" || isAccount(answer)) return answer;
  log.error("The realm answered something that is neither an account nor an answer");
  return "unavailable";
}

/** Whether a value that a plugin gave is an account. */
export function isAccount(value: unknown): value is Account {
  if (typeof value !== "object" || value === null) return false;
  const { userName, roles, permissions, expires } = value as Readonly<Record<string, unknown>>;
  return (
    typeof userName === "string" &&
    userName !== "" &&
    isTexts(roles) &&
    isTexts(permissions) &&
    (expires === undefined || typeof expires === "number")
  );
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((text) => typeof text === "string"));
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function withinTime(answer: Promise<RealmAnswer>, timeoutMs: number, log: PluginLog): Promise<RealmAnswer> {
  return new Promise((resolve, reject) => {
    const stop = afterRunning(timeoutMs, () => {
      log.error("The realm did not answer in time", { seconds: timeoutMs / 1000 });
      resolve("unavailable");
    });
    answer.then(resolve, reject).finally(stop);
  });
}
