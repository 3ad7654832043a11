// What was asked for, as far as an answer depends on it.

import { isObject, type Json, type JsonObject } from "../../../generator/suite/json.ts";
import type { Sent } from "../contract-requests.ts";

/** Can be written down and read again. */
export interface Asked {
  readonly url: string;
  readonly method: string;
  /** path and query as on the request line */
  readonly target: string;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** nobody had sent its Idempotency-Key with another request when the answer was there */
  readonly isOnlyWithKey: boolean;
  /** until the answer was there */
  readonly tookMilliseconds: number;
  /** between which times of the server's clock, where something else says it than what was signed */
  readonly answeredBetween?: readonly [number, number] | undefined;
}

export function askedOf(sent: Sent): Asked {
  const { request, url, headers, tookMilliseconds, isOnlyWithKey } = sent;
  const { method, target, body } = request;
  const kept = Object.fromEntries(headers);
  const text = body === undefined ? undefined : Buffer.from(body).toString("utf8");
  return { url, method, target, headers: kept, body: text, isOnlyWithKey, tookMilliseconds };
}

/** Undefined: there is none, or it is no JSON object. */
export function askedBody({ body }: Asked): JsonObject | undefined {
  if (body === undefined || body === "") return undefined;
  try {
    const value = JSON.parse(body) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
