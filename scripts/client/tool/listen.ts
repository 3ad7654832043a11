// Receives the merchant's events without a public address, and sends them on to a program on this machine.

import { randomBytes } from "node:crypto";
import { type Command, serviceHelp, serviceOptions } from "./command.ts";
import { startDeliveryServer } from "./delivery-server.ts";
import { EndpointMemory } from "./endpoint-memory.ts";
import { ToolFailure } from "./failures.ts";
import { Forwarder, type Forwarded } from "./forwarder.ts";
import { Intake } from "./intake.ts";
import { type Plan, planOf } from "./listen-plan.ts";
import { borrow, listenPath, type ListeningEndpoint, openOwn } from "./listening-endpoint.ts";
import type { Output, Painted } from "./output.ts";
import { inline } from "./printable.ts";
import { Refusals } from "./refusals.ts";
import { untilStopped } from "./stopping.ts";
import type { Service } from "./test-service.ts";

const help = (
  program: string,
): string => `Sends the merchant's events on to a program on this machine, until Ctrl-C.

  ${program} --forward-to URL [options]
  ${program} --forward-to http://127.0.0.1:3000/webhooks --events payment.paid,payment.expired

  --forward-to URL      your program; each event is posted there once, in the order in which they came
  --events A,B          only these; every event when left out
  --webhook-secret S    whsec_..., that your program verifies with, in place of WEBHOOK_SECRET; else one is made and shown
  --since TIME          what happened from then on, such as 2027-01-31T12:00:00Z, and not only from now on,
                        of what the service still has to send to this endpoint
  --receive-at URL      where the service reaches this process, if not on 127.0.0.1: your tunnel
  --port N              the port there; any free one when left out
  --endpoint ID         borrow this endpoint of yours, in place of one made for it
${serviceHelp}

It takes a test key with the scope webhooks:write (and webhooks:read for --endpoint).

How: the list of deliveries of the interface has no bodies, so events are had as any receiver has them. An
endpoint of the test half is made that leads to this process; each event is verified, signed anew, and sent on.
So the service must reach this process: on the same machine it does where it was started with
WEBHOOK_HTTP_HOSTS=127.0.0.1, and from elsewhere through a tunnel of yours (--receive-at, --port).

Left behind: the interface cannot delete an endpoint, so at the end it is switched off, and the next listen uses
it again; its id is kept below ~/.local/state/merchant-payments. What happens meanwhile is not sent later. Other
endpoints of the merchant hear of it: webhook_endpoint.updated, .secret_rotated and .disabled.

--endpoint takes the endpoint's own secret from --webhook-secret or WEBHOOK_SECRET, and nothing is signed with
another one. Its URL, events and state are shown, written down, and put back at the end; after a kill -9 by the next
listen with this --endpoint. While listen runs its own receiver gets nothing: what is older than listen is refused
with 503, so that the service tries it again later, and what happens meanwhile is yours.`;

export const listen: Command = {
  help,
  options: {
    ...serviceOptions,
    "forward-to": { type: "string" },
    events: { type: "string" },
    "webhook-secret": { type: "string" },
    since: { type: "string" },
    "receive-at": { type: "string" },
    port: { type: "string" },
    endpoint: { type: "string" },
  },
  run: async (given, output) => listenUntilStopped(planOf(given), output),
};

interface Counts {
  delivered: number;
  failed: number;
}

