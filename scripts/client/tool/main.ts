#!/usr/bin/env node
// npx --no -- merchant-payments COMMAND

import { runTool } from "./tool.ts";

process.exitCode = await runTool(process.argv.slice(2));
