// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as answers from "./runtime/answers.ts";
import type * as default_Operations from "./operations/default.ts";

/**
 * One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers
 * that the edge adds to every answer.
 */
export interface Handlers<Caller, Edge extends string = never> {
  /** GET /ping */
  readonly ping: answers.HandlerOf<
    default_Operations.PingRequest,
    default_Operations.PingAnswer<Edge>,
    Caller
  >;
}
