// Packs packages of hundreds of modules into a few files, for whoever starts often; npm start calls it when npm has
// installed something else. What is packed is used outside of production alone.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import type { OutputChunk } from "rolldown";
import {
  packedFolder,
  type PackedFiles,
  packedListName,
} from "../adapters/system/packed-packages.ts";

/** What a server, a signer or a command imports. Those that are written as CommonJS have other exports when packed. */
const names = [
  "@hono/node-server",
  "@hono/zod-openapi",
  "@noble/curves/secp256k1.js",
  "@noble/hashes/sha3.js",
  "@scure/bip32",
  "hono",
  "hono/http-exception",
  "hono/route",
  "hono/utils/accept",
  "hono/utils/url",
  "kysely",
  "kysely/helpers/postgres",
  "pg",
  "uqr",
  "viem/accounts",
  "viem/utils",
  "zod",
];

const folder = packedFolder();
const place = dirname(folder);
const unfinished = join(place, `.${process.pid}.new`);
if (!existsSync(folder)) await make();

async function make(): Promise<void> {
  mkdirSync(unfinished, { recursive: true });
  try {
    const files = await pack();
    writeFileSync(join(unfinished, packedListName), JSON.stringify(files));
    const olderOnes = readdirSync(place).filter((name) => !name.startsWith("."));
    for (const name of olderOnes) rmSync(join(place, name), { recursive: true, force: true });
    renameSync(unfinished, folder);
  } catch (error) {
    // Two starts at once make the same.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function pack(): Promise<PackedFiles> {
  const entries = names.map((name) => [fileNameOf(name), name] as const);
  // All of them at once: what two of them use is there once, as in node_modules.
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    platform: "node",
    preserveEntrySignatures: "strict",
  });
  const { output } = await bundle.write({
    dir: unfinished,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
  const chunks = output.filter((one): one is OutputChunk => one.type === "chunk");
  for (const [file, name] of entries) {
    await compareExports(
      name,
      chunks.find((chunk) => chunk.isEntry && chunk.name === file)?.exports,
    );
  }
  return Object.fromEntries(entries.map(([file, name]) => [name, `${file}.mjs`]));
}

function fileNameOf(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/g, "_");
}

/** Better no packed package than one that lacks something. */
async function compareExports(name: string, packed: readonly string[] = []): Promise<void> {
  // A module is an object with its exports.
  const own = Object.keys((await import(name)) as object);
  const missing = own.filter((one) => !packed.includes(one));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(", ")} when packed`);
}
