// Writes docs/reference from the contract, and builds the site of docs/: npm run docs

import { UsageError } from "../generator/command/terminal.ts";
import { readCommandLine } from "./command-line.ts";

const usage = `npm run docs -- [--base /docs/]

Writes docs/reference from spec/openapi.yaml and the examples, and builds the site into dist/docs: static files, which a
server that is started from here serves at /docs.

  --base PATH   where the pages will be, when a proxy has them elsewhere: begins and ends with a slash. A server of development
                that builds the site anew keeps it
  --help`;

const config = { options: { base: { type: "string", default: "/docs/" } } } as const;
const base = readCommandLine(usage, config, ({ values }) => {
  if (/^\/(?:[\w.~-]+\/)*$/.test(values.base)) return values.base;
  throw new UsageError(
    `--base ${values.base} is no path that begins and ends with a slash, such as /pay/docs/`,
  );
});
await writeDocs();

/** Their modules are loaded here: only those who have the packages of development have what it needs. */
async function writeDocs(): Promise<void> {
  try {
    const { writeReference } = await import("./reference/write.ts");
    const { buildSite, siteFolder } = await import("./site/build.ts");
    await writeReference();
    console.log("docs/reference is written");
    await buildSite({ folder: siteFolder, base, isForced: true });
    console.log(`the site is in ${siteFolder}: index.html is its first page`);
  } catch (error) {
    const name = packageThatIsMissing(error);
    if (name === undefined) throw error;
    console.error(
      `The site is built with packages of development, and ${name} is not installed: run "npm ci" and "npm run docs" in a ` +
        "folder that no server runs from, and copy dist/docs from there.",
    );
    process.exitCode = 1;
  }
}

/** Undefined: it is another failure. */
function packageThatIsMissing(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) {
    return undefined;
  }
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1];
}
