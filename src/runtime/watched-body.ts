import { KinoraError } from "../errors.ts";
import { slowestBodyBytesPerSecond } from "./running-server.ts";

/**
 * A body that fails with `body-timeout` when its sender, over a whole time-out, gets less than 1 KiB a second through.
 * Only the time in which the receiver waits for bytes counts.
 */
export function watchedBody(body: ReadableStream<Uint8Array>, timeoutMs: number): ReadableStream<Uint8Array> {
  const least = (timeoutMs / 1000) * slowestBodyBytesPerSecond;
  const reader = body.getReader();
  let windowLeftMs = timeoutMs;
  let windowBytes = 0;

  /** The next chunk, or `undefined` when the sender was too slow. */
  async function read(): Promise<ReadableStreamReadResult<Uint8Array> | undefined> {
    const next = reader.read();
    for (;;) {
      const started = performance.now();
      const result = await within(windowLeftMs, next);
      windowLeftMs -= performance.now() - started;
      if (result !== "late") {
        windowBytes += result.value?.length ?? 0;
        return result;
      }
      if (windowBytes < least) return undefined;
      windowLeftMs = timeoutMs;
      windowBytes = 0;
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const result = await read();
      if (result === undefined) {
        const error = new KinoraError("body-timeout");
        controller.error(error);
        await reader.cancel(error);
      } else if (result.done) controller.close();
      else controller.enqueue(result.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
