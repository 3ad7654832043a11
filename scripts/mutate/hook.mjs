// @ts-check
// In every process of a test of `npm run mutate`: one file of ours is another than the one on the disk, which
// nobody ever changes. Where there is no mutant, it only counts what ran.

import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { takeCoverage } from "node:v8";
import { isMainThread, Worker } from "node:worker_threads";

const control = process.env["MUTATION_CONTROL"];
if (control !== undefined) {
  const mutant = /** @type {{ readonly url: string, readonly source: string } | null} */ (
    JSON.parse(readFileSync(control, "utf8"))
  );
  if (mutant !== null) {
    registerHooks({
      load: (url, context, nextLoad) =>
        url === mutant.url
          ? { format: "module-typescript", source: mutant.source, shortCircuit: true }
          : nextLoad(url, context),
    });
  }
}

// What loops for ever blocks its own timers, but not those of another thread.
const limit = Number(process.env["MUTATION_MILLISECONDS"] ?? 0);
if (isMainThread && limit > 0) {
  const text = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${limit})`;
  new Worker(text, { eval: true, execArgv: [], env: {} }).unref();
}

// Vitest tells its processes to stop, and ends them before V8 writes anything down by itself.
const isOfVitest = process.argv[1]?.endsWith("/vitest/dist/workers/forks.js") === true;
const coverageFolder = process.env["NODE_V8_COVERAGE"];
if (isMainThread && isOfVitest && coverageFolder !== undefined) {
  process.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("type" in message)) return;
    if (message.type !== "stop") return;
    takeCoverage();
    writeFileSync(join(coverageFolder, "written"), "");
  });
}
