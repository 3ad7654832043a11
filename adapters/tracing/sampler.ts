// Which traces are recorded. Callers name their traces, and say whether they record them; it is not they who decide
// what is recorded here: who pays for it is whoever runs the service, and who wants to hide would say that nothing is
// to be recorded.

import type { Sampler, SamplingResult } from "@opentelemetry/sdk-trace";
import { ParentBasedSampler, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import type { IdGenerator } from "@opentelemetry/sdk-trace";

/** @param ratio the part of all traces, 0 to 1 */
export function buildSampler(ratio: number, ids: IdGenerator): Sampler {
  const own = new TraceIdRatioBasedSampler(ratio);
  const drawn: Sampler = {
    // By an id of our own: a caller could choose one that is always recorded.
    shouldSample: (context): SamplingResult => own.shouldSample(context, ids.generateTraceId()),
    toString: () => `Drawn{${ratio}}`,
  };
  // What is part of recorded work of ours is recorded, and nothing else of it.
  return new ParentBasedSampler({
    root: drawn,
    remoteParentSampled: drawn,
    remoteParentNotSampled: drawn,
  });
}
