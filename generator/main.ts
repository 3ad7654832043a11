#!/usr/bin/env node
// The program `npm run generate`.

import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolder } from "./own-folders.ts";

// Much of a short run is loading modules: what is imported from here on is compiled once.
enableCompileCache(join(cacheFolder, "compiled"));
const { runCommand } = await import("./command.ts");
const { screenOf } = await import("./command/screen.ts");

process.exitCode = await runCommand(process.argv.slice(2), {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
  screen: screenOf(process.stderr, process.env),
});
