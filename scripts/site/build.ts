// Builds the site into a folder of its own and puts that in place of the one before, so that nobody ever finds half of it.
// Two builds at once wait for one another, and the second has nothing left to do.

import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { docsFolder, sitePages } from "./pages.ts";
import { withLock } from "./lock.ts";

const root = join(docsFolder, "..");
export const siteFolder = join(root, "dist", "docs");
/** In the site: the hash of what it was made of, its base, and its files with their hashes. */
export const sourcesFile = "sources.txt";

export interface BuildOptions {
  /** where the site is to be */
  readonly folder: string;
  /** the path of its pages in their addresses: begins and ends with a slash; undefined: of the site that is there, or /docs/ */
  readonly base: string | undefined;
  /** also where it is as its sources say */
  readonly isForced: boolean;
}

/** @returns whether it was built: otherwise it was there already */
export async function buildSite({ folder, base: asked, isForced }: BuildOptions): Promise<boolean> {
  mkdirSync(dirname(folder), { recursive: true });
  return withLock(`${folder}.lock`, async () => {
    const there = sourcesOf(folder);
    const base = asked ?? there?.base ?? "/docs/";
    const hash = sourcesHash(base);
    if (!isForced && hash === there?.hash) return false;
    const made = `${folder}.tmp`;
    const before = `${folder}.old`;
    // What somebody was killed over.
    for (const one of [made, before]) rmSync(one, { recursive: true, force: true });
    // Here, since it is large, and most starts have nothing to build.
    const { build } = await import("vitepress");
    await build(docsFolder, {
      base,
      outDir: made,
      onAfterConfigResolve: (config) => {
        config.tempDir = pagesFolder(folder);
      },
    });
    const lines = [hash, base, ...filesOf(made)];
    writeFileSync(join(made, sourcesFile), `${lines.join("\n")}\n`);
    try {
      renameSync(folder, before);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    renameSync(made, folder);
    rmSync(before, { recursive: true, force: true });
    return true;
  });
}

/** As the server wants them: `<SHA-256 in hexadecimal> <path>`. */
function filesOf(folder: string): readonly string[] {
  const entries = globSync("**/*", { cwd: folder, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const place = join(entry.parentPath, entry.name);
      const hash = createHash("sha256").update(readFileSync(place)).digest("hex");
      return `${hash} ${relative(folder, place).replaceAll(sep, "/")}`;
    })
    .toSorted();
}

/** For pages on their way to HTML, which are modules until then: two sites may be built at once, and packages are found. */
function pagesFolder(folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join(root, "node_modules", ".cache", `docs-pages-${name}`);
}

/** Of all that the site is made of: its pages, their programs, and the program that makes it. */
function sourcesHash(base: string): string {
  const hash = createHash("sha256").update(base);
  const programs = [
    "docs/.vitepress/**/*",
    "docs/images/*",
    "scripts/site/*.ts",
    "scripts/reference/*.ts",
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => /\.\w+$/.test(path) && !path.includes(".timestamp-"));
  const pages = sitePages().map((page) => `docs/${page}`);
  for (const path of [...pages, ...programs.toSorted(), "node_modules/vitepress/package.json"]) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

interface Sources {
  readonly hash: string | undefined;
  readonly base: string | undefined;
}

/** Undefined: there is no site. */
function sourcesOf(folder: string): Sources | undefined {
  try {
    const [hash, base] = readFileSync(join(folder, sourcesFile), "utf8").trim().split("\n");
    return { hash, base };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
