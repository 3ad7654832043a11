// Writes LINES lines to its log without a pause, and after them ALARMS warnings, alarms and lines that are kept;
// then says what memory it has, and when all is written.

import { buildLogger } from "../../adapters/system/logging.ts";
import { openStandardOutput } from "../../adapters/system/standard-output.ts";

const output = openStandardOutput();
const log = buildLogger("info", output);
const before = process.memoryUsage().rss;
const note = "x".repeat(1_000);
for (let line = 0; line < Number(process.env["LINES"]); line++) log.info({ line, note }, "a line");
for (let alarm = 0; alarm < Number(process.env["ALARMS"] ?? 0); alarm++) {
  log.warn({ alarm }, "a warning");
  output.keep(`{"level":"info","alarm":${alarm},"msg":"signed"}\n`);
  log.error({ alarm }, "an alarm");
}
process.stderr.write(`${process.memoryUsage().rss - before}\n`);
// Until its reader comes.
process.stdin.once("end", () => {
  void output.flush().then(() => {
    log.info("the last one");
    void output.flush().then(() => process.exit(0));
  });
});
process.stdin.resume();
