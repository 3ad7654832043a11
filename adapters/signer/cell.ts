// Whose money the keys of a folder have, remembered beside them: two cells on one folder, one after the other, would sign
// with the same accounts.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cellInWords } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";
import { SignerStartError } from "./start-error.ts";

/** While nobody else has the folder, and before anything is made in it. Throws `SignerStartError`. */
export function checkCellOf(folder: string, cell: Cell): void {
  const path = join(folder, "cell");
  const known = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  if (known === cell) return;
  const isUsed = ["seed", "journal"].some((name) => existsSync(join(folder, name)));
  if (known === undefined && !isUsed) {
    // Whole or not there: one word, in a single write.
    writeFileSync(path, `${cell}\n`, { mode: 0o600, flush: true });
    return;
  }
  throw new SignerStartError(
    `The folder ${folder} is of ${cellInWords(known)}, and CELL says ${cell ?? "nothing"}: each cell has a signer and a ` +
      "SIGNER_DIR of its own.",
  );
}

/** For whoever set them up. */
