#!/usr/bin/env node
// The program `npm run generate`.

import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { screenOf } from "./command/screen.ts";
import { cacheFolder } from "./own-folders.ts";

// Much of a short run is loading modules.
enableCompileCache(join(cacheFolder, "compiled"));

process.exitCode = await runCommand(process.argv.slice(2), {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
  screen: screenOf(process.stderr, process.env),
});
