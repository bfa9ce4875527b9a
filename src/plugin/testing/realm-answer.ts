import type { RealmAnswer } from "../contract.ts";

const words: readonly unknown[] = ["not mine", "rejected", "unavailable"];

/** Says what keeps a value from being a realm's answer, as a sentence. */
export function answerProblem(answer: unknown): string | undefined {
  if (words.includes(answer)) return undefined;
  if (typeof answer !== "object" || answer === null) {
    return `It answered ${JSON.stringify(answer) ?? String(answer)}, which is no account, "not mine", "rejected" or "unavailable"`;
  }
  const account = answer as Readonly<Record<string, unknown>>;
  if (typeof account.userName !== "string" || account.userName === "") return "The account has no userName";
  for (const list of ["roles", "permissions"]) {
    if (account[list] !== undefined && !isTexts(account[list]))
      return `The account's ${list} are not an array of texts`;
  }
  if (account.expires !== undefined && typeof account.expires !== "number") {
    return "The account's expires is not a number of milliseconds";
  }
  return undefined;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** An answer in a few words, without what it carries. */
export function shownAnswer(answer: RealmAnswer): string {
  return typeof answer === "string" ? `"${answer}"` : `the account ${answer.userName}`;
}
