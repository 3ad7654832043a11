import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

// Property tests (fast-check) draw their cases from one seed. To repeat a run: SEED=123 npm test
const seed = process.env["SEED"] ?? String(Date.now() % 2_147_483_647);
process.stderr.write(`fast-check seed: SEED=${seed}\n`);

/** They start many processes or play for long: at the end they would keep one worker waiting for the other. */
const longest = [
  "threats/first-start",
  "database/crash",
  "simulation/simulation",
  "signer/identity",
  "programs/demo",
  "programs/stop",
  "generator/command",
  "operator/program",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's: what vitest would do
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/storage-setup.ts", "test/support/browser-setup.ts"],
    setupFiles: ["test/programs/fast-check-seed.ts"],
    env: { SEED: seed },
    // Real servers and child processes, and no threads: signals are of a process.
    pool: "forks",
    maxWorkers: 2,
    // Files one after the other in the same process find our code, and the embedded database's, compiled:
    // half of all time went there. Who watches edits that code.
    isolate: !process.argv.includes("run"),
    sequence: { sequencer: LongestFirst },
    globals: false,
    // Node runs our TypeScript as it is; through Vite each file would start a second later.
    experimental: { viteModuleRunner: false },
    reporters: ["default"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
