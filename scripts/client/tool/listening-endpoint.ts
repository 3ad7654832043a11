// The endpoint by which listen hears of events: its own, switched off again at the end, or one that it borrows and gives back.

import type { Client, types } from "../../../generated/client/client.ts";
import { ResponseError } from "../../../generated/client/runtime/answers.ts";
import { EndpointMemory } from "./endpoint-memory.ts";
import { ToolFailure } from "./failures.ts";

export interface ListeningEndpoint {
  readonly id: string;
  /** that the service signs with */
  readonly secret: string;
  /** when it began to listen, by the service's clock; unix milliseconds */
  readonly since: number;
  /** Undoes what was done to it. */
  readonly end: () => Promise<void>;
}

export interface Wish {
  readonly client: Client;
  /** of the service */
  readonly url: string;
  readonly key: string;
  /** where this process is reached */
  readonly receiveAt: string;
  readonly eventTypes: readonly string[];
}

/** Whatever the interface says of a call, a developer who presses Ctrl-C does not wait for long. */
const endMillisecondsMax = 5_000;

/** Its own: one that a listen of before has made, or else a new one. */
export async function openOwn(wish: Wish): Promise<ListeningEndpoint> {
  const memory = new EndpointMemory(wish.url, wish.key);
  const { webhookEndpoints: calls } = wish.client;
  const end = (id: string) => () => switchOff(calls, id);
  for (let id = memory.take(); id !== undefined; id = memory.take()) {
    const again = await reopened(calls, id, wish);
    if (again !== undefined) return { ...again, id, end: end(id) };
    memory.forget(id);
  }
  const made = await reaching(wish.receiveAt, () =>
    calls.registerWebhookEndpoint.answer({
      url: wish.receiveAt,
      event_types: [...wish.eventTypes],
    }),
  );
  if (made.status !== 201) throw new ResponseError("registerWebhookEndpoint", made);
  const { id, secret } = made.body;
  memory.keep(id);
  return { id, secret, since: timeOf(made.headers), end: end(id) };
}

type Calls = Client["webhookEndpoints"];

/** undefined: it is not there any more, as after a new database */
async function reopened(calls: Calls, id: string, wish: Wish) {
  const rotated = await calls.rotateWebhookEndpointSecret.answer({ id });
  if (rotated.status === 404) return undefined;
  if (rotated.status !== 200) throw new ResponseError("rotateWebhookEndpointSecret", rotated);
  const update = { id, url: wish.receiveAt, event_types: [...wish.eventTypes] };
  await reaching(wish.receiveAt, () => calls.updateWebhookEndpoint(update));
  const on = await calls.setWebhookEndpointStatus.answer({ id, active: true });
  if (on.status !== 200) throw new ResponseError("setWebhookEndpointStatus", on);
  return { secret: rotated.body.secret, since: timeOf(on.headers) };
}

/** One of the merchant's: its URL, events and state are put back at the end. */
export async function borrow(id: string, secret: string, wish: Wish): Promise<ListeningEndpoint> {
  const { webhookEndpoints: calls } = wish.client;
  const before = await calls.getWebhookEndpoint({ id });
  const event_types = [...wish.eventTypes];
  await reaching(wish.receiveAt, () =>
    calls.updateWebhookEndpoint({ id, url: wish.receiveAt, event_types }),
  );
  const on = await calls.setWebhookEndpointStatus.answer({ id, active: true });
  if (on.status !== 200) throw new ResponseError("setWebhookEndpointStatus", on);
  return { id, secret, since: timeOf(on.headers), end: () => giveBack(calls, before) };
}

async function giveBack(calls: Calls, before: types.WebhookEndpoint): Promise<void> {
  const { id, url, event_types, active } = before;
  const signal = AbortSignal.timeout(endMillisecondsMax);
  try {
    await calls.updateWebhookEndpoint({ id, url, event_types: [...event_types] }, { signal });
    if (!active) await calls.setWebhookEndpointStatus({ id, active }, { signal });
  } catch (error) {
    throw new ToolFailure(
      `the endpoint ${id} was not given back (${String(error)}).\nPut its URL back yourself: ${url}, for ${event_types.join(", ")}, active: ${active}`,
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

/** Says what to do where the service will not send to this address. */
async function reaching<Result>(receiveAt: string, call: () => Promise<Result>): Promise<Result> {
  try {
    const result = await call();
    const { status, body } = Object(result) as {
      readonly status?: unknown;
      readonly body?: unknown;
    };
    if (status === 400 && codeOf(body) === "webhook_url_not_allowed") throw unreachable(receiveAt);
    return result;
  } catch (error) {
    if (!(error instanceof ResponseError) || error.code !== "webhook_url_not_allowed") throw error;
    throw unreachable(receiveAt);
  }
}

function codeOf(body: unknown): unknown {
  return (Object(body) as { readonly code?: unknown }).code;
}

function unreachable(receiveAt: string): ToolFailure {
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
