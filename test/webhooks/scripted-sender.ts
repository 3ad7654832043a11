// A port of the dispatcher for tests that are not about HTTP: answers as told, and remembers.

import type {
  WebhookOutcome,
  WebhookRequest,
  WebhookSender,
} from "../../service/ports/webhook-sender.ts";
import { type Engine, openDatabase } from "../support/engines.ts";
import { Outbox } from "./outbox.ts";

export type Script = (request: WebhookRequest) => WebhookOutcome | Promise<WebhookOutcome>;

export class ScriptedSender implements WebhookSender {
  readonly sent: WebhookRequest[] = [];
  #script: Script;

  constructor(script: Script = answering(200)) {
    this.#script = script;
  }

  follow(script: Script): void {
    this.#script = script;
  }

  readonly send = async (request: WebhookRequest): Promise<WebhookOutcome> => {
    this.sent.push(request);
    return await this.#script(request);
  };

  /** The payloads in the order in which they were sent. */
  payloads(): readonly Payload[] {
    // What `payloadText` writes; a test compares the whole of it.
    return this.sent.map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Payload);
  }
}

export interface Payload {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly resource: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

export function answering(status: number, retryAfterSeconds?: number): Script {
  const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return () => ({ kind: "answered", status, ...more });
}

/** With a receiver that answers as it is told. */
export async function openScripted(engine: Engine, script?: Script) {
  const sender = new ScriptedSender(script);
  return { sender, outbox: new Outbox({ database: await openDatabase(engine), sender }) };
}
