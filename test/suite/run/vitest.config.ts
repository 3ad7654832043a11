// Not one of our tests: a small project that reporter.test.ts runs, with files that share processes.

import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { MatrixReporter } from "../../../generator/suite/reporter.ts";

const operation = "makeThing";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.cells.ts"],
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    experimental: { viteModuleRunner: false },
    reporters: [
      new MatrixReporter({
        documented: [
          {
            operation,
            title: "POST /things",
            cells: [
              { operation, status: 201 },
              { operation, status: 409, code: "taken" },
              { operation, status: 409, code: "full" },
            ],
          },
        ],
        files: ["one", "two"].map((name) => join(import.meta.dirname, `${name}.cells.ts`)),
        folder: process.env["REPORTS"] ?? "",
      }),
    ],
  },
});
