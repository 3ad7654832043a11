// What goes wrong on purpose: answers that come late, not at all, or not to their end.

import type { ServerResponse } from "node:http";
import { Dice } from "../suite/dice.ts";
import { type Fault, faults, type Preferences } from "./preferences.ts";

export interface Troubles {
  /** of each request, between these two */
  readonly latencyMilliseconds: readonly [least: number, most: number];
  /** of a hundred requests, so many */
  readonly faultPercent: number;
}

export interface Trouble {
  readonly latencyMilliseconds: number;
  readonly fault: Fault | undefined;
}

/** One request after the other; the same seed, the same troubles. What a request prefers, it gets. */
export function drawTroubles(
  { latencyMilliseconds: [least, most], faultPercent }: Troubles,
  seed: number,
): (preferences: Preferences | undefined) => Trouble {
  const dice = new Dice(seed);
  return (preferences) => {
    const late = least + dice.below(most - least + 1);
    const isFaulty = dice.chance(faultPercent / 100);
    const fault = dice.pick(faults);
    return {
      latencyMilliseconds: preferences?.latencyMilliseconds ?? late,
      fault: preferences?.fault ?? (isFaulty ? fault : undefined),
    };
  };
}

/** The head goes out whole, with the length of the whole body, and then half of the body and the end of the connection. */
export function truncate(outgoing: ServerResponse): void {
  const write = outgoing.write.bind(outgoing);
  const breakOff = (chunk: unknown, encoding: unknown): void => {
    const name = typeof encoding === "string" ? encoding : "utf8";
    // Node knows these names
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, name as BufferEncoding) : chunk;
    const half = bytes instanceof Uint8Array ? bytes.subarray(0, bytes.length >> 1) : undefined;
    if (half === undefined || half.length === 0) outgoing.destroy();
    else write(half, () => outgoing.destroy());
  };
  // of the ways to call them, those that the runtime has
  Object.assign(outgoing, {
    write: (chunk: unknown, encoding: unknown): boolean => {
      breakOff(chunk, encoding);
      return true;
    },
    end: (chunk: unknown, encoding: unknown): ServerResponse => {
      breakOff(chunk, encoding);
      return outgoing;
    },
  });
}
