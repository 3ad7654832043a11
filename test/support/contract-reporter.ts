// The matrix of this contract: all files of test/contract/ together meet every cell of the document.

import { globSync } from "node:fs";
import { join } from "node:path";
import { MatrixReporter } from "../../generator/suite/reporter.ts";
import { documented } from "./contract-cells.ts";

const root = join(import.meta.dirname, "..", "..");

export const contractReporter = new MatrixReporter({
  documented,
  files: globSync("test/contract/**/*.test.ts", { cwd: root }).map((file) => join(root, file)),
  folder: join(root, "test-results", "contract"),
});
