// The matrix of this contract: all files of test/contract/ together meet every cell of the document.

import { globSync } from "node:fs";
import { join } from "node:path";
import { MatrixReporter } from "../../generator/suite/reporter.ts";
import { documented } from "./contract-cells.ts";
import { relationNames } from "./relations/judge.ts";
import { RelationReporter } from "./relations/reporter.ts";

const root = join(import.meta.dirname, "..", "..");

const files = globSync("test/contract/**/*.test.ts", { cwd: root }).map((file) => join(root, file));

export const relationReporter = new RelationReporter({ names: relationNames, files });

export const contractReporter = new MatrixReporter({
  documented,
  files,
  folder: join(root, "test-results", "contract"),
});
