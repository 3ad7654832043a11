// Counters in memory, one set for each process. Each of N processes behind one balancer allows an
// N-th of every quota, so that all together keep to it without asking anybody.
// Our choice: a window begins with its first request and lasts 60 s.

import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { BoundedCache } from "../../service/bounded-cache.ts";
import { ratePolicies, rateWindowSeconds } from "../../service/ports/rate-limits.ts";
import type { RateLimits, RatePolicy, RateState } from "../../service/ports/rate-limits.ts";
import { parseAddress } from "../system/address-ranges.ts";

export interface RateLimitOptions {
  /** how many processes share the quotas */
  readonly processes: number;
  /** in place of the published ones */
  readonly quotas?: Readonly<Partial<Record<RatePolicy, number>>>;
  readonly subjectsMax?: number;
}

/**
 * Of each policy. A stranger with many addresses can push others out of the counters, which lets
 * those begin anew; what he cannot do is fill the memory.
 */
const subjectsMaxStandard = 100_000;

export function buildRateLimits(options: RateLimitOptions): RateLimits {
  const counters = new Map<RatePolicy, Counter>();
  const counterOf = (policy: RatePolicy): Counter => {
    const known = counters.get(policy);
    if (known !== undefined) return known;
    const counter = new Counter(policy, options);
    counters.set(policy, counter);
    return counter;
  };
  return {
    take: (policy, subject) => counterOf(policy).take(subjectOf(policy, subject)),
    look: (policy, subject) => counterOf(policy).look(subjectOf(policy, subject)),
  };
}

class Counter {
  readonly #policy: RatePolicy;
  readonly #quota: number;
  readonly #processes: number;
  readonly #limiter: RateLimiterMemory;
  /** The library forgets a subject after its window; this bounds how many there are until then. */
  readonly #subjects: BoundedCache<string, true>;

  constructor(policy: RatePolicy, { processes, quotas, subjectsMax }: RateLimitOptions) {
    this.#policy = policy;
    this.#quota = quotas?.[policy] ?? ratePolicies[policy];
    this.#processes = processes;
    const points = Math.max(1, Math.floor(this.#quota / processes));
    this.#limiter = new RateLimiterMemory({ points, duration: rateWindowSeconds });
    this.#subjects = new BoundedCache(subjectsMax ?? subjectsMaxStandard);
  }

  async take(subject: string): Promise<RateState> {
    const gone = this.#subjects.set(subject, true);
    if (gone !== undefined) await this.#limiter.delete(gone);
    try {
      return this.#state(await this.#limiter.consume(subject), false);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return this.#state(error, true);
    }
  }

  async look(subject: string): Promise<RateState> {
    const found = await this.#limiter.get(subject);
    if (found === null) return this.#state(undefined, false);
    return this.#state(found, found.remainingPoints <= 0);
  }

  #state(found: RateLimiterRes | undefined, isExceeded: boolean): RateState {
    const left = found?.remainingPoints ?? this.#limiter.points;
    const milliseconds = found?.msBeforeNext ?? rateWindowSeconds * 1000;
    return {
      policy: this.#policy,
      quota: this.#quota,
      windowSeconds: rateWindowSeconds,
      // What is left here is about an N-th of what is left everywhere.
      remaining: Math.min(left * this.#processes, this.#quota),
      resetSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
      isExceeded,
    };
  }
}

const networkBits = 64;
const ofAddresses: ReadonlySet<RatePolicy> = new Set([
  "address",
  "failed_authentication",
  "checkout",
]);

/** One IPv6 customer has at least a /64, and so 2^64 addresses: they count as one. */
function subjectOf(policy: RatePolicy, subject: string): string {
  return ofAddresses.has(policy) ? networkOf(subject) : subject;
}

/** The address itself, or the network that counts as one. */
export function networkOf(clientAddress: string, bits = networkBits): string {
  if (!clientAddress.includes(":")) return clientAddress;
  const address = parseAddress(clientAddress);
  if (address === undefined || address.kind() === "ipv4") return clientAddress;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`);
  return network.toString();
}
