/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  /** `wrong` keeps the server from running as it should, `doubt` may be meant. */
  readonly state: "ok" | "doubt" | "wrong";
  /** What was found. Sentence case, no final period. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function ok(what: string, message: string): Finding {
  return { what, state: "ok", message };
}

export function doubt(what: string, message: string, fix: string): Finding {
  return { what, state: "doubt", message, fix };
}

export function wrong(what: string, message: string, fix: string): Finding {
  return { what, state: "wrong", message, fix };
}
