// Who is calling, as the handlers see it. Until authentication exists the five signature headers
// are checked for their form only (by the contract), so nothing is known but the request itself.

export interface Caller {
  readonly requestId: string;
}

/** Headers that the edge puts on every answer, so that no handler has to. */
export type EdgeHeader = "X-Request-Id";
