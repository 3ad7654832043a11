// Sends one event to one URL, and cannot be talked into reaching anything but a public server: the
// name is resolved here, every address it has is looked at, and exactly those addresses are dialled
// (a second look-up could give another answer: DNS rebinding). A connection that stands is only used where it
// leads to the same. Redirects are not followed, and what the receiver says is read to its end, or to a limit,
// and forgotten.

import assert from "node:assert";
import { lookup as systemLookup, Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { RequestOptions } from "node:https";
import { isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import type { Clock } from "../../service/ports/clock.ts";
import type {
  SendFailure,
  WebhookOutcome,
  WebhookRequest,
  WebhookSender,
} from "../../service/ports/webhook-sender.ts";
import { parseRetryAfter } from "../../service/webhooks/retry-after.ts";
import { addressRanges } from "../system/address-ranges.ts";
import { isGloballyRoutable } from "./address-policy.ts";
import { keepConnections, keptBy } from "./kept-connections.ts";
import type { KeptBy, KeptConnections, KeptLimits } from "./kept-connections.ts";

export interface SenderLimits {
  /** name, connection and TLS together */
  readonly connectMilliseconds: number;
  /** until the status is there */
  readonly totalMilliseconds: number;
  /** for the rest of an answer whose status is there */
  readonly drainMilliseconds: number;
  readonly answerBytesMax: number;
}

/** Success is a 2xx within 15 s, connected within 5 s. */
export const senderLimits: SenderLimits = {
  connectMilliseconds: 5_000,
  totalMilliseconds: 15_000,
  drainMilliseconds: 2_000,
  answerBytesMax: 65_536,
};

/** `isListed`: found as the machine finds it; else as the public internet does. */
type Resolve = (hostname: string, isListed: boolean) => Promise<readonly string[]>;

export interface SenderPorts {
  readonly clock: Pick<Clock, "nowMilliseconds">;
  /** every address of a name; throws for a name without any */
  readonly resolve: Resolve;
  /** hosts that may be on a private network, for test endpoints; see WebhookUrlPolicy */
  readonly allowedHttpHosts: ReadonlySet<string>;
  /** CIDR ranges that nothing is ever sent to, beside those that are not public */
  readonly blockedRanges: readonly string[];
  /** in place of the well-known ones, as PEM: for receivers in tests */
  readonly certificateAuthorities?: readonly string[];
  readonly limits?: SenderLimits;
  readonly keptLimits?: KeptLimits;
}

/** Tells why a name must not be dialled. */
class Refusal extends Error {
  readonly reason: SendFailure;
  constructor(reason: SendFailure) {
    super(reason);
    this.reason = reason;
  }
}

export function buildWebhookSender(ports: SenderPorts): WebhookSender {
  const limits = ports.limits ?? senderLimits;
  const kept = keepConnections(ports.keptLimits);
  return {
    send: async (request) => {
      const url = new URL(request.url);
      const isListed = request.isTest && ports.allowedHttpHosts.has(url.hostname);
      // Both begin with the look-up of the name.
      const connectDeadline = new Deadline(limits.connectMilliseconds);
      let anewDeadline: Deadline | undefined;
      const deadline = new Deadline(limits.totalMilliseconds);
      try {
        const addresses = await inTime(connectDeadline, vettedAddresses(ports, url, isListed));
        const attempt = { request, url, addresses, ports, limits, deadline, connectDeadline };
        const outcome = await new Exchange({ ...attempt, kept }).run();
        if (outcome !== undefined) return outcome;
        // The receiver may have ended it while nothing was sent. If it has read the event before, it gets it
        // twice, and knows it by its id.
        anewDeadline = new Deadline(limits.connectMilliseconds);
        const own = { ...attempt, kept: undefined, connectDeadline: anewDeadline };
        const anew = await new Exchange(own).run();
        assert(anew, "a connection of its own did not stand before");
        return anew;
      } catch (error) {
        if (error instanceof Refusal) return { kind: "failed", reason: error.reason };
        throw error;
      } finally {
        connectDeadline.clear();
        anewDeadline?.clear();
        deadline.clear();
      }
    },
  };
}

class Deadline {
  readonly #timer: NodeJS.Timeout;
  #whenLate: (() => void) | undefined;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.#whenLate?.(), milliseconds);
  }

  /** In place of what was said before. */
  whenLate(act: () => void): void {
    this.#whenLate = act;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Throws a `Refusal` if a single one of the addresses is not public, or the operator's own. */
async function vettedAddresses(
  { resolve, blockedRanges }: SenderPorts,
  url: URL,
  isListed: boolean,
): Promise<readonly string[]> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // Node asks no `lookup` about a literal address: this is the only place that sees it.
  const addresses =
    isIP(hostname) === 0 ? await resolved(() => resolve(hostname, isListed)) : [hostname];
  const isInside =
    (!isListed && !addresses.every(isGloballyRoutable)) ||
    addresses.some((address) => addressRanges.contains(blockedRanges, address));
  if (isInside) throw new Refusal("address_not_allowed");
  return addresses;
}

async function resolved(resolve: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const addresses = await resolve().catch(() => []);
  if (addresses.length === 0) throw new Refusal("dns");
  return addresses;
}

async function inTime<Value>(deadline: Deadline, work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  deadline.whenLate(() => late.reject(new Refusal("dns")));
  return await Promise.race([work, late.promise]);
}

interface SenderAttempt {
  readonly request: WebhookRequest;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly ports: SenderPorts;
  readonly limits: SenderLimits;
  readonly deadline: Deadline;
  readonly connectDeadline: Deadline;
  /** undefined: a connection of its own */
  readonly kept: KeptConnections | undefined;
}

/**
 * One request and what comes back. The first thing that decides the outcome counts; undefined: a connection that
 * stood before ended without a word.
 */
class Exchange {
  readonly #attempt: SenderAttempt;
  readonly #outcome = Promise.withResolvers<WebhookOutcome | undefined>();
  #isDialled = false;
  #isConnected = false;
  #isAnswered = false;
  /** of a connection that stood before: what came on it until then */
  #bytesBefore = 0;

  constructor(attempt: SenderAttempt) {
    this.#attempt = attempt;
  }

  async run(): Promise<WebhookOutcome | undefined> {
    const { url, connectDeadline, deadline, request } = this.#attempt;
    const dial = url.protocol === "https:" ? requestHttps : requestHttp;
    const outgoing = dial(url, this.#options());
    const end = (reason: SendFailure): void => {
      this.#fail(reason);
      outgoing.destroy();
    };
    connectDeadline.whenLate(() => {
      if (!this.#isConnected) end("connect_timeout");
    });
    deadline.whenLate(() => end("timeout"));
    const fail = (reason: SendFailure): void => {
      if (reason === "reset" && this.#isWordless(outgoing)) this.#outcome.resolve(undefined);
      else this.#fail(reason);
    };
    outgoing.once("socket", (socket) => this.#follow(socket, outgoing.reusedSocket));
    outgoing.on("error", (error) => fail(this.#reasonOf(error)));
    outgoing.on("close", () => fail("reset"));
    outgoing.on("information", () => {
      // Interim answers can be sent without end, too.
      if (this.#isOverLimit(outgoing)) end("not_http");
    });
    outgoing.on("response", (answer) => this.#drain(answer));
    outgoing.end(request.body);
    return await this.#outcome.promise;
  }

  #options(): RequestOptions & KeptBy {
    const { request, url, addresses, ports, kept } = this.#attempt;
    const { certificateAuthorities } = ports;
    return {
      method: "POST",
      headers: request.headers,
      // Not the agent of the process: that keeps connections by the name alone, and may ask proxies of the
      // environment, which would dial for us whatever they like.
      agent: (url.protocol === "https:" ? kept?.https : kept?.http) ?? false,
      keptBy: keptBy(request.endpointId, addresses),
      lookup: lookupOf(addresses),
      // Spoken out, since NODE_TLS_REJECT_UNAUTHORIZED=0 would else switch it off.
      rejectUnauthorized: true,
      ...(certificateAuthorities === undefined ? {} : { ca: [...certificateAuthorities] }),
    };
  }

  #follow(socket: Socket, isReused: boolean): void {
    if (isReused) {
      this.#isDialled = true;
      this.#isConnected = true;
      this.#bytesBefore = socket.bytesRead;
      return;
    }
    const isTls = this.#attempt.url.protocol === "https:";
    socket.once("connect", () => (this.#isDialled = true));
    socket.once(isTls ? "secureConnect" : "connect", () => (this.#isConnected = true));
  }

  /** The status is the outcome; the rest is read so that the receiver is not cut off at once. */
  #drain(answer: IncomingMessage): void {
    const { limits } = this.#attempt;
    const outcome = this.#answered(answer);
    this.#isAnswered = true;
    const drainDeadline = new Deadline(limits.drainMilliseconds);
    drainDeadline.whenLate(() => answer.destroy());
    let bytes = 0;
    answer.on("data", (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > limits.answerBytesMax) answer.destroy();
    });
    // Cut off by either side: the status has been said all the same.
    answer.on("error", () => {});
    answer.once("close", () => {
      drainDeadline.clear();
      this.#outcome.resolve(outcome);
    });
  }

  #answered(answer: IncomingMessage): WebhookOutcome {
    // Always there in an answer to a request of ours; Node's type is that of requests as well.
    const status = answer.statusCode ?? 0;
    const text = answer.headers["retry-after"];
    const now = this.#attempt.ports.clock.nowMilliseconds();
    const seconds = text === undefined ? undefined : parseRetryAfter(text, now);
    if (seconds === undefined) return { kind: "answered", status };
    return { kind: "answered", status, retryAfterSeconds: seconds };
  }

  #fail(reason: SendFailure): void {
    if (!this.#isAnswered) this.#outcome.resolve({ kind: "failed", reason });
  }

  #isOverLimit(outgoing: ClientRequest): boolean {
    return this.#bytesRead(outgoing) > this.#attempt.limits.answerBytesMax;
  }

  #isWordless(outgoing: ClientRequest): boolean {
    return outgoing.reusedSocket && !this.#isAnswered && this.#bytesRead(outgoing) <= 0;
  }

  #bytesRead({ socket }: ClientRequest): number {
    return (socket?.bytesRead ?? 0) - this.#bytesBefore;
  }

  #reasonOf(error: Error): SendFailure {
    const code = "code" in error ? String(error.code) : "";
    const known = reasons.get(code);
    if (known !== undefined) return known;
    if (code.startsWith("HPE_")) return "not_http";
    // A certificate that does not fit, no common version, no TLS at all: dozens of codes.
    if (this.#isDialled && !this.#isConnected) return "tls";
    return this.#isConnected ? "reset" : "unreachable";
  }
}

const reasons: ReadonlyMap<string, SendFailure> = new Map<string, SendFailure>([
  ["ECONNREFUSED", "refused"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["ETIMEDOUT", "connect_timeout"],
  // Also of a connection that stood: what lies between may go away at any time.
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
]);

/** Knows no other addresses than these, whatever it is asked. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = answers;
    if (options.all === true) callback(null, answers);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** A resolver that does not answer must not hold up the others: c-ares needs no thread for each. */
const resolverOptions = { timeout: 1_500, tries: 2 };

/**
 * Public names come straight from the domain name system: /etc/hosts and search domains, which lead
 * into the network around us, do not count. Listed hosts are found as the machine finds them.
 */
export function buildResolve(): Resolve {
  const resolver = new Resolver(resolverOptions);
  return async (hostname, isListed) => {
    if (isListed) {
      const found = await systemLookup(hostname, { all: true });
      return found.map(({ address }) => address);
    }
    const [ipv4, ipv6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    return [ipv4, ipv6].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
}
