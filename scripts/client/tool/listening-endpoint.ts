// The endpoint by which listen hears of events: its own, switched off again at the end, or one that it borrows and gives back.

import type { Client } from "../../../generated/client/client.ts";
import { ResponseError } from "../../../generated/client/runtime/answers.ts";
import type { EndpointForm, EndpointMemory } from "./endpoint-memory.ts";
import { saidOf, ToolFailure } from "./failures.ts";

export interface ListeningEndpoint {
  readonly id: string;
  /** that the service signs with */
  readonly secret: string;
  /** when it began to listen, by the service's clock; unix milliseconds */
  readonly since: number;
  /** what is put back; undefined: listen has made it */
  readonly before: EndpointForm | undefined;
  /** Undoes what was done to it. */
  readonly end: () => Promise<void>;
}

export interface Wish {
  readonly client: Client;
  /** where this process is reached */
  readonly receiveAt: string;
  readonly eventTypes: readonly string[];
  readonly memory: EndpointMemory;
  /** of the calls that open it */
  readonly signal: AbortSignal;
  /** to whoever watches */
  readonly say: (text: string) => void;
}

/** Of URLs that lead to a listen, the path begins so. */
export const listenPath = "/merchant-payments-listen/";

/** Whatever the interface says of a call, a developer who presses Ctrl-C does not wait for long. */
const endMillisecondsMax = 5_000;

/** Its own: one that a listen of before has made, or else a new one. */
export async function openOwn(wish: Wish): Promise<ListeningEndpoint> {
  const { memory, receiveAt: url, signal } = wish;
  const { webhookEndpoints: calls } = wish.client;
  const end = (id: string) => async () => {
    await switchOff(calls, id);
    memory.letGo(id);
  };
  for (let id = memory.take(); id !== undefined; id = memory.take()) {
    const again = await reopened(id, wish).catch(undoing(end(id)));
    if (again !== undefined) return { ...again, id, before: undefined, end: end(id) };
    memory.forget(id);
  }
  const event_types = [...wish.eventTypes];
  const made = await calls.registerWebhookEndpoint.answer({ url, event_types }, { signal });
  if (made.status !== 201) throw refusal("registerWebhookEndpoint", made, url);
  const { id, secret } = made.body;
  if (!memory.keep(id)) {
    wish.say(`made ${id}, and it is written down nowhere. To use it again: --endpoint ${id}, with the secret that POST
/v1/webhook-endpoints/${id}/rotate-secret answers in WEBHOOK_SECRET`);
  }
  return { id, secret, since: timeOf(made.headers), before: undefined, end: end(id) };
}

type Calls = Client["webhookEndpoints"];

/** undefined: it is not there any more, as after a new database */
async function reopened(id: string, wish: Wish) {
  const { signal } = wish;
  const { rotateWebhookEndpointSecret: rotate } = wish.client.webhookEndpoints;
  const rotated = await rotate.answer({ id }, { signal });
  if (rotated.status === 404) return undefined;
  if (rotated.status !== 200) throw new ResponseError("rotateWebhookEndpointSecret", rotated);
  return { secret: rotated.body.secret, since: await turnedHere(id, wish) };
}

/** One of the merchant's: its URL, events and state are put back at the end. */
export async function borrow(id: string, secret: string, wish: Wish): Promise<ListeningEndpoint> {
  const { memory, signal } = wish;
  const { webhookEndpoints: calls } = wish.client;
  const claim = memory.claim(id);
  if (claim === undefined) throw new ToolFailure(`${id} leads to another listen: end that first`);
  let before: EndpointForm;
  try {
    const { url, event_types, active } = await calls.getWebhookEndpoint({ id }, { signal });
    before = ownForm({ url, event_types, active }, claim.before, id);
  } catch (error) {
    memory.letGo(id);
    throw error;
  }
  const types = before.event_types.join(", ");
  wish.say(
    `borrowing ${id}, to be put back at the end: ${before.url}, for ${types}, active: ${before.active}`,
  );
  memory.keepBefore(id, before);
  const end = async (): Promise<void> => {
    await giveBack(calls, id, before);
    memory.givenBack(id);
  };
  const since = await turnedHere(id, wish).catch(undoing(end));
  return { id, secret, since, before, end };
}