/** @throws what was left behind, once all is said */
async function listenUntilStopped(plan: Plan, output: Output): Promise<void> {
  const { service, forwardTo, eventTypes, endpointId } = plan;
  const say = (text: string): void => output.progress(text);
  const memory = memoryFor(service, say);
  const secret = plan.secret ?? `whsec_${randomBytes(32).toString("base64")}`;
  const counts: Counts = { delivered: 0, failed: 0 };
  const showing = { forwardTo, counts, output };
  const refusals = new Refusals(say, endpointId);
  const onForwarded = (forwarded: Forwarded): void => show(forwarded, showing);
  const forwarder = new Forwarder({ url: forwardTo, secret, onForwarded });
  const intake = new Intake(forwarder, say);
  const path = listenPath + randomBytes(16).toString("hex");
  const server = await startDeliveryServer({
    port: plan.port,
    path,
    secret: intake.secret,
    onEvent: (event, body) => intake.take(event, body),
    onRefused: (refused) => refusals.add(refused),
  });
  const receiveAt = (plan.receiveAt ?? `http://127.0.0.1:${server.port}`) + path;
  const stopping = untilStopped(endedEarly(service.url, receiveAt));
  let ending: Promise<void> | undefined;
  try {
    say(`asking ${service.url} to send events here ...`);
    const { client } = service;
    const wish = { client, receiveAt, eventTypes, memory, signal: stopping.signal, say };
    const opening = endpointId === undefined ? openOwn(wish) : borrow(endpointId, secret, wish);
    const endpoint = await opening;
    intake.open(endpoint, plan.since);
    greet(endpoint, { plan, secret, output });
    await stopping.asked;
    ending = endpoint.end();
    await ending.catch(() => undefined);
  } finally {
    await server.close();
    await forwarder.stop();
  }
  finish(showing, refusals.count);
  await ending;
}

function memoryFor({ url, key }: Service, say: (text: string) => void): EndpointMemory {
  const memory = new EndpointMemory(url, key);
  const problem = memory.problem();
  if (problem !== undefined) {
    say(`nothing can be written down in ${memory.folder} (${problem}), so the next listen makes an endpoint more, of 20 that a
merchant may have. Say another folder by XDG_STATE_HOME.`);
  }
  return memory;
}

function endedEarly(url: string, receiveAt: string): ToolFailure {
  return new ToolFailure(
    `listen was ended before ${url} had answered. If that makes an endpoint all the same, it leads to nobody:
POST /v1/webhook-endpoints with the url ${receiveAt} says its id (409), and .../{id}/status switches it off.`,
  );
}

interface Greeting {
  readonly plan: Plan;
  readonly secret: string;
  readonly output: Output;
}

/** A secret that was given is known already, and a terminal is kept: only one that was made here is shown. */
function greet({ id, before }: ListeningEndpoint, { plan, secret, output }: Greeting): void {
  const { forwardTo, eventTypes } = plan;
  const isMade = plan.secret === undefined;
  const what = eventTypes.includes("*") ? "every event" : eventTypes.join(", ");
  const signed = isMade ? `WEBHOOK_SECRET=${secret}` : "Signed with the secret that was given.";
  output.result(`Ready: ${what} goes to ${forwardTo}, until Ctrl-C.\n${signed}\n`, {
    kind: "ready",
    webhook_secret: isMade ? secret : null,
    forward_to: forwardTo,
    endpoint: id,
    borrowed: before ?? null,
  });
}

interface Showing {
  readonly forwardTo: string;
  readonly counts: Counts;
  readonly output: Output;
}

function show(forwarded: Forwarded, { forwardTo, counts, output }: Showing): void {
  const { event, status, reason, milliseconds } = forwarded;
  const isDelivered = status !== undefined && status >= 200 && status <= 299;
  counts[isDelivered ? "delivered" : "failed"] += 1;
  const time = new Date();
  const { id, type } = event;
  const text: readonly (string | Painted)[] = [
    { text: time.toTimeString().slice(0, 8), colour: "dim" },
    ` ${inline(type).padEnd(27)} ${inline(id)} `,
    status === undefined
      ? { text: `not taken, ${forwardTo}: ${inline(reason ?? "no answer")}`, colour: "red" }
      : { text: String(status), colour: isDelivered ? "green" : "red" },
    ` ${milliseconds} ms`,
  ];
  const outcome = { status: status ?? null, reason: reason ?? null };
  const record = { kind: "event", time: time.toISOString(), type, id, milliseconds, ...outcome };
  output.result(text, { ...record, event });
}

function finish({ forwardTo, counts, output }: Showing, refused: number): void {
  const { delivered, failed } = counts;
  const events = delivered + failed;
  const more = refused === 0 ? "" : `; ${refused} deliveries were refused here`;
  const text = `${events} events: ${delivered} taken by ${forwardTo}, ${failed} not${more}`;
  output.result(text, { kind: "end", events, delivered, failed, refused });
}
