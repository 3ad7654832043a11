// The endpoints of one chain together. Whoever asks a question gets all of its answers from one of
// them; if that one fails, the whole question goes to the next. An endpoint of another chain is not
// asked anything else (threat 27).

import { ServiceError } from "../../service/errors.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { EndpointFailure, isTiredText, NodeError, quantity } from "./answers.ts";
import { endpointLimits, RpcEndpoint } from "./endpoint.ts";
import type { EndpointLimits } from "./endpoint.ts";

export interface RpcLimits extends EndpointLimits {
  /** for one question, whatever the number of endpoints; the last request under way may end later */
  readonly questionMilliseconds: number;
  /** of one question */
  readonly attemptsMax: number;
  /** before the only endpoint is asked again */
  readonly pauseMilliseconds: number;
  /** after a failure an endpoint is asked last; doubled with each failure after it */
  readonly restMilliseconds: number;
  readonly restMillisecondsMax: number;
}

export const rpcLimits: RpcLimits = {
  ...endpointLimits,
  questionMilliseconds: 25_000,
  attemptsMax: 4,
  pauseMilliseconds: 150,
  restMilliseconds: 1_000,
  restMillisecondsMax: 60_000,
};

/** Fields never hold an address of an endpoint, only its place in the configuration, from 1 on. */
export interface RpcLog {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
  readonly error: (fields: object, text: string) => void;
}

/** How a call of an endpoint ended: with an answer, with an error that the node answers, or with none. */
export type CallEnding = "answered" | "node_error" | "failed";

/** Hears of what the endpoints of a chain are asked. */
export interface RpcObserver {
  /** A call begins; gives what hears how it ended. */
  readonly onCall: (place: number, method: string) => (ending: CallEnding) => void;
  /** The endpoint of this place has failed, and its question goes to another one. */
  readonly onFailover: (place: number) => void;
}

export interface RpcOptions {
  /** CAIP-2, `eip155:` and a number */
  readonly chainId: string;
  /** the first one is asked as long as it is well */
  readonly urls: readonly string[];
  readonly clock: Clock;
  readonly log: RpcLog;
  readonly limits?: Partial<RpcLimits>;
  readonly observer?: RpcObserver | undefined;
}

/** An endpoint during one question. */
export interface Asked {
  readonly call: (method: string, parameters?: readonly unknown[]) => Promise<unknown>;
  /** its place in the configuration, from 1 on */
  readonly place: number;
}

export type Question<Answer> = (endpoint: Asked) => Promise<Answer>;

interface Member extends Asked {
  /** says which chain it is of; once, until it fails */
  verified: Promise<void> | undefined;
  isForeign: boolean;
  failures: number;
  restUntil: number;
}

export class Rpc {
  readonly chainNumber: bigint;
  readonly endpointCount: number;
  readonly #options: RpcOptions;
  readonly #limits: RpcLimits;
  readonly #members: readonly Member[];

