// Who is calling, as the handlers see it: what authentication has found out.

import type { Environment } from "../service/owner.ts";
import type { Handlers } from "../generated/handlers.ts";
import type { KeyRow } from "../service/idempotency/idempotency.sql.ts";

export interface Caller {
  readonly requestId: string;
  readonly merchantId: string;
  readonly keyId: string;
  /** of the key: "test" may do what "live" may not, such as webhooks over http */
  readonly environment: Environment;
  readonly scopes: ReadonlySet<string>;
  /** what is kept under the request's Idempotency-Key, if it has one and was there before */
  readonly earlier: KeyRow | undefined;
}

/** Headers that the edge puts on answers itself, so that no handler has to. */
export type EdgeHeader =
  "X-Request-Id" | "Cache-Control" | "Vary" | "RateLimit-Policy" | "RateLimit";

export type AllHandlers = Handlers<Caller, EdgeHeader>;
