// npm run sign: the command sign of the developer tool.

import { runTool } from "./client/tool/tool.ts";

// npm starts scripts in the project's folder; INIT_CWD is where the person is
process.chdir(process.env["INIT_CWD"] ?? ".");
process.exitCode = await runTool(["sign", ...process.argv.slice(2)], "npm run -s sign --");
