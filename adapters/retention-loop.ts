// Forgets every minute what is past its time: used nonces, answers kept for replays.

import type { RetentionCounts } from "../service/retention.ts";
import type { Logger } from "./logging.ts";

const pauseMilliseconds = 60_000;
export const retentionBatchSize = 1000;
/** In one go; what is left waits for the next minute. */
const batchesMax = 200;

export interface RetentionPorts {
  readonly run: () => Promise<RetentionCounts>;
  readonly log: Pick<Logger, "error">;
}

export interface RetentionLoop {
  /** Waits for the batch under way. */
  readonly stop: () => Promise<void>;
}

export function startRetention({ run, log }: RetentionPorts): RetentionLoop {
  const state = { isStopping: false };
  let underWay: Promise<void> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    try {
      for (let batch = 0; batch < batchesMax && !state.isStopping; batch++) {
        const counts = Object.values(await run());
        if (counts.every((count) => count < retentionBatchSize)) return;
      }
    } catch (error) {
      log.error({ err: error }, "forgetting what is past its time failed");
    }
  };
  const timer = setInterval(() => {
    underWay = underWay.then(sweep);
  }, pauseMilliseconds).unref();
  return {
    stop: () => {
      state.isStopping = true;
      clearInterval(timer);
      return underWay;
    },
  };
}
