// Who is calling, as the handlers see it: what authentication has found out.

export interface Caller {
  readonly requestId: string;
  readonly merchantId: string;
  readonly keyId: string;
  /** of the key: "test" may do what "live" may not, such as webhooks over http */
  readonly environment: "live" | "test";
  readonly scopes: ReadonlySet<string>;
}

/** Headers that the edge puts on answers itself, so that no handler has to. */
export type EdgeHeader = "X-Request-Id" | "RateLimit-Policy" | "RateLimit";
