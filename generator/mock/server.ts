// The mock on a port: with troubles on the way, for browsers of other origins, and anew when its contract changes.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Code } from "../diagnostics/codes.ts";
import { readContract, type Reading } from "../generate.ts";
import type { Copies } from "../read/library.ts";
import { nodeListener } from "../runtime/listener.ts";
import { drawTroubles, type Trouble, type Troubles, truncate } from "./faults.ts";
import { buildMock, type Line } from "./mock.ts";
import { PreferenceError, type Preferences, readPreferences } from "./preferences.ts";

export interface ServerOptions {
  readonly spec: string;
  readonly copies: Copies;
  /** codes of problems that the document may have */
  readonly allow: ReadonlySet<Code>;
  /** where operations are mounted, as the configuration says it */
  readonly basePath: string | undefined;
  readonly host: string;
  /** 0: any that is free */
  readonly port: number;
  readonly seed: number;
  readonly isDynamic: boolean;
  readonly hasState: boolean;
  readonly explains: boolean;
  readonly troubles: Troubles;
  readonly streamDelayMilliseconds: number;
  /** the origin that browsers may ask from, or "*"; undefined: they may not */
  readonly cors: string | undefined;
  readonly answered: (line: Line) => void;
}

export interface Running {
  readonly url: string;
  readonly reading: Reading;
  readonly operations: number;
  /** Reads the contract again; throws what reading it throws, and goes on with the older one then. */
  readonly reload: () => Promise<Reading>;
  readonly close: () => Promise<void>;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

const bodyBytesMax = 10_000_000;

/** Throws `DocumentError`, and what Node throws when the port is taken. */
export async function startMock(options: ServerOptions): Promise<Running> {
  const { spec, copies, allow, basePath, host, port, cors, troubles, seed } = options;
  /** by the headers of the request: they are the same object wherever the request is seen */
  const planned = new WeakMap<object, Trouble>();
  const build = async (): Promise<{ reading: Reading; listen: Listener; operations: number }> => {
    const reading = readContract(spec, { copies, allow, basePath });
    const { app, operations } = await buildMock(reading, {
      ...options,
      headers: cors === undefined ? {} : corsHeaders(cors),
      bodyBytesMax,
      faultOf: ({ headers }) => planned.get(headers)?.fault,
    });
    return { reading, listen: nodeListener(app, getRequestListener(app.fetch)), operations };
  };
  let current = await build();
  const drawTrouble = drawTroubles(troubles, seed);
  const server = createServer((incoming, outgoing) => {
    if (cors !== undefined && isPreflight(incoming))
      return answerPreflight(incoming, outgoing, cors);
    const trouble = drawTrouble(preferencesOf(incoming));
    planned.set(incoming.headers, trouble);
    const { listen } = current;
    const { latencyMilliseconds: late, fault } = trouble;
    const serve = (): void => {
      if (fault === "reset") {
        incoming.socket.destroy();
        options.answered(brokenLine(incoming));
        return;
      }
      if (fault === "truncated") truncate(outgoing);
      listen(incoming, outgoing);
    };
    if (late === 0) serve();
    else setTimeout(serve, late);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // a server that listens on a port has such an address
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${own}`,
    reading: current.reading,
    operations: current.operations,
    reload: async () => {
      current = await build();
      return current.reading;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What is wrong with them is told by whoever answers. */
function preferencesOf({ headers }: IncomingMessage): Preferences | undefined {
  const { prefer } = headers;
  try {
    return readPreferences(Array.isArray(prefer) ? prefer.join(", ") : prefer);
  } catch (error) {
    if (!(error instanceof PreferenceError)) throw error;
    return undefined;
  }
}

function brokenLine({ method = "", url = "" }: IncomingMessage): Line {
  const none = { operationId: undefined, milliseconds: 0, refusal: undefined };
  return { ...none, method, target: url, status: 0 };
}

// ---------------------------------------------------------------------------------------------
// Browsers of other origins (the Fetch standard, "HTTP-network-or-cache fetch" and "CORS protocol")

function corsHeaders(origin: string): Readonly<Record<string, string>> {
  const own = origin === "*" ? {} : { Vary: "Origin" };
  return {
    ...own,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "*",
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function answerPreflight(
  { headers }: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
): void {
  const asked = headers["access-control-request-headers"];
  outgoing.writeHead(204, {
    ...corsHeaders(origin),
    "Access-Control-Allow-Methods": headers["access-control-request-method"],
    ...(asked === undefined ? {} : { "Access-Control-Allow-Headers": asked }),
    "Access-Control-Max-Age": "600",
  });
  outgoing.end();
}
