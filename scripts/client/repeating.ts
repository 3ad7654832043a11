// Whether a request is sent again, and when. What writes without an Idempotency-Key may have had its effect, and is only
// sent again where the answer says that it had none.

export interface Outcome {
  /** undefined: there was no whole answer */
  readonly response: Response | undefined;
  /** the `code` of an error of the service */
  readonly code: string | undefined;
  /** it reads, or has an Idempotency-Key */
  readonly mayRepeat: boolean;
  /** the clock has been put right by this very answer */
  readonly isPutRight: boolean;
}

/** counted: it is one of so many attempts. free: the request waits for itself, or had a wrong time. */
export type Verdict = "over" | "counted" | "free";

/** Of what is not known whether it was done; 501 and 505 say that it never will be. */
const unclear = new Set([408, 425]);
const final = new Set([501, 505]);

export function verdictOf({ response, code, mayRepeat, isPutRight }: Outcome): Verdict {
  if (isPutRight) return "free";
  const may = mayRepeat ? "counted" : "over";
  if (response === undefined) return may;
  const { status, headers } = response;
  // Refused before anything was done, whoever refused it.
  if (status === 429) return "counted";
  // The first request of this key still runs.
  if (status === 409 && headers.has("Retry-After")) return mayRepeat ? "free" : "over";
  // Nonces are new each time: something on the way has sent the request twice, and the first may have been done.
  if (status === 401 && code === "nonce_reused") return may;
  if (unclear.has(status) || (status >= 500 && !final.has(status))) return may;
  return "over";
}

const askedMillisecondsMax = 30_000;

/**
 * As long as `Retry-After` says (RFC 9110, section 10.2.3), and up to a second more; without it from 0.25 s on, twice as
 * long each time, and up to a half less: clients that failed together do not all come back together.
 *
 * @param attempt 1 for the first
 * @param chance from 0 to below 1
 * @returns undefined: longer than anybody should wait here
 */
export function waitMilliseconds(
  attempt: number,
  retryAfter: number | undefined,
  chance: number,
): number | undefined {
  if (retryAfter === undefined) {
    const doubling = Math.min(250 * 2 ** attempt, askedMillisecondsMax);
    return Math.round(doubling * (1 - chance / 2));
  }
  return retryAfter > askedMillisecondsMax ? undefined : retryAfter + Math.round(chance * 1000);
}

/** In milliseconds; undefined: it says nothing that can be read. */
export function retryAfterIn(response: Response | undefined, nowMilliseconds: number) {
  const said = response?.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const date = /^[A-Z][a-z]{2}, /.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMilliseconds);
}
