// Deliveries that listen does not take: each reason is said once, with what to do, and all are counted.

import type { Refusal } from "./delivery-server.ts";

const clock = "The clock of this machine, or of the service, is off by more: put it right.";
const notOurs =
  "This is no delivery of the service: a proxy has changed it, or somebody else sends here.";

export class Refusals {
  readonly #said = new Set<string>();
  readonly #say: (text: string) => void;
  readonly #borrowedId: string | undefined;
  count = 0;

  /** @param borrowedId of the endpoint whose secret the person has given; undefined: it is listen's own */
  constructor(say: (text: string) => void, borrowedId: string | undefined) {
    this.#say = say;
    this.#borrowedId = borrowedId;
  }

  add({ about, said }: Refusal): void {
    this.count += 1;
    if (this.#said.has(about)) return;
    this.#said.add(about);
    this.#say(`refused, for its ${about}: ${said}.\n${this.#adviceOn(about)}`);
  }

  #adviceOn(about: Refusal["about"]): string {
    if (about === "timestamp") return clock;
    if (about === "path") {
      return "If it was the service, a tunnel or proxy changes the path: it must hand it on as it came, behind --receive-at.";
    }
    if (about !== "signature" || this.#borrowedId === undefined) return notOurs;
    return `Is WEBHOOK_SECRET the secret of ${this.#borrowedId}? Where nobody has that any more, POST
/v1/webhook-endpoints/${this.#borrowedId}/rotate-secret makes another one. The service tries again later.`;
  }
}
