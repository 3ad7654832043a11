// What listen is asked to do.

import { type Given, webUrl } from "./command.ts";
import { endpointIdPattern } from "./endpoint-memory.ts";
import { UsageError } from "./failures.ts";
import { type Service, testService } from "./test-service.ts";

export interface Plan {
  readonly service: Service;
  readonly forwardTo: string;
  readonly eventTypes: readonly string[];
  /** for whoever receives; undefined: none is given, and one is to be made */
  readonly secret: string | undefined;
  /** unix milliseconds */
  readonly since: number | undefined;
  /** undefined: on the loopback address */
  readonly receiveAt: string | undefined;
  readonly port: number;
  /** to borrow */
  readonly endpointId: string | undefined;
}

/** @throws {UsageError} it says nothing that can be done */
export function planOf(given: Given): Plan {
  if (given.words.length > 0) throw new UsageError(`${given.words[0]} is no option`);
  const forwardTo = given.text("forward-to");
  if (forwardTo === undefined) throw new UsageError("say where to send events: --forward-to URL");
  const eventTypes = (given.text("events") ?? "*").split(",").map((one) => one.trim());
  if (eventTypes.includes("")) throw new UsageError("--events has an empty name: write A,B");
  const [receiveAt, port, endpointId] = ["receive-at", "port", "endpoint"].map(given.text);
  if (receiveAt !== undefined && Number(port ?? "0") === 0) {
    throw new UsageError("--receive-at needs --port: the port on this machine that it leads to");
  }
  if (endpointId !== undefined && !endpointIdPattern.test(endpointId)) {
    throw new UsageError(`--endpoint is ${endpointId}: write the id of one, whe_...`);
  }
  return {
    service: testService(given),
    forwardTo: webUrl("--forward-to", forwardTo),
    eventTypes,
    secret: secretOf(given),
    since: sinceOf(given.text("since")),
    receiveAt: receiveAt === undefined ? undefined : tunnelOf(receiveAt),
    port: portOf(port ?? "0"),
    endpointId,
  };
}

/** The path of this process is put at its end. */
function tunnelOf(text: string): string {
  const url = webUrl("--receive-at", text);
  if (/[?#]/.test(url)) {
    throw new UsageError("--receive-at has a ? or #: write it without, a path is put at its end");
  }
  return url.replace(/\/+$/, "");
}

/** ISO 8601, as RFC 3339 has it. */
function sinceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
  if (form.test(text) && !Number.isNaN(time)) return time;
  throw new UsageError(
    `--since is ${text}: write a time with its zone, such as 2027-01-31T12:00:00Z`,
  );
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new UsageError(`--port is ${text}: write a number from 1 to 65535`);
}

function secretOf(given: Given): string | undefined {
  const secret = given.text("webhook-secret") ?? (process.env["WEBHOOK_SECRET"] || undefined);
  if (secret === undefined) {
    if (given.text("endpoint") === undefined) return undefined;
    throw new UsageError(
      "--endpoint needs the secret of that endpoint: set WEBHOOK_SECRET, or give --webhook-secret",
    );
  }
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw new UsageError("the webhook secret is none: it begins with whsec_ and goes on in base64");
}
