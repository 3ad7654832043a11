// Packages in a few files: who gets them, who does not, and that none is there twice.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  packedFolder,
  type PackedFiles,
  packedListName,
} from "../../adapters/system/packed-packages.ts";
import { readSourceFiles } from "../tidy/source-files.ts";
import { endChildren, makeFolder, projectRoot, startChild } from "./child.ts";

const preload = pathToFileURL(join(projectRoot, "adapters/system/packed-packages.ts")).href;

let packed: PackedFiles;
beforeAll(async () => {
  const child = startChild(["scripts/pack-packages.ts"]);
  if ((await child.ended).code !== 0) throw new Error(child.errors());
  packed = JSON.parse(readFileSync(join(packedFolder(), packedListName), "utf8")) as PackedFiles;
});
afterEach(endChildren);

async function placeOf(name: string, environment: Readonly<Record<string, string>>) {
  const program = `console.log(import.meta.resolve(${JSON.stringify(name)}))`;
  const parameters = ["--import", preload, "--input-type=module", "--eval", program];
  const child = startChild(parameters, { NODE_COMPILE_CACHE: makeFolder(), ...environment });
  if ((await child.ended).code !== 0) throw new Error(child.errors());
  return child.output().trim();
}

describe("where a package comes from", () => {
  test("packed, where Node keeps what it has compiled", async () => {
    const file = join(packedFolder(), packed["kysely"] ?? "");
    expect(await placeOf("kysely", {})).toBe(pathToFileURL(file).href);
    expect(await placeOf("pino", {})).toContain("/node_modules/pino/");
  });

  test.each([
    ["in production", { NODE_ENV: "production" }],
    ["where Node keeps nothing", { NODE_COMPILE_CACHE: "" }],
    ["where Node is told to keep nothing", { NODE_DISABLE_COMPILE_CACHE: "1" }],
  ])("as npm has installed it %s", async (_name, environment) => {
    expect(await placeOf("kysely", environment)).toContain("/node_modules/kysely/");
  });
});

/** Bound to a name or not, but no types. */
const imported = /^(?:import|export) (?!type )(?:[^;"]*? from )?"([@a-z][^":]*)";$/gm;

test("whatever a server imports of a packed package is packed: it would be there twice", () => {
  const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0];
  const packages = new Set(Object.keys(packed).map(packageOf));
  const files = readSourceFiles("{adapters,generated,handlers,service}/**/*.ts");
  const names = Array.from(files.values()).flatMap((text) =>
    Array.from(text.matchAll(imported), ([, name = ""]) => name),
  );
  expect(names).toContain("kysely");
  const once = new Set(names.filter((name) => packages.has(packageOf(name))));
  expect([...once].filter((name) => !Object.hasOwn(packed, name))).toEqual([]);
});

test("the launcher starts a server with them, and it answers", async () => {
  const child = startChild(["scripts/launch.mjs", "adapters/main.ts"], { PORT: "0" });
  const output = await child.waitFor(/listening on/);
  const url = /listening on (http:[^"]+)"/.exec(output)?.[1];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  // Linux alone says of a process how it was called.
  if (process.platform !== "linux") return;
  expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8").split("\0")).toContain(preload);
});
