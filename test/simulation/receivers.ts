// The servers of merchants: they answer, refuse, are late or away, and remember what they took.

import type { WebhookOutcome, WebhookRequest } from "../../service/ports/webhook-sender.ts";
import type { Payload } from "../webhooks/scripted-sender.ts";

export type Mood = "healthy" | "failing" | "busy" | "late" | "away" | "gone";

export interface TimedPayload extends Payload {
  readonly timestamp: string;
}

export interface Attempt {
  readonly url: string;
  readonly payload: TimedPayload;
  /** answered with success */
  isTaken: boolean;
}

export class Receivers {
  readonly attempts: Attempt[] = [];
  readonly #moods = new Map<string, Mood>();
  readonly #waitLong: () => Promise<void>;

  /** `waitLong`: longer than a worker may hold what it sends */
  constructor(waitLong: () => Promise<void>) {
    this.#waitLong = waitLong;
  }

  setMood(url: string, mood: Mood): void {
    this.#moods.set(url, mood);
  }

  calm(): void {
    this.#moods.clear();
  }

  readonly send = async ({ url, body }: WebhookRequest): Promise<WebhookOutcome> => {
    // What `payloadText` writes.
    const payload = JSON.parse(Buffer.from(body).toString()) as TimedPayload;
    const attempt: Attempt = { url, payload, isTaken: false };
    this.attempts.push(attempt);
    const take = (): WebhookOutcome => {
      attempt.isTaken = true;
      return { kind: "answered", status: 200 };
    };
    switch (this.#moods.get(url) ?? "healthy") {
      case "healthy":
        return take();
      case "late": {
        const outcome = take();
        await this.#waitLong();
        return outcome;
      }
      case "failing":
        return { kind: "answered", status: 500 };
      case "busy":
        return { kind: "answered", status: 503, retryAfterSeconds: 120 };
      case "gone":
        return { kind: "answered", status: 410 };
      default:
        return { kind: "failed", reason: "connect_timeout" };
    }
  };
}
