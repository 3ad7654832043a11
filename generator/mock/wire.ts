// An answer as the runtime sends it.

import type { WireAnswer } from "../runtime/runtime.ts";
import type { Made } from "./answers.ts";
import { rowFormat } from "../suite/streams.ts";
import { streamOf } from "./streams.ts";

/** Items of a stream come one after the other. */
export function wireOf(made: Made, streamDelayMilliseconds = 0): WireAnswer {
  const { status, headers, body, contentType, isOfData = true } = made;
  const own = { status, headers };
  if (body === undefined || contentType === undefined) return own;
  if (rowFormat(contentType) === undefined || !Array.isArray(body)) {
    return { ...own, contentType, body };
  }
  const stream = { contentType, items: body, isOfData, delayMilliseconds: streamDelayMilliseconds };
  return { ...own, contentType, body: streamOf(stream) };
}
