import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";
import { contractReporter, relationReporter } from "./test/support/contract-reporter.ts";
import { projectsOf } from "./test/support/projects.ts";
import { runningReporter } from "./test/support/running-reporter.ts";
import { seedOf } from "./test/support/seed.ts";

// Property tests (fast-check) draw their cases from one seed. To repeat a run: SEED=123 npm test
const seed = seedOf(process.env);
process.stderr.write(`fast-check seed: SEED=${seed}\n`);

/** Vitest takes each word that is no option for a part of a file's path. */
const named = process.argv
  .slice(2)
  .filter((word) => !word.startsWith("-") && (word.includes("/") || word.endsWith(".ts")))
  .map((word) => word.replace(/^\.\//, ""));

/** The slow ones first, the longest of them at the front; in the other projects it is Vitest's own order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's: what vitest would do
    const sorted = await super.sort(files);
    const slow = sorted.filter(({ project }) => project.name === "slow");
    const place = ({ moduleId, project }: TestSpecification): number =>
      project.config.include.findIndex((path) => moduleId.endsWith(`/${path}`));
    return [
      ...slow.toSorted((a, b) => place(a) - place(b)),
      ...sorted.filter((file) => !slow.includes(file)),
    ];
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    projects: projectsOf(mode, named).map(({ name, files, ...provide }) => ({
      extends: true,
      test: { name, include: [...files], provide },
    })),
    globalSetup: ["test/support/shared-setup.ts"],
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
    reporters: ["default", contractReporter, relationReporter, runningReporter],
    // They end what hangs, and nothing else: the longest test takes a minute on an idle machine. To end it
    // sooner: --testTimeout 20000
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
}));
