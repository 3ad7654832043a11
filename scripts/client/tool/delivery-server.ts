// Where the service delivers to listen: one path of one port, and nothing that it has not signed.

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookEvent } from "../../../generated/types.ts";
import { verifyWebhook, WebhookError } from "../webhooks.ts";
import { ToolFailure } from "./failures.ts";

export interface DeliveryServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export interface Taking {
  readonly port: number;
  readonly path: string;
  /** the first delivery may come before it is known */
  readonly secret: Promise<string>;
  /** @returns what is answered */
  readonly onEvent: (event: WebhookEvent, body: Buffer) => number;
  readonly onRefused: (refusal: Refusal) => void;
}

export interface Refusal {
  readonly about: "path" | "size" | WebhookError["about"];
  readonly said: string;
}

/** An event has at most 20 kB. */
const bodyBytesMax = 65_536;

/** @throws {ToolFailure} the port is taken */
export async function startDeliveryServer(taking: Taking): Promise<DeliveryServer> {
  const server = createServer((request, response) => {
    take(request, taking).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(taking.port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(
      `port ${taking.port} cannot be used (${reason}): say another one by --port`,
    );
  }
  return {
    // It listens on a port, so it has an address of this form.
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function take(request: IncomingMessage, taking: Taking): Promise<number> {
  const { path, secret, onEvent, onRefused } = taking;
  const { method = "", url = "" } = request;
  if (method !== "POST" || url !== path) {
    const said = `${method} ${url.slice(0, 200)} came, and only POST ${path} is taken`;
    onRefused({ about: "path", said });
    return 404;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      onRefused({ about: "size", said: `a body has more than ${bodyBytesMax} bytes` });
      return 413;
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  try {
    return onEvent(await verifyWebhook(body, request.headers, await secret), body);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    onRefused({ about: error.about, said: error.message });
    return 400;
  }
}
