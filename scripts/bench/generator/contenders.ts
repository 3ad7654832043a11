// Generators, and what each is called with to write what ours writes, or the nearest to it.

import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Contender {
  readonly label: string;
  /** with their versions; none where it is installed here */
  readonly packages: readonly string[];
  /** the program, and what it is called with; `folder` is empty but for openapi.yaml */
  readonly command: (folder: string, modules: string) => readonly string[];
}

const root = join(import.meta.dirname, "../../..");
const document = "openapi.yaml";

/** The yardstick: it makes types only. */
export const types: Contender = {
  label: "openapi-typescript (types only)",
  packages: [],
  command: (folder) => [
    binaryOf("openapi-typescript", join(root, "node_modules")),
    join(folder, document),
    "--output",
    join(folder, "types.ts"),
  ],
};

export const ownSources = join(root, "generator/main.ts");

/** Packs the generator as `npm run pack:generator` does, and installs it. @returns its program */
export function installOurs(folder: string): string {
  const words = [join(root, "scripts/pack-generator.ts"), folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`packing failed: ${stdout}${stderr}`);
  const tarball = stdout.trim().split("\n").at(-1) ?? "";
  return binaryOf("contract-generator", install(folder, [tarball]));
}

/**
 * @param program of the sources or of the package
 * @param allow codes of problems that are no reason to stop, with commas
 */
export function ours(label: string, program: string, allow: string): Contender {
  return {
    label,
    packages: [],
    command: (folder) => [
      program,
      "--spec",
      join(folder, document),
      "--out",
      join(folder, "generated"),
      "--no-handlers",
      ...(allow === "" ? [] : ["--allow", allow]),
    ],
  };
}

export const peers: Readonly<Record<string, Contender>> = {
  "hono-takibi": {
    label: "hono-takibi 0.9.995",
    packages: ["hono-takibi@0.9.995"],
    command: (folder, modules) => [
      binaryOf("hono-takibi", modules),
      join(folder, document),
      "-o",
      join(folder, "routes.ts"),
    ],
  },
  orval: {
    label: "Orval 8.38.0 (zod alone)",
    packages: ["orval@8.38.0"],
    command(folder, modules) {
      const target = join(folder, "orval.ts");
      const output = { mode: "single", target, client: "zod" };
      const path = join(folder, "orval.config.cjs");
      const config = { all: { input: { target: join(folder, document) }, output } };
      writeFileSync(path, `module.exports = ${JSON.stringify(config)};\n`);
      return [binaryOf("orval", modules), "--config", path];
    },
  },
  "hey-api": {
    label: "hey-api 0.99.0 (types and zod)",
    packages: ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"],
    command: (folder, modules) => [
      binaryOf("@hey-api/openapi-ts", modules),
      "-i",
      join(folder, document),
      "-o",
      join(folder, "hey"),
      "-p",
      "@hey-api/typescript",
      "zod",
    ],
  },
  kubb: {
    label: "kubb 4.39.3 (types and zod)",
    packages: ["cli", "core", "plugin-oas", "plugin-ts", "plugin-zod"].map(
      (name) => `@kubb/${name}@4.39.3`,
    ),
    command(folder, modules) {
      const load = (name: string): string => join(modules, "@kubb", name, "dist/index.js");
      const path = join(folder, "kubb.config.mjs");
      writeFileSync(
        path,
        `import { defineConfig } from ${JSON.stringify(load("core"))};\n` +
          `import { pluginOas } from ${JSON.stringify(load("plugin-oas"))};\n` +
          `import { pluginTs } from ${JSON.stringify(load("plugin-ts"))};\n` +
          `import { pluginZod } from ${JSON.stringify(load("plugin-zod"))};\n` +
          `export default defineConfig({ root: ${JSON.stringify(folder)}, input: { path: "./${document}" },` +
          ` output: { path: "./kubb", clean: true }, plugins: [pluginOas(), pluginTs(), pluginZod()] });\n`,
      );
      return [binaryOf("@kubb/cli", modules), "generate", "--config", path];
    },
  },
};

/** Puts the packages into a folder of their own. @throws Error with what npm says */
export function install(folder: string, packages: readonly string[]): string {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...packages],
    { cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`npm install ${packages.join(" ")} failed: ${stderr}`);
  return join(folder, "node_modules");
}

/** The first program of a package. */
function binaryOf(name: string, modules: string): string {
  const path = join(modules, name, "package.json");
  if (!existsSync(path)) throw new Error(`${name} is not installed in ${modules}`);
  const manifest = createRequire(path)(path) as { readonly bin: string | Record<string, string> };
  const { bin } = manifest;
  const file = typeof bin === "string" ? bin : Object.values(bin)[0];
  if (file === undefined) throw new Error(`${name} has no program`);
  return join(dirname(path), file);
}
