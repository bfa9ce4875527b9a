import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { testFolder } from "./cli.ts";
import { rawConnection } from "./raw-http.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Once the server accepts no more connections. */
async function untilRefused(url: string): Promise<boolean> {
  for (;;) {
    try {
      const connection = await rawConnection(url);
      connection.socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      return true; // refused, which is what is waited for
    }
  }
}

test.skipIf(process.platform === "win32")(
  "SIGTERM to npm start ends the server too, which the shell between them is not told of",
  async () => {
    const flags = ["--instance-root", testFolder(), "--port", "0"];
    const npm = spawn("npm", ["start", "--", ...flags], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // What the test has started is a group of its own; nothing of it may be left, however the test ends.
    onTestFinished(() => {
      try {
        process.kill(-(npm.pid as number), "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    });
    let out = "";
    const url = await new Promise<string>((resolve, reject) => {
      npm.once("exit", (code) => reject(new Error(`npm ended with ${code}: ${out}`)));
      npm.stdout.setEncoding("utf8").on("data", (text) => {
        out += text;
        const line = /^ready (\S+)$/m.exec(out)?.[1];
        if (line !== undefined) resolve(line);
      });
    });
    npm.kill("SIGTERM");
    await expect(untilRefused(url)).resolves.toBe(true);
  },
);
