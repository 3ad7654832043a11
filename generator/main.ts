// The program `npm run generate`.

import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { runCommand } from "./command.ts";

// Much of a short run is loading modules.
enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/contract-generator/compiled", import.meta.url)),
);

process.exitCode = await runCommand(process.argv.slice(2), {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
});
