// Nonces that no request can bring any more.

import { forgetting } from "../jobs/forgetting.ts";
import type { ForgettingPorts } from "../jobs/forgetting.ts";
import type { Job } from "../jobs/jobs.ts";
import { readOldestNonce, sweepNonces } from "./nonces.sql.ts";

/** A request that comes again after that is refused by its timestamp. */
export function forgetNonces(ports: ForgettingPorts): Job {
  return forgetting(ports, { name: "forget-nonces", forget: sweepNonces, oldest: readOldestNonce });
}
