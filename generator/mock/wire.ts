// An answer as the runtime sends it.

import type { WireAnswer } from "../runtime/runtime.ts";
import type { Made } from "./answers.ts";
import { isStream, streamOf } from "./streams.ts";

/** Items of a stream come one after the other. */
export function wireOf(made: Made, streamDelayMilliseconds = 0): WireAnswer {
  const { status, headers, body, contentType } = made;
  const own = { status, headers };
  if (body === undefined || contentType === undefined) return own;
  if (!isStream(contentType) || !Array.isArray(body)) return { ...own, contentType, body };
  return { ...own, contentType, body: streamOf(contentType, body, streamDelayMilliseconds) };
}
