// Whose money a signer has. The keys of a cell come from the seed and the cell's name, so that two cells never sign with the
// same ones, whatever files they share; and beside the journal stands whose nonces and claims it counts.

import { existsSync, readFileSync } from "node:fs";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { cellInWords } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";
import { writeOnce } from "./durable-file.ts";
import { SignerStartError } from "./start-error.ts";

/** The seed itself where there is one cell only; else 64 bytes from which nobody finds the way back, or to another cell. */
export function seedOf(seed: Uint8Array, cell: Cell): Uint8Array {
  if (cell === undefined) return seed;
  return createHmac("sha512", seed).update(`cell ${cell}`).digest();
}

/** While nobody else has the folder, and before the journal is opened. Throws `SignerStartError`. */
export function checkJournal(folder: string, cell: Cell): void {
  const path = join(folder, "cell");
  const known = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  if (known === cell) return;
  if (known === undefined && cell !== undefined) {
    if (!existsSync(join(folder, "journal"))) {
      writeOnce(path, `${cell}\n`);
      return;
    }
    throw new SignerStartError(
      `${folder} has a journal, and no word of whose it is. Each cell has a folder of its own: name another one in ` +
        `SIGNER_DIR (where a server starts the signer: DATA_DIR). If this journal was restored, and is that of the cell ` +
        `${cell}, restore the file "cell" with it, or: echo ${cell} > ${path}`,
    );
  }
  throw new SignerStartError(
    `The journal in ${folder} is that of ${cellInWords(known)}, and CELL says ${cell ?? "nothing"}: each cell has a folder of ` +
      "its own, which SIGNER_DIR names (where a server starts the signer: DATA_DIR).",
  );
}
