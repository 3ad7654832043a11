// Identifiers: type prefix, then 26 characters like a ULID: 48 bits of time, 80 random bits.
// Sorted as text they are sorted by time, which keeps new rows together in an index; 80 random
// bits cannot be guessed.

import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Clock } from "./clock.ts";

export interface IdentifierPorts {
  readonly clock: Pick<Clock, "nowMilliseconds">;
  readonly fillRandom: (bytes: Uint8Array) => void;
}

/** Crockford's base 32: no I, L, O and U, so that nobody misreads one. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeCharacters = 10;
const randomCharacters = 16;
/** Random bytes are fetched for many identifiers at once: one call costs as much as hundreds. */
const poolBytes = randomCharacters * 256;

export function buildIdentifiers(ports: IdentifierPorts): Identifiers {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  let timeAt = -1;
  let time = "";
  return {
    next: (prefix) => {
      const now = ports.clock.nowMilliseconds();
      if (now !== timeAt) {
        timeAt = now;
        time = timeText(now);
      }
      if (used === poolBytes) {
        ports.fillRandom(pool);
        used = 0;
      }
      let text = `${prefix}_${time}`;
      // 32 divides 256: the low 5 bits of a random byte are 5 random bits, without bias.
      for (const byte of pool.subarray(used, used + randomCharacters)) {
        text += alphabet.charAt(byte & 31);
      }
      used += randomCharacters;
      return text;
    },
  };
}

function timeText(milliseconds: number): string {
  let rest = milliseconds;
  let text = "";
  for (let index = 0; index < timeCharacters; index++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
