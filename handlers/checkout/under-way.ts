// What buyers' programs are waiting for: each question may take as long as a settlement does. The same
// question asked again joins the first, and takes no place of its own.

import { ServiceError } from "../../service/errors.ts";

/** Our choice: of all payments, and of one: somebody who asks again and again shuts out nobody else. */
const underWayMax = 64;
const ofPaymentMax = 4;
const retryAfterSeconds = 2;

export class UnderWay<Answer> {
  /** by payment, and then by what was asked */
  readonly #payments = new Map<string, Map<string, Promise<Answer>>>();
  #count = 0;

  /** Throws `rate_limited`. */
  async join(paymentId: string, asked: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#payments.get(paymentId) ?? new Map<string, Promise<Answer>>();
    const first = known.get(asked);
    if (first !== undefined) return first;
    if (this.#count >= underWayMax || known.size >= ofPaymentMax) {
      const message = "Too many payments are being settled. Please wait a moment.";
      throw new ServiceError("rate_limited", message, { retryAfterSeconds });
    }
    const answer = ask();
    known.set(asked, answer);
    this.#payments.set(paymentId, known);
    this.#count += 1;
    try {
      return await answer;
    } finally {
      this.#count -= 1;
      known.delete(asked);
      if (known.size === 0) this.#payments.delete(paymentId);
    }
  }
}
