// The one table of help: every code that there is has an entry, or this does not compile. docs/errors.md
// and the page at /docs/errors are made from it, and the Link of each refusal leads to its place there.

import type { ErrorCode } from "../errors.ts";
import { callerHelp, ourHelp, repeatedHelp } from "./access-help.ts";
import type { ErrorHelp, SomeHelp } from "./entry.ts";
import { requestHelp } from "./request-help.ts";
import { stateHelp } from "./state-help.ts";
import { amountHelp, referenceHelp } from "./value-help.ts";
import { x402Help } from "./x402-help.ts";

export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  ...callerHelp,
  ...requestHelp,
  ...repeatedHelp,
  ...referenceHelp,
  ...amountHelp,
  ...stateHelp,
  ...x402Help,
  ...ourHelp,
};

/** In the order of the page. */
export const helpSections: readonly (readonly [title: string, help: SomeHelp])[] = [
  ["Who is calling", callerHelp],
  ["The form of a request", requestHelp],
  ["Sent before", repeatedHelp],
  ["What a body refers to", referenceHelp],
  ["Amounts and ranges", amountHelp],
  ["The state of things", stateHelp],
  ["Signed x402 authorizations", x402Help],
  ["On our side", ourHelp],
];
