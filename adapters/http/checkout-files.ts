// The style and the script of the checkout page: two files beside this one, read at the start and
// served from memory. Their content is in their path, so browsers may keep them for ever.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { withCell } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";

interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

export interface CheckoutFiles {
  readonly script: PageFile;
  readonly style: PageFile;
}

const hashCharacters = 16;

/** @param cell whose front door knows them by the same word as its pages: each has its own version of them */
export function readCheckoutFiles(cell?: Cell): CheckoutFiles {
  return {
    script: read("page.js", "text/javascript; charset=utf-8", cell),
    style: read("page.css", "text/css; charset=utf-8", cell),
  };
}

function read(name: "page.js" | "page.css", contentType: string, cell: Cell): PageFile {
  const content = readFileSync(new URL(`../checkout-page/${name}`, import.meta.url), "utf8");
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, hashCharacters);
  return { path: `/checkout-files/${withCell(cell, hash)}/${name}`, contentType, content };
}
