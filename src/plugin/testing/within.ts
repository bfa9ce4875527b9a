/** Answers that did not come in time. */
export const late: unique symbol = Symbol("late");

/** Waits for an answer, at most for a time. A synchronous answer is handed on as it is. */
export async function within<T>(milliseconds: number, answer: T | Promise<T>): Promise<T | typeof late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
