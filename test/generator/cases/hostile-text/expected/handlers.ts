// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as answers from "./runtime/answers.ts";
import type * as aGlobalThisPwned1GlobalThisPwned1Operations from "./operations/a-global-this-pwned-1-global-this-pwned-1.ts";
import type * as lineGlobalThisPwned1GlobalThisPwned1Operations from "./operations/line-global-this-pwned-1-global-this-pwned-1.ts";

/**
 * One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers
 * that the edge adds to every answer.
 */
export interface Handlers<Caller, Edge extends string = never> {
  /** GET /a*\/globalThis.pwned=1 */
  readonly 'x"]; globalThis.pwned = 1; //': answers.HandlerOf<
    aGlobalThisPwned1GlobalThisPwned1Operations.XGlobalThisPwned1Request,
    aGlobalThisPwned1GlobalThisPwned1Operations.XGlobalThisPwned1Answer<Edge>,
    Caller
  >;
  /** GET /separators */
  readonly "line globalThis.pwned = 1": answers.HandlerOf<
    lineGlobalThisPwned1GlobalThisPwned1Operations.LineGlobalThisPwned1Request,
    lineGlobalThisPwned1GlobalThisPwned1Operations.LineGlobalThisPwned1Answer<Edge>,
    Caller
  >;
}
