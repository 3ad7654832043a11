// Stands before a real node and answers as a bad one would, on command.

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { RpcLog } from "../../adapters/evm/rpc.ts";

export interface RpcMessage {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Faults {
  /** Changes what the node says to one call; `ask` asks the node anything. */
  answer?: (message: RpcMessage, reply: Reply, ask: Ask) => Reply | Promise<Reply>;
  /** In place of an HTTP answer. True: it has answered, or never will. */
  exchange?: (
    messages: readonly RpcMessage[],
    response: ServerResponse,
    isBatch: boolean,
  ) => boolean;
}

export type Ask = (method: string, ...parameters: readonly unknown[]) => Promise<unknown>;

export interface FaultyEndpoint {
  readonly url: string;
  readonly faults: Faults;
  /** names of methods, in the order of the calls */
  readonly calls: string[];
  /** calls in each request */
  readonly requests: number[];
  readonly close: () => Promise<void>;
}

export async function startFaultyEndpoint(nodeUrl: string): Promise<FaultyEndpoint> {
  const faults: Faults = {};
  const calls: string[] = [];
  const requests: number[] = [];
  const forward = async (message: Omit<RpcMessage, "id"> & { id: number }): Promise<Reply> => {
    const response = await fetch(nodeUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    // A JSON-RPC answer of the node.
    return (await response.json()) as Reply;
  };
  const ask: Ask = async (method, ...params) => (await forward({ id: 1, method, params })).result;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // What the adapter sends.
    const said = JSON.parse(await text(request)) as RpcMessage | readonly RpcMessage[];
    const isBatch = Array.isArray(said);
    // One or several, as the line above says.
    const messages = (isBatch ? said : [said]) as readonly RpcMessage[];
    requests.push(messages.length);
    calls.push(...messages.map(({ method }) => method));
    if (faults.exchange?.(messages, response, isBatch) === true) return;
    const replies = await Promise.all(
      messages.map(async (message) => {
        const reply = await forward(message);
        return (await faults.answer?.(message, reply, ask)) ?? reply;
      }),
    );
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isBatch ? replies : replies[0]));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(Error(String(error))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    calls,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly fields: object;
}

export function collectingLog() {
  const lines: LogLine[] = [];
  const note = (level: LogLine["level"]) => (fields: object, text: string) =>
    void lines.push({ level, text, fields });
  const log: RpcLog = { info: note("info"), warn: note("warn"), error: note("error") };
  return { log, lines };
}
