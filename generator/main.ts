// The program `npm run generate`.

import { runCommand } from "./command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
});
