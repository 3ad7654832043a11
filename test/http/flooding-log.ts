// Writes LINES lines to its log without a pause, then says what memory it has, and when all is written.

import { buildLogger, openStandardOutput } from "../../adapters/system/logging.ts";

const output = openStandardOutput();
const log = buildLogger("info", output);
const before = process.memoryUsage().rss;
const note = "x".repeat(1_000);
for (let line = 0; line < Number(process.env["LINES"]); line++) log.info({ line, note }, "a line");
process.stderr.write(`${process.memoryUsage().rss - before}\n`);
// Until its reader comes.
process.stdin.once("end", () => {
  void output.flush().then(() => {
    log.info("the last one");
    void output.flush().then(() => process.exit(0));
  });
});
process.stdin.resume();
