const checkIntervalMs = 250;

/**
 * Calls back once when the program that started this one has gone, under npm only. npm hands a signal to the shell
 * between it and this process; the shell ends and hands on nothing, and a server that nobody knows of would keep its
 * port. Does not keep the process alive.
 */
export function whenParentIsGone(gone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, checkIntervalMs);
  timer.unref();
}