  constructor(options: RpcOptions) {
    const { chainId, urls } = options;
    const digits = /^eip155:([1-9][0-9]{0,31})$/.exec(chainId)?.[1];
    if (digits === undefined) throw new Error(`${chainId} is not an EVM chain`);
    if (urls.length === 0) throw new Error(`${chainId} has no endpoint`);
    this.chainNumber = BigInt(digits);
    this.#options = options;
    const limits = { ...rpcLimits, ...options.limits };
    this.#limits = limits;
    this.#members = urls.map((url, index) => {
      const endpoint = new RpcEndpoint(url, limits);
      const place = index + 1;
      const call = observedCall(endpoint, place, options.observer);
      return { call, place, verified: undefined, isForeign: false, failures: 0, restUntil: 0 };
    });
    this.endpointCount = urls.length;
  }

  /**
   * Of the first endpoint that answers. Throws `chain_unavailable` if none does, or none whose
   * answer can be trusted; what the question throws itself, other than failures of endpoints and
   * errors of nodes, passes through.
   * @param places Only these; all of them when left out. The first of them is asked first.
   */
  async ask<Answer>(question: Question<Answer>, places?: readonly number[]): Promise<Answer> {
    const members = this.#inOrder(places);
    const until = this.#now() + this.#limits.questionMilliseconds;
    const failures: string[] = [];
    for (let attempt = 0; attempt < this.#limits.attemptsMax; attempt++) {
      const member = members[attempt % Math.max(members.length, 1)];
      if (member === undefined || this.#now() > until) break;
      if (attempt >= members.length) {
        if (members.length > 1) break;
        if (attempt > 1) break;
        await pause(this.#limits.pauseMilliseconds);
      }
      const before = members[attempt - 1];
      if (before !== undefined && before !== member) {
        this.#options.observer?.onFailover(before.place);
      }
      try {
        return await this.#askOne(member, question);
      } catch (error) {
        failures.push(`endpoint ${member.place}: ${failureText(error)}`);
      }
    }
    throw this.unavailable(failures.join("; "));
  }

  /** Of each endpoint that is well and answers, all at once; the others are left out. */
  async askAll<Answer>(question: Question<Answer>): Promise<readonly Answer[]> {
    const members = this.#wellOf(this.#members);
    const answers = await Promise.allSettled(
      (members.length > 0 ? members : this.#members.slice(0, 1)).map((member) =>
        this.#askOne(member, question),
      ),
    );
    for (const answer of answers) {
      if (answer.status === "rejected") failureText(answer.reason);
    }
    return answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /**
   * A second opinion, of the first of these that answers. Those at rest are not waited for, and none
   * is asked twice: whoever asks has an answer already.
   */
  async askOther<Answer>(
    places: readonly number[],
    question: Question<Answer>,
  ): Promise<Answer | "away"> {
    for (const member of this.#wellOf(this.#inOrder(places))) {
      try {
        return await this.#askOne(member, question);
      } catch (error) {
        failureText(error);
      }
    }
    return "away";
  }

  /** All places but one, as `ask` takes them. */
  placesBut(place: number): readonly number[] {
    return this.#members.flatMap((one) => (one.place === place ? [] : [one.place]));
  }

  /** `text` is for the log. */
  unavailable(text: string): ServiceError {
    return new ServiceError("chain_unavailable", "The chain does not answer right now.", {
      cause: new Error(`${this.#options.chainId}: ${text === "" ? "no endpoint is left" : text}`),
    });
  }

  async #askOne<Answer>(member: Member, question: Question<Answer>): Promise<Answer> {
    const { failures } = member;
    try {
      member.verified ??= this.#verify(member);
      await member.verified;
      const answer = await question(member);
      this.#noteSuccess(member);
      return answer;
    } catch (error) {
      // Of questions that are asked together, the first that fails tells of all.
      if (member.failures === failures) this.#noteFailure(member, error);
      throw error;
    }
  }

  async #verify(member: Member): Promise<void> {
    const { chainId, log } = this.#options;
    const answered = await chainNumberOf(member);
    if (answered === this.chainNumber) {
      member.isForeign = false;
      return;
    }
    if (!member.isForeign) {
      const fields = {
        chain_id: chainId,
        endpoint: member.place,
        answers_for: `eip155:${answered}`,
      };
      log.error(fields, "an endpoint answers for another chain and is not used");
    }
    member.isForeign = true;
    throw new EndpointFailure(`it answers for eip155:${answered}`);
  }

  #noteSuccess(member: Member): void {
    if (member.failures === 0) return;
    const { chainId: chain_id, log } = this.#options;
    log.info({ chain_id, endpoint: member.place }, "an endpoint of a chain answers again");
    member.failures = 0;
    member.restUntil = 0;
  }

  /** An error that a node answers says nothing about the next question, unless it has had enough. */
  #noteFailure(member: Member, error: unknown): void {
    const isTired = error instanceof NodeError && isTiredText(error);
    if (!(error instanceof EndpointFailure) && !isTired) return;
    const { chainId, log } = this.#options;
    const { restMilliseconds, restMillisecondsMax } = this.#limits;
    if (member.failures === 0 && !member.isForeign) {
      const fields = { chain_id: chainId, endpoint: member.place, reason: error.message };
      log.warn(fields, "an endpoint of a chain fails");
    }
    // Whoever answers there next time has to say again which chain it is of.
    member.verified = undefined;
    member.failures += 1;
    const rest = restMilliseconds * 2 ** Math.min(member.failures - 1, 10);
    member.restUntil = this.#now() + Math.min(rest, restMillisecondsMax);
  }

  /** Well ones as configured, then those at rest, the longest rested first; foreign ones not at all. */
  #inOrder(places: readonly number[] | undefined): readonly Member[] {
    const members =
      places === undefined
        ? this.#members
        : places.flatMap((place) => this.#members.filter((one) => one.place === place));
    const well = this.#wellOf(members);
    const resting = members
      .filter((one) => !well.includes(one) && !one.isForeign)
      .toSorted((one, other) => one.restUntil - other.restUntil);
    return [...well, ...resting];
  }

  #wellOf(members: readonly Member[]): readonly Member[] {
    const now = this.#now();
    return members.filter(({ restUntil }) => restUntil <= now);
  }

  #now(): number {
    return this.#options.clock.nowMilliseconds();
  }
}

function observedCall(
  endpoint: RpcEndpoint,
  place: number,
  observer: RpcObserver | undefined,
): Asked["call"] {
  if (observer === undefined) return (method, parameters) => endpoint.call(method, parameters);
  return async (method, parameters) => {
    const onEnd = observer.onCall(place, method);
    try {
      const answer = await endpoint.call(method, parameters);
      onEnd("answered");
      return answer;
    } catch (error) {
      onEnd(error instanceof NodeError ? "node_error" : "failed");
      throw error;
    }
  };
}

async function chainNumberOf(endpoint: Asked): Promise<bigint> {
  try {
    return quantity(await endpoint.call("eth_chainId"), "the number of the chain");
  } catch (error) {
    // Who does not say which chain it is of is of no use for anything.
    throw error instanceof NodeError ? new EndpointFailure(error.message) : error;
  }
}

/** What an endpoint is to blame for. Everything else is ours, and must be seen. */
function failureText(error: unknown): string {
  if (error instanceof EndpointFailure) return error.message;
  if (error instanceof NodeError) return `it says ${error.code} ${error.message}`;
  throw error;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
