// Whoever waits for a run that does not end is told which file it is at.

import { expect, test, vi } from "vitest";
import { RunningReporter } from "../support/running-reporter.ts";

test("a file that runs for long is named, and none that has ended", async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const reporter = new RunningReporter({ everyMilliseconds: 5, write });
  reporter.onTestRunStart();
  for (const relativeModuleId of ["a.test.ts", "b.test.ts"]) {
    reporter.onTestModuleQueued({ relativeModuleId });
  }
  reporter.onTestModuleEnd({ relativeModuleId: "a.test.ts" });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(1));
  expect([...new Set(lines)]).toEqual(["still running: b.test.ts\n"]);
  reporter.onTestRunEnd();
});
