// The streams of events of all open pages of this process. The database is asked for all of them
// together, with one statement each time: a thousand open pages cost no more questions than one.

import type { Checkout } from "../../service/checkout/checkout.ts";
import type { CheckoutPayment } from "../../service/checkout/payment.ts";
import { ServiceError } from "../../service/errors.ts";
import { staleMillisecondsMax } from "../../service/ports/database.ts";
import { sitePolicies } from "../../service/ports/rate-limits.ts";
import type { Client } from "../../service/ports/rate-limits.ts";
import { termsOf } from "./checkout-terms.ts";
import type { Choice } from "./checkout-terms.ts";
import type { EncodeQr } from "./page-regions.ts";
import { snapshotJson, snapshotOf } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

export interface StreamLimits {
  readonly streamsMax: number;
  /** one customer has some tabs, and an office some customers; a /48 of IPv6 has 16 times as many */
  readonly streamsOfAddressMax: number;
  readonly lookMilliseconds: number;
  /** well below the 60 s after which common proxies and our own server take silence for the end */
  readonly heartbeatMilliseconds: number;
  /** Then a browser opens a new one, by itself. */
  readonly lifeMilliseconds: number;
  /** messages that a client has not read; then it is cut off */
  readonly unreadMax: number;
}

export const streamLimits: StreamLimits = {
  streamsMax: 1000,
  streamsOfAddressMax: 10,
  lookMilliseconds: 2000,
  heartbeatMilliseconds: 15_000,
  lifeMilliseconds: 1_800_000,
  unreadMax: 16,
};

export interface StreamPorts {
  readonly checkout: Checkout;
  readonly clock: { readonly monotonicMilliseconds: () => number };
  readonly encodeQr: EncodeQr;
  /** the database did not answer; the streams stay open */
  readonly onError: (error: unknown) => void;
  readonly limits: Partial<StreamLimits>;
}

export interface StreamWish {
  readonly payment: CheckoutPayment;
  readonly choice: Choice;
  /** where it comes from */
  readonly client: Client;
  /** the snapshot that its page shows */
  readonly seenId: string | null;
}

interface Stream extends Omit<StreamWish, "payment" | "seenId"> {
  readonly token: string;
  readonly openedAt: number;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  saidAt: number;
  /** by the clock that only goes on: when what it shows had been read */
  readAt: number;
  shown: Pick<Snapshot, "id" | "regions"> | undefined;
}

/** A browser waits this long before it opens a new one. */
const retryMilliseconds = 3000;
const encoder = new TextEncoder();

