// A server loads a thousand modules before it is ready, and Node takes longer to find and link one than to run it.
// Packages of hundreds of them are therefore packed into a few files, which this module, imported before everything
// else, puts in their place; and our own files, which name each other with their ends, are not looked for in several
// ways.
//
// Where Node keeps nothing that it has compiled it does nothing, as in production: what a server may write does not
// become its code at the next start.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = join(import.meta.dirname, "../../node_modules");

/** The name of a package's entry, and its file in the folder. */
export type PackedFiles = Readonly<Record<string, string>>;

/** With the list of its files; made whole and then given this name. */
export const packedListName = "packed.json";

/** Another one as soon as npm has installed anything else. */
export function packedFolder(): string {
  const installed = readFileSync(join(modules, ".package-lock.json"));
  const key = createHash("sha256").update(installed).digest("hex");
  return join(modules, ".cache", "packed-packages", key);
}

function isWanted({ NODE_ENV, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv) {
  return NODE_ENV !== "production" && Boolean(NODE_COMPILE_CACHE) && !NODE_DISABLE_COMPILE_CACHE;
}

function readPacked(): ReadonlyMap<string, string> {
  try {
    const folder = packedFolder();
    // Our own; it came to its place as a whole.
    const files = JSON.parse(readFileSync(join(folder, packedListName), "utf8")) as PackedFiles;
    return new Map(
      Object.entries(files).map(([name, file]) => [name, pathToFileURL(join(folder, file)).href]),
    );
  } catch {
    // There is none yet: everything is loaded from its own place.
    return new Map();
  }
}

/** Of a file of ours that is named by its relative path with its end; undefined: it is not. */
function ownUrl(specifier: string, parent: string | undefined): string | undefined {
  const isOwn = specifier.startsWith(".") && specifier.endsWith(".ts");
  if (!isOwn || parent === undefined || parent.includes("?")) return undefined;
  let end = parent.lastIndexOf("/");
  let rest = specifier;
  for (;;) {
    if (rest.startsWith("./")) rest = rest.slice("./".length);
    else if (rest.startsWith("../")) {
      rest = rest.slice("../".length);
      end = parent.lastIndexOf("/", end - 1);
    } else return `${parent.slice(0, end + 1)}${rest}`;
  }
}

if (isWanted(process.env)) {
  const packed = readPacked();
  registerHooks({
    resolve: (specifier, context, next) => {
      // CommonJS has a copy of its own of whatever it asks for.
      if (context.conditions.includes("require")) return next(specifier, context);
      const own = ownUrl(specifier, context.parentURL);
      if (own !== undefined) return { url: own, format: "module-typescript", shortCircuit: true };
      const url = packed.get(specifier);
      return url === undefined
        ? next(specifier, context)
        : { url, format: "module", shortCircuit: true };
    },
  });
}
