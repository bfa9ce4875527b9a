const signals = ["SIGTERM", "SIGINT"] as const;

/** Resolves with the first signal that asks the process to end. The second one ends it without further ado. */
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
  });
}
