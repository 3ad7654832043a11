// Stands between a client and a server, and spoils answers: one rule at a time.

import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Passing {
  /** "GET /v1/currencies?limit=1" */
  readonly line: string;
  readonly status: number;
  /** as they were written, in order */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Another answer in place of this one; undefined: this one passes as it is. "cut": the connection ends. */
export type Fault = (passing: Passing) => Partial<Passing> | "cut" | "never" | undefined;

export interface FaultyProxy {
  readonly url: string;
  /** how many answers were spoilt */
  readonly spoilt: () => number;
  readonly plant: (fault: Fault) => void;
  readonly close: () => Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let fault: Fault = () => undefined;
  let spoilt = 0;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const passing = await forward(target, incoming);
    const change = fault(passing);
    if (change !== undefined) spoilt += 1;
    if (change === "never") return;
    const { status, headers, body } = { ...passing, ...(change === "cut" ? {} : change) };
    const fields = headers.filter(
      ([name]) => !/^(?:connection|keep-alive|transfer-encoding|content-length)$/i.test(name),
    );
    const hasBody = status !== 304;
    const length = hasBody ? [["Content-Length", String(Buffer.byteLength(body))] as const] : [];
    outgoing.sendDate = false;
    outgoing.writeHead(status, [...fields, ...length].flat());
    if (change === "cut") {
      outgoing.write(body.slice(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      return;
    }
    outgoing.end(hasBody ? body : undefined);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spoilt: () => spoilt,
    plant: (next) => {
      fault = next;
      spoilt = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function forward(target: string, incoming: IncomingMessage): Promise<Passing> {
  const { method = "", url = "", rawHeaders } = incoming;
  const body = await buffer(incoming);
  const outgoing = httpRequest(target + url, { method, headers: pairs(rawHeaders).flat() });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return {
    line: `${method} ${url}`,
    status: answer.statusCode ?? 0,
    headers: pairs(answer.rawHeaders),
    body: (await buffer(answer)).toString("utf8"),
  };
}

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []));
}
