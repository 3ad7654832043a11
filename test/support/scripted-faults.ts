// What may be wrong with the answers of a chain.

import { ServiceError } from "../../service/errors.ts";
import type { Chain, ChainTransfer } from "../../service/ports/chain.ts";

export type ChainMethod = Exclude<keyof Chain, "chainId">;

export type ChainFault =
  /** nobody answers, and nothing was done */
  | { readonly kind: "unavailable" }
  /** it was done, and the answer got lost */
  | { readonly kind: "lost" }
  /** `head` as it was so many blocks ago; `block` answers with the one so many before: delivered twice */
  | { readonly kind: "old"; readonly blocks: number }
  /** `head` and `block` of another chain, which has come to answer behind the same address */
  | { readonly kind: "other_chain" }
  /** `block` without its transfers: an index that is not up to date, or an answer cut off */
  | { readonly kind: "no_transfers" }
  /** `receipt` that says less was moved: a token that keeps a part */
  | { readonly kind: "less" }
  /** `block` with a transfer that is not in it */
  | { readonly kind: "forged"; readonly transfer: ChainTransfer };

export interface Hanging {
  /** once a call hangs */
  readonly reached: Promise<void>;
  /** lets it go on */
  readonly release: () => void;
}

interface Planned {
  readonly fault: ChainFault | undefined;
  readonly hang: (() => Promise<void>) | undefined;
  times: number;
}

export class ScriptedFaults {
  readonly #planned = new Map<ChainMethod, Planned[]>();

  /** The next calls of the method, after those that were planned before; Infinity: until `clear`. */
  next(method: ChainMethod, fault: ChainFault, times = 1): void {
    this.#plan(method, { fault, hang: undefined, times });
  }

  /** The next call of the method waits. */
  hang(method: ChainMethod): Hanging {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const hang = async () => {
      reached.resolve(undefined);
      await released.promise;
    };
    this.#plan(method, { fault: undefined, hang, times: 1 });
    return { reached: reached.promise, release: () => released.resolve(undefined) };
  }

  clear(): void {
    this.#planned.clear();
  }

  /** Answers with `produce`, as far as the plan for the method lets it. */
  async answer<Answer>(
    method: ChainMethod,
    produce: () => Answer,
    alter: (fault: ChainFault, answer: Answer) => Answer = (_, answer) => answer,
  ): Promise<Answer> {
    const planned = this.#take(method);
    await planned?.hang?.();
    if (planned?.fault?.kind === "unavailable") throw chainUnavailable();
    const answer = produce();
    if (planned?.fault?.kind === "lost") throw chainUnavailable();
    return planned?.fault === undefined ? answer : alter(planned.fault, answer);
  }

  #plan(method: ChainMethod, planned: Planned): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), planned]);
  }

  #take(method: ChainMethod): Planned | undefined {
    const [first, ...rest] = this.#planned.get(method) ?? [];
    if (first === undefined) return undefined;
    first.times -= 1;
    if (first.times <= 0) this.#planned.set(method, rest);
    return first;
  }
}

export function chainUnavailable(): ServiceError {
  return new ServiceError("chain_unavailable", "The chain does not answer right now.");
}
