// Contracts of the local chain, compiled where they are used: no bytecode is committed. The result
// is kept in node_modules/.cache under a name that says what it was made of.

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Abi, Hex } from "viem";

export interface Contract {
  readonly abi: Abi;
  /** of the transaction that makes it, without the arguments of its constructor */
  readonly creationCode: Hex;
  /** what stands at its address; of a contract with immutables not usable as it is */
  readonly runtimeCode: Hex;
}

export type Contracts = ReadonlyMap<string, Contract>;

interface SolidityInput {
  readonly language: "Solidity";
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: object;
}

/** What the worker is given. */
export interface CompileOrder {
  readonly input: string;
  readonly openZeppelinFolder: string;
}

/** What the compiler answers, as far as it is read here. */
interface SolidityOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: Abi;
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: { readonly object: string };
            };
          }
        >
      >
    >
  >;
}

const nodeModules = join(import.meta.dirname, "..", "..", "node_modules");
export const contractCacheFolder = join(nodeModules, ".cache", "merchant-contracts");

/** How the entries of the cache are written. */
const cacheFormat = 1;

const outputs = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"];

/**
 * All contracts of the files in these folders, by name; two of one name are refused. The compiler
 * takes seconds and is not even loaded when the cache has them.
 */
export async function compileContracts(
  folders: readonly string[],
  cacheFolder: string = contractCacheFolder,
): Promise<Contracts> {
  const input = readInput(folders);
  const compiler = packageFolder("solc");
  const library = packageFolder("@openzeppelin/contracts");
  const key = createHash("sha256")
    .update(JSON.stringify([cacheFormat, compiler.version, library.version, input]))
    .digest("hex");
  const path = join(cacheFolder, `${key}.json`);
  const kept = readKept(path);
  if (kept !== undefined) return kept;
  const contracts = contractsOf(
    await runCompiler({ input: JSON.stringify(input), openZeppelinFolder: library.folder }),
  );
  keep(path, contracts);
  return contracts;
}

function readInput(folders: readonly string[]): SolidityInput {
  const sources: Record<string, { readonly content: string }> = {};
  const wanted: Record<string, { readonly "*": readonly string[] }> = {};
  for (const folder of folders) {
    for (const file of readdirSync(folder).toSorted()) {
      if (!file.endsWith(".sol")) continue;
      if (sources[file] !== undefined) throw new Error(`${file} is in two folders of contracts`);
      sources[file] = { content: readFileSync(join(folder, file), "utf8") };
      wanted[file] = { "*": outputs };
    }
  }
  const settings = {
    // Smaller is better here than quicker, and the newest rules are not on every chain yet.
    optimizer: { enabled: true, runs: 200 },
    evmVersion: "prague",
    outputSelection: wanted,
  };
  return { language: "Solidity", sources, settings };
}

function packageFolder(name: string): { readonly folder: string; readonly version: string } {
  const require = createRequire(import.meta.url);
  try {
    const file = require.resolve(`${name}/package.json`);
    // Each package has one, with its version.
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
    return { folder: join(file, ".."), version };
  } catch (cause) {
    throw new Error(
      `The local chain is for development and needs the package ${name}: install with ` +
        '"npm ci", without --omit=dev.',
      { cause },
    );
  }
}

/** In a thread of its own, whose 200 MB go with it; this one goes on meanwhile. */
async function runCompiler(order: CompileOrder): Promise<SolidityOutput> {
  const worker = new Worker(new URL("./solidity-worker.ts", import.meta.url), {
    workerData: order,
  });
  const output = await new Promise<string>((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.once("exit", () => reject(new Error("the Solidity compiler ended without an answer")));
  });
  await worker.terminate();
  return JSON.parse(output) as SolidityOutput; // in the form that the compiler documents
}

function contractsOf(output: SolidityOutput): Contracts {
  const problems = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (problems.length > 0) {
    throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }
  const contracts = new Map<string, Contract>();
  for (const file of Object.values(output.contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(file)) {
      // Interfaces and abstract contracts have none.
      if (evm.bytecode.object === "") continue;
      if (contracts.has(name)) throw new Error(`two contracts are called ${name}`);
      contracts.set(name, {
        abi,
        creationCode: `0x${evm.bytecode.object}`,
        runtimeCode: `0x${evm.deployedBytecode.object}`,
      });
    }
  }
  return contracts;
}

function readKept(path: string): Contracts | undefined {
  try {
    // Written by `keep`, whole or not at all, under the hash of what it was made of.
    return new Map(JSON.parse(readFileSync(path, "utf8")) as readonly [string, Contract][]);
  } catch {
    return undefined;
  }
}

/** Several processes may do so at once: each renames a whole file, and all hold the same. */
function keep(path: string, contracts: Contracts): void {
  const draft = join(path, "..", `.${basename(path)}.${randomUUID()}`);
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(draft, JSON.stringify([...contracts]));
    renameSync(draft, path);
  } catch {
    // Without the cache it only takes longer: the folder may be read-only.
  }
}
