// A process that dies at a point of its way.

import type { OutgoingConfirmerPoint } from "../../service/sending/confirmer.ts";
import type { SenderPoint } from "../../service/sending/ports.ts";

/** Where a process that sends or confirms can be stopped. */
export type Point = SenderPoint | OutgoingConfirmerPoint;

/** A process that is killed at a point: what it was doing never goes on. */
export function dyingAt(wanted: Point, times = 1) {
  const died = Promise.withResolvers<undefined>();
  const forever = Promise.withResolvers<undefined>();
  let left = times;
  return {
    died: died.promise,
    reached: async (point: Point): Promise<void> => {
      if (point !== wanted || --left > 0) return;
      died.resolve(undefined);
      await forever.promise;
    },
  };
}
