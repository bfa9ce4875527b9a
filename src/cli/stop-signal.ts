const signals = ["SIGTERM", "SIGINT"] as const;

/** Resolves with the first signal that asks the process to end. The second one ends it without further ado. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      process.once(signal, () => {
        for (const other of signals) process.once(other, () => process.exit(1));
        resolve(signal);
      });
    }
  });
}
