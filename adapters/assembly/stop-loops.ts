// Ends what works in the background, when the process stops.

import type { DispatcherLoop } from "../webhooks/dispatcher-loop.ts";
import type { Logger } from "../system/logging.ts";
import type { JobLoop } from "./job-loop.ts";

/** Deliveries under way when the process stops get this long; others are sent by somebody later. */
const stopDispatcherMilliseconds = 5_000;

interface Loops {
  readonly loop: DispatcherLoop;
  readonly jobLoop: JobLoop;
  readonly log: Pick<Logger, "warn">;
}

export async function stopLoops({ loop, jobLoop, log }: Loops): Promise<void> {
  const stopped = [loop.stop(stopDispatcherMilliseconds), jobLoop.stop()] as const;
  const [isClean, areJobsDone] = await Promise.all(stopped);
  if (!areJobsDone) log.warn("stopping: left a job in the middle of a batch");
  if (!isClean) log.warn("stopping: left webhook deliveries under way to their next attempt");
}
