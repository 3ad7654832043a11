// Which of the events that come to listen go on, and what the service hears.

import type { WebhookEvent } from "../../../generated/types.ts";
import type { Forwarder } from "./forwarder.ts";
import type { ListeningEndpoint } from "./listening-endpoint.ts";

export class Intake {
  /** Of the endpoint: the first delivery may come before it is known. */
  readonly secret: Promise<string>;
  readonly #forwarder: Forwarder;
  readonly #say: (text: string) => void;
  #know: (secret: string) => void = () => undefined;
  /** unix milliseconds */
  #since = Infinity;
  #isBorrowed = false;
  #hasLeft = false;

  constructor(forwarder: Forwarder, say: (text: string) => void) {
    this.#forwarder = forwarder;
    this.#say = say;
    this.secret = new Promise((resolve) => (this.#know = resolve));
  }

  /** @param since unix milliseconds; when the endpoint began to listen, if left out */
  open(endpoint: ListeningEndpoint, since: number | undefined): void {
    this.#since = since ?? endpoint.since;
    this.#isBorrowed = endpoint.before !== undefined;
    this.#know(endpoint.secret);
  }

  /** @returns the status for the service */
  take(event: WebhookEvent, body: Buffer): 204 | 503 {
    if (Date.parse(event.timestamp) >= this.#since) {
      // The service need not wait for the receiver, and tries nothing again: each event is sent on once.
      this.#forwarder.add(event, body);
      return 204;
    }
    // An endpoint of before may have had something to be sent; nobody else waits for that of listen's own.
    if (!this.#isBorrowed) return 204;
    if (!this.#hasLeft) {
      this.#say(
        `older events wait for the endpoint's own receiver, such as ${event.type} of ${event.timestamp}: they are refused here
(503), so that the service tries them again later; --since TIME sends them on to your program instead`,
      );
    }
    this.#hasLeft = true;
    return 503;
  }
}
