// npm run pay: the command pay of the developer tool.

import { runTool } from "./client/tool/tool.ts";

process.exitCode = await runTool(["pay", ...process.argv.slice(2)], "npm run pay --");
