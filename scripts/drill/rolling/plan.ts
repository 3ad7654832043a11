// What the process with the load is told, and what it tells.

import type { Credentials } from "../../client/canonical.ts";

export interface Customer extends Credentials {
  /** of a webhook endpoint of its own */
  readonly endpointId: string;
}

export interface LoadPlan {
  /** of the balancer */
  readonly url: string;
  /** of its certificate, in PEM */
  readonly authority: string;
  readonly perSecond: number;
  readonly customers: readonly Customer[];
}

/** A payment that was asked for once, and what was answered. */
export interface Asked {
  readonly number: string;
  readonly id?: string;
}

export interface LoadResult {
  /** by operation */
  readonly counts: Readonly<Record<string, number>>;
  readonly milliseconds: { readonly p50: number; readonly p99: number; readonly most: number };
  readonly asked: readonly Asked[];
  /** each that was not answered as it should be */
  readonly failures: readonly string[];
  readonly failureCount: number;
}
