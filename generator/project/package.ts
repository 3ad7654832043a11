// package.json of a new project, and its configuration: with which packages it runs, and how it gets this generator.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isPackaged, modulesFolder, ownFolder } from "../own-folders.ts";

/** What the files of a project import. */
export const dependencies = {
  "@hono/node-server": "2.1.8",
  "@hono/zod-openapi": "1.6.3",
  hono: "4.13.19",
  zod: "4.6.7",
};

/** What its compiler and its tests need. */
export const toolPackages = {
  "@types/node": "24.19.2",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  "fast-check": "4.10.2",
  typescript: "5.9.3",
  vitest: "5.1.1",
};

const packageName = "contract-generator";

/** @param target absolute path of the project */
export function packageText(name: string, target: string): string {
  const generator = isPackaged ? { [packageName]: ownVersion(target) } : {};
  const manifest = {
    name:
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9._-]+/g, "-")
        .replace(/^[._]+/, "") || "server",
    version: "0.0.0",
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    scripts: {
      start: "node server.ts",
      test: "vitest run",
      types: "tsc",
      generate: isPackaged ? packageName : `node ${wayTo(join(ownFolder, "main.ts"), target)}`,
    },
    dependencies,
    devDependencies: sorted({ ...toolPackages, ...generator }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** In the generator's own repository there is no package to import the types from. */
export function configurationText(spec: string): string {
  const configuration = `{
  contracts: {
    api: { spec: ${JSON.stringify(spec)}, out: "generated", handlers: "handlers" },
  },
}`;
  return isPackaged
    ? `import { defineConfig } from "${packageName}";\n\nexport default defineConfig(${configuration});\n`
    : `export default ${configuration};\n`;
}

/** The tarball or folder that it has been installed from, else where it lies. */
function ownVersion(target: string): string {
  // npm's own record of what it has installed
  const record = join(modulesFolder, ".package-lock.json");
  const lock = existsSync(record) ? parse(record) : {};
  const resolved = lock.packages?.[`node_modules/${packageName}`]?.resolved;
  if (resolved?.startsWith("file:") === true) {
    return `file:${wayTo(resolve(dirname(modulesFolder), resolved.slice("file:".length)), target)}`;
  }
  // no registry has it: this very folder
  return `file:${wayTo(ownFolder, target)}`;
}

/** What is read of a package.json or of npm's record. */
interface Manifest {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

function parse(path: string): Manifest {
  // npm has written it
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}

function wayTo(path: string, from: string): string {
  return relative(from, path).split(sep).join("/");
}

function sorted(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(versions).toSorted();
  return Object.fromEntries(names.map((name) => [name, versions[name] ?? ""]));
}
