// The Solidity compiler in a thread of its own, started by `compileContracts`: it takes seconds and 200 MB,
// and changes how its process treats rejected promises.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import solc from "solc";
import type { CompileOrder } from "./compile.ts";

const libraryName = "@openzeppelin/contracts/";

// Given by `compileContracts` only.
const { input, openZeppelinFolder } = workerData as CompileOrder;

function readImport(path: string): { readonly contents: string } | { readonly error: string } {
  if (!path.startsWith(libraryName)) return { error: `only ${libraryName} can be imported` };
  try {
    const file = join(openZeppelinFolder, path.slice(libraryName.length));
    return { contents: readFileSync(file, "utf8") };
  } catch (error) {
    return { error: String(error) };
  }
}

// The package leaves the type of its function open.
const compile = solc.compile as (input: string, callbacks: object) => string;
if (parentPort === null) throw new Error("solidity-worker.ts runs in a thread of compile.ts only");
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
parentPort.postMessage(compile(input, { import: readImport }));