export class EventStreams {
  readonly #ports: StreamPorts;
  readonly #limits: StreamLimits;
  readonly #streams = new Set<Stream>();
  /** by token: the last snapshots, and the facts they were made from */
  readonly #made = new Map<string, Made>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#limits = { ...streamLimits, ...ports.limits };
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Throws `rate_limited` and `service_unavailable`. */
  open({ payment, choice, client, seenId }: StreamWish): ReadableStream<Uint8Array> {
    this.#admit(client);
    const now = this.#ports.checkout.now.getTime();
    const { token } = payment;
    let stream: Stream | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const facts = { token, choice, client, controller };
          stream = {
            ...facts,
            openedAt: now,
            saidAt: now,
            readAt: this.#ports.clock.monotonicMilliseconds(),
            shown: undefined,
          };
          this.#streams.add(stream);
          controller.enqueue(encoder.encode(`retry: ${retryMilliseconds}\n\n`));
          const snapshot = this.#snapshot(payment, choice);
          if (snapshot.id === seenId) stream.shown = snapshot;
          this.#show(stream, snapshot);
          this.#keepLooking();
        },
        cancel: () => {
          if (stream !== undefined) this.#forget(stream);
        },
      },
      { highWaterMark: this.#limits.unreadMax },
    );
  }

  /** Ends all of them, so that the process can stop; new ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) this.#end(stream);
  }

  #admit({ network, site }: Client): void {
    const { streamsMax, streamsOfAddressMax } = this.#limits;
    const retryAfterSeconds = Math.ceil(retryMilliseconds / 1000);
    if (this.#isClosed || this.#streams.size >= streamsMax) {
      const message = "No more pages can be kept up to date right now.";
      throw new ServiceError("service_unavailable", message, { retryAfterSeconds });
    }
    let ofNetwork = 0;
    let ofSite = 0;
    for (const { client } of this.#streams) {
      if (client.network === network) ofNetwork += 1;
      if (client.site === site) ofSite += 1;
    }
    const isFull = ofSite >= streamsOfAddressMax * (sitePolicies.checkout ?? 1);
    if (ofNetwork < streamsOfAddressMax && !isFull) return;
    const message = `At most ${streamsOfAddressMax} pages of one address are kept up to date.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds });
  }

  /** Only while somebody listens. */
  #keepLooking(): void {
    this.#timer ??= setInterval(() => void this.#look(), this.#limits.lookMilliseconds);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      // Who opens one meanwhile is shown what may be younger.
      const streams = [...this.#streams];
      const payments = await this.#read(streams);
      for (const stream of streams.filter((one) => this.#streams.has(one))) {
        const payment = payments.get(stream.token);
        if (payment === undefined) continue;
        stream.readAt = this.#ports.clock.monotonicMilliseconds();
        this.#show(stream, this.#snapshot(payment, stream.choice));
      }
    } catch (error) {
      this.#ports.onError(error);
    } finally {
      this.#isLooking = false;
      this.#careForTheQuiet();
    }
  }

  /** What is read again may be as it was a second ago, and what a page shows younger: it shall not go back. */
  async #read(streams: readonly Stream[]): Promise<ReadonlyMap<string, CheckoutPayment>> {
    const { checkout, clock } = this.#ports;
    const readAtMax = clock.monotonicMilliseconds() - staleMillisecondsMax;
    const young = new Set<string>();
    const old = new Set<string>();
    for (const { token, readAt } of streams) (readAt > readAtMax ? young : old).add(token);
    const [again, now] = await Promise.all([
      checkout.readAgain([...old].filter((token) => !young.has(token))),
      checkout.readMany([...young]),
    ]);
    return new Map([...again, ...now]);
  }

  #careForTheQuiet(): void {
    const now = this.#ports.checkout.now.getTime();
    for (const stream of this.#streams) {
      if (now - stream.openedAt >= this.#limits.lifeMilliseconds) this.#end(stream);
      else if (now - stream.saidAt >= this.#limits.heartbeatMilliseconds)
        this.#say(stream, ":\n\n");
    }
  }

  #show(stream: Stream, snapshot: Snapshot): void {
    if (stream.shown?.id !== snapshot.id) {
      const data = snapshotJson(snapshot, this.#ports.checkout.now, stream.shown);
      stream.shown = snapshot;
      this.#say(stream, `id: ${snapshot.id}\nevent: snapshot\ndata: ${data}\n\n`);
    }
    if (snapshot.isOver) this.#end(stream);
  }

  #say(stream: Stream, text: string): void {
    // Who does not read costs memory for every message.
    if ((stream.controller.desiredSize ?? 0) <= 0) {
      this.#end(stream);
      return;
    }
    stream.saidAt = this.#ports.checkout.now.getTime();
    stream.controller.enqueue(encoder.encode(text));
  }

  #end(stream: Stream): void {
    if (!this.#streams.has(stream)) return;
    this.#forget(stream);
    stream.controller.close();
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    const isLast = ![...this.#streams].some(({ token }) => token === stream.token);
    if (isLast) this.#made.delete(stream.token);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Drawn once for all who look at the same, as long as nothing about the payment changes. */
  #snapshot(payment: CheckoutPayment, choice: Choice): Snapshot {
    const { checkout, encodeQr } = this.#ports;
    const { now } = checkout;
    const isPayable = checkout.isPayable(payment);
    const facts = factsOf(payment, isPayable);
    const known = this.#made.get(payment.token);
    const made: Made = known?.facts === facts ? known : { facts, snapshots: new Map() };
    this.#made.set(payment.token, made);
    const terms = termsOf(payment, { choice, now, isPayable });
    // By what was found, of which there are as many as the payment has: a wish can be any text.
    const key = terms.place?.deployment.deploymentId ?? terms.currency?.currencyId ?? "";
    const snapshot = made.snapshots.get(key) ?? snapshotOf(terms, encodeQr);
    made.snapshots.set(key, snapshot);
    return snapshot;
  }
}

interface Made {
  readonly facts: string;
  readonly snapshots: Map<string, Snapshot>;
}

/** What of a payment can change. */
function factsOf(payment: CheckoutPayment, isPayable: boolean): string {
  const { status, addresses, deposits, openDeploymentIds, staleChainIds, merchantName } = payment;
  const chains = [[...openDeploymentIds], [...staleChainIds].toSorted()];
  const facts = [status, isPayable, addresses, deposits, chains, merchantName];
  return JSON.stringify(facts, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
