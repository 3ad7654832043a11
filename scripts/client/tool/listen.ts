// Receives the merchant's events without a public address, and sends them on to a program on this machine.

import { randomBytes } from "node:crypto";
import type { WebhookEvent } from "../../../generated/types.ts";
import { type Command, type Given, serviceHelp, serviceOptions, webUrl } from "./command.ts";
import { startDeliveryServer } from "./delivery-server.ts";
import { UsageError } from "./failures.ts";
import { Forwarder, type Forwarded } from "./forwarder.ts";
import { borrow, type ListeningEndpoint, openOwn } from "./listening-endpoint.ts";
import type { Output } from "./output.ts";
import { type Service, testService } from "./test-service.ts";

const help = (
  program: string,
): string => `Sends the merchant's events on to a program on this machine, until Ctrl-C.

  ${program} --forward-to URL [options]
  ${program} --forward-to http://127.0.0.1:3000/webhooks --events payment.paid,payment.expired

  --forward-to URL      your program; each event is posted there once, in the order in which they came
  --events A,B          only these; every event when left out
  --webhook-secret S    whsec_..., that your program verifies with (WEBHOOK_SECRET; else one is made and shown)
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
another one. At the end its URL, events and state are put back; while listen runs, and after it was killed, its
own receiver gets nothing.`;

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

interface Plan {
  readonly service: Service;
  readonly forwardTo: string;
  readonly eventTypes: readonly string[];
  /** for whoever receives */
  readonly secret: string;
  /** unix milliseconds */
  readonly since: number | undefined;
  /** undefined: on the loopback address */
  readonly receiveAt: string | undefined;
  readonly port: number;
  /** to borrow */
  readonly endpointId: string | undefined;
}

function planOf(given: Given): Plan {
  if (given.words.length > 0) throw new UsageError(`${given.words[0]} is no option`);
  const forwardTo = given.text("forward-to");
  if (forwardTo === undefined) throw new UsageError("say where to send events: --forward-to URL");
  const eventTypes = (given.text("events") ?? "*").split(",").map((one) => one.trim());
  if (eventTypes.includes("")) throw new UsageError("--events has an empty name: write A,B");
  const [receiveAt, port, endpointId] = ["receive-at", "port", "endpoint"].map(given.text);
  if (receiveAt !== undefined && port === undefined) {
    throw new UsageError("--receive-at needs --port: the port on this machine that it leads to");
  }
  const since = given.text("since");
  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    throw new UsageError(`--since is ${since}: write a time such as 2027-01-31T12:00:00Z`);
  }
  return {
    service: testService(given),
    forwardTo: webUrl("--forward-to", forwardTo),
    eventTypes,
    secret: secretOf(given),
    since: since === undefined ? undefined : Date.parse(since),
    receiveAt:
      receiveAt === undefined ? undefined : webUrl("--receive-at", receiveAt).replace(/\/+$/, ""),
    port: portOf(port ?? "0"),
    endpointId,
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new UsageError(`--port is ${text}: write a number from 1 to 65535`);
}

function secretOf(given: Given): string {
  const secret = given.text("webhook-secret") ?? (process.env["WEBHOOK_SECRET"] || undefined);
  if (secret === undefined) {
    if (given.text("endpoint") === undefined) return `whsec_${randomBytes(32).toString("base64")}`;
    throw new UsageError(
      "--endpoint needs the secret of that endpoint: set WEBHOOK_SECRET, or give --webhook-secret",
    );
  }
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw new UsageError("the webhook secret is none: it begins with whsec_ and goes on in base64");
}

interface Counts {
  delivered: number;
  failed: number;
}

async function listenUntilStopped(plan: Plan, output: Output): Promise<void> {
  const stopped = untilStopped();
  const counts: Counts = { delivered: 0, failed: 0 };
  const forwarder = new Forwarder({
    url: plan.forwardTo,
    secret: plan.secret,
    onForwarded: (forwarded) => show(forwarded, { plan, counts, output }),
  });
  const path = `/${randomBytes(16).toString("hex")}`;
  let since = plan.since ?? Date.now();
  let know: (secret: string) => void = () => undefined;
  const secret = new Promise<string>((resolve) => (know = resolve));
  const onEvent = (event: WebhookEvent, body: Buffer): void => {
    // An endpoint of before may have had something to be sent.
    if (Date.parse(event.timestamp) >= since) forwarder.add(event, body);
  };
  const server = await startDeliveryServer({ port: plan.port, path, secret, onEvent });
  try {
    output.progress(`asking ${plan.service.url} to send events here ...`);
    const origin = plan.receiveAt ?? `http://127.0.0.1:${server.port}`;
    const endpoint = await openEndpoint(plan, origin + path);
    try {
      since = plan.since ?? endpoint.since;
      know(endpoint.secret);
      greet(plan, endpoint, output);
      await stopped;
    } finally {
      await endpoint.end();
    }
  } finally {
    await server.close();
    await forwarder.stop();
  }
  const { delivered, failed } = counts;
  const text = `${delivered + failed} events: ${delivered} taken by ${plan.forwardTo}, ${failed} not`;
  output.result(text, { kind: "end", events: delivered + failed, delivered, failed });
}

function openEndpoint(plan: Plan, receiveAt: string): Promise<ListeningEndpoint> {
  const { service, eventTypes, endpointId, secret } = plan;
  const wish = { ...service, receiveAt, eventTypes };
  return endpointId === undefined ? openOwn(wish) : borrow(endpointId, secret, wish);
}

/** npm hands on the Ctrl-C that a terminal has sent already: a second one must not end this before it has tidied up. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
    // Whoever was reading has gone.
    process.stdout.on("error", () => resolve());
  });
}

function greet({ secret, forwardTo, eventTypes }: Plan, { id }: ListeningEndpoint, output: Output) {
  const what = eventTypes.includes("*") ? "every event" : eventTypes.join(", ");
  const text = `Ready: ${what} goes to ${forwardTo}, until Ctrl-C.\nWEBHOOK_SECRET=${secret}\n`;
  output.result(text, {
    kind: "ready",
    webhook_secret: secret,
    forward_to: forwardTo,
    endpoint: id,
  });
}

interface Showing {
  readonly plan: Plan;
  readonly counts: Counts;
  readonly output: Output;
}

function show(
  { event, status, reason, milliseconds }: Forwarded,
  { plan, counts, output }: Showing,
) {
  const isDelivered = status !== undefined && status >= 200 && status <= 299;
  counts[isDelivered ? "delivered" : "failed"] += 1;
  const time = new Date();
  const outcome =
    status === undefined
      ? output.painted(`not taken, ${plan.forwardTo}: ${reason ?? "no answer"}`, "red")
      : output.painted(String(status), isDelivered ? "green" : "red");
  const clock = output.painted(time.toTimeString().slice(0, 8), "dim");
  const text = `${clock} ${event.type.padEnd(27)} ${event.id} ${outcome} ${milliseconds} ms`;
  const outside = { time: time.toISOString(), type: event.type, id: event.id, milliseconds };
  const record = {
    kind: "event",
    ...outside,
    status: status ?? null,
    reason: reason ?? null,
    event,
  };
  output.result(text, record);
}
