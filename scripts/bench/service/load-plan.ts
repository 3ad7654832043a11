// What the load is told, and what it tells: two processes write and read it as JSON.

import type { Credentials } from "../../client/canonical.ts";
import type { Completion } from "./window.ts";

export interface LoadPlan {
  /** of servers, in turn for one client after the other */
  readonly urls: readonly string[];
  /** each a connection with one request at a time */
  readonly clients: readonly ClientPlan[];
  readonly seconds: number;
  /** how many are signed before the measurement begins; what goes beyond is signed when it is sent */
  readonly signedBeforePerSecond: number;
  /** of this load: no number that it makes comes twice */
  readonly number: number;
}

export interface ClientPlan {
  /** undefined: nobody signs, as customers do not */
  readonly credentials: Credentials | undefined;
  /** in turn, and again from the first on */
  readonly requests: readonly PlannedRequest[];
}

export interface PlannedRequest {
  readonly method: "GET" | "POST";
  /** as on the request line */
  readonly target: string;
  /** `{number}` in it becomes one that no other request has */
  readonly body?: string;
  /** new: one that no other request has */
  readonly idempotencyKey?: "new" | { readonly same: string };
  readonly answer: ExpectedAnswer;
}

export interface ExpectedAnswer {
  readonly status: number;
  /** answered from what is stored under the Idempotency-Key, and says so */
  readonly isReplay: boolean;
  /** all of it, or a pattern, whose first group is the id of what was made */
  readonly body: { readonly text: string } | { readonly pattern: string };
}

export interface LoadResult {
  readonly completions: readonly Completion[];
  /** of every answer whose pattern has one, those before and after the window included */
  readonly ids: readonly string[];
  readonly signedOnTheWay: number;
}