/**
 * As its owner has it.
 *
 * @param kept how it was when a listen borrowed it that did not give it back
 * @throws {ToolFailure} it leads to a listen, and nobody knows how it was before
 */
function ownForm(now: EndpointForm, kept: EndpointForm | undefined, id: string): EndpointForm {
  if (!new URL(now.url).pathname.includes(listenPath)) return now;
  if (kept !== undefined) return kept;
  if (!now.active) return now;
  throw new ToolFailure(
    `${id} leads to another listen, which runs elsewhere or was killed: ${now.url}
End that, or put the endpoint's own URL back first (PUT /v1/webhook-endpoints/${id}).`,
  );
}

/** Lets it lead to this process. @returns since when, in unix milliseconds */
async function turnedHere(id: string, wish: Wish): Promise<number> {
  const { receiveAt: url, signal } = wish;
  const { webhookEndpoints: calls } = wish.client;
  const event_types = [...wish.eventTypes];
  const update = await calls.updateWebhookEndpoint.answer({ id, url, event_types }, { signal });
  if (update.status !== 200) throw refusal("updateWebhookEndpoint", update, url);
  if (update.body.active) return timeOf(update.headers);
  const on = await calls.setWebhookEndpointStatus.answer({ id, active: true }, { signal });
  if (on.status !== 200) throw new ResponseError("setWebhookEndpointStatus", on);
  return timeOf(on.headers);
}

/** Where opening has failed half way: also what was not answered may have been done. */
function undoing(end: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    try {
      await end();
    } catch (left) {
      throw new ToolFailure(`${saidOf(error) ?? String(error)}\n${saidOf(left) ?? String(left)}`);
    }
    throw error;
  };
}

async function giveBack(calls: Calls, id: string, before: EndpointForm): Promise<void> {
  const { url, active } = before;
  const event_types = [...before.event_types];
  const signal = AbortSignal.timeout(endMillisecondsMax);
  try {
    const now = await calls.updateWebhookEndpoint({ id, url, event_types }, { signal });
    if (now.active !== active) await calls.setWebhookEndpointStatus({ id, active }, { signal });
  } catch (error) {
    throw new ToolFailure(
      `the endpoint ${id} was not given back (${String(error)}).
The next listen with --endpoint ${id} does it, or you: ${url}, for ${event_types.join(", ")}, active: ${active}`,
    );
  }
}

async function switchOff(calls: Calls, id: string): Promise<void> {
  const signal = AbortSignal.timeout(endMillisecondsMax);
  try {
    await calls.setWebhookEndpointStatus({ id, active: false }, { signal });
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return;
    throw new ToolFailure(
      `the endpoint ${id} was not switched off (${String(error)}).\nThe next listen uses it again; until then the service goes on trying to reach this machine.`,
    );
  }
}

type Answer = ConstructorParameters<typeof ResponseError>[1];

/** Says what to do where the service will not send to this address. */
function refusal(operationId: string, answer: Answer, receiveAt: string): Error {
  const error = new ResponseError(operationId, answer);
  const { code } = Object(answer.body) as { readonly code?: unknown };
  if (code !== "webhook_url_not_allowed") return error;
  const { hostname, origin } = new URL(receiveAt);
  return new ToolFailure(
    `the service does not send webhooks to ${origin}.
A service on your own machine does where it was started with WEBHOOK_HTTP_HOSTS=${hostname} npm start.
For one elsewhere open a tunnel to a port of yours, and say its address: --receive-at https://... --port N`,
  );
}

/** RFC 9110, section 6.6.1; of this machine where there is none. */
function timeOf(headers: Headers): number {
  const time = Date.parse(headers.get("Date") ?? "");
  return Number.isNaN(time) ? Date.now() : time;
}
