import { whenParentIsGone } from "./parent-gone.ts";

const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Resolves with the first signal that asks the process to end, or when the npm that started it has ended. A second
 * signal ends the process without further ado.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
    whenParentIsGone(() => {
      asked = true;
      resolve("end of npm");
    });
  });
}
