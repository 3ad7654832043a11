// Counters in memory, one set for each process. Each of N processes behind one balancer allows an
// N-th of every quota, so that all together keep to it without asking anybody.
// Our choice: a window begins with its first request and lasts 60 s.

import ipaddr from "ipaddr.js";
// The package's entry loads thirty more ways to store counters, and with them Node's cluster and SQLite.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import { BoundedCache } from "../../service/bounded-cache.ts";
import { ratePolicies, rateWindowSeconds, sitePolicies } from "../../service/ports/rate-limits.ts";
import type { Client, RateLimits, RatePolicy, RateState } from "../../service/ports/rate-limits.ts";
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
  const counters = new Map<string, Counter>();
  const counterOf = (policy: RatePolicy, share: number): Counter => {
    const name = `${policy} ${share}`;
    const known = counters.get(name);
    if (known !== undefined) return known;
    const counter = new Counter(policy, { ...options, share });
    counters.set(name, counter);
    return counter;
  };
  const ask =
    (how: "take" | "look"): RateLimits["take"] =>
    async (policy, subject) => {
      const { own, site } = subjectsOf(policy, subject);
      const state = await counterOf(policy, 1)[how](own);
      // What is refused already uses up nothing of its neighbours'.
      const share = sitePolicies[policy];
      if (site === undefined || share === undefined || state.isExceeded) return state;
      const ofSite = await counterOf(policy, share)[how](site);
      if (!ofSite.isExceeded) return state;
      return { ...state, remaining: 0, resetSeconds: ofSite.resetSeconds, isExceeded: true };
    };
  return { take: ask("take"), look: ask("look") };
}

interface CounterOptions extends RateLimitOptions {
  /** how many times the quota it has */
  readonly share: number;
}

class Counter {
  readonly #policy: RatePolicy;
  readonly #quota: number;
  readonly #processes: number;
  readonly #limiter: RateLimiterMemory;
  /** The library forgets a subject after its window; this bounds how many there are until then. */
  readonly #subjects: BoundedCache<string, true>;

  constructor(policy: RatePolicy, { processes, quotas, subjectsMax, share }: CounterOptions) {
    this.#policy = policy;
    this.#quota = share * (quotas?.[policy] ?? ratePolicies[policy]);
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

/** One IPv6 customer has at least a /64, and so 2^64 addresses: they count as one. */
const networkBits = 64;
/** Our choice: a /48 is one site, with 65,536 networks. */
const siteBits = 48;
const ofAddresses: ReadonlySet<RatePolicy> = new Set([
  "address",
  "failed_authentication",
  "checkout",
]);

interface Subjects {
  readonly own: string;
  readonly site?: string;
}

function subjectsOf(policy: RatePolicy, subject: string): Subjects {
  if (!ofAddresses.has(policy)) return { own: subject };
  const { network, site } = clientOf(subject);
  return subject.includes(":") ? { own: network, site } : { own: network };
}

/** Of IPv4 both are the address itself. */
export function clientOf(clientAddress: string): Client {
  return {
    network: networkOf(clientAddress, networkBits),
    site: networkOf(clientAddress, siteBits),
  };
}

function networkOf(clientAddress: string, bits: number): string {
  if (!clientAddress.includes(":")) return clientAddress;
  const address = parseAddress(clientAddress);
  if (address === undefined || address.kind() === "ipv4") return clientAddress;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`);
  return network.toString();
}
