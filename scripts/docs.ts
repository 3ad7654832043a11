// Writes docs/reference from the contract, and builds the site of docs/: npm run docs

import { parseArgs } from "node:util";
import { writeReference } from "./reference/write.ts";
import { buildSite, siteFolder } from "./site/build.ts";

const usage = `npm run docs -- [--base /docs/]

Writes docs/reference from spec/openapi.yaml and the examples, and builds the site into dist/docs: static files, which a
server that is started from here serves at /docs.

  --base PATH   where the pages will be, when a proxy has them elsewhere: begins and ends with a slash
`;

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "/docs/" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else if (!/^\/(?:[\w.~-]+\/)*$/.test(values.base)) {
  console.error(
    `--base ${values.base} is no path that begins and ends with a slash, such as /pay/docs/`,
  );
  process.exitCode = 2;
} else {
  await writeReference();
  console.log("docs/reference is written");
  await buildSite({ folder: siteFolder, base: values.base, isForced: true });
  console.log(`the site is in ${siteFolder}: index.html is its first page`);
}
