// An API that the official middleware sells, and somebody who buys from it with the official client.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { FacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { paymentMiddleware as expressMiddleware } from "@x402/express";
import {
  decodePaymentResponseHeader,
  wrapFetchWithPayment,
  x402Client,
  x402HTTPClient,
} from "@x402/fetch";
import { paymentMiddleware as honoMiddleware, x402ResourceServer } from "@x402/hono";
import express from "express";
import { Hono } from "hono";
import type { ClientEvmSigner } from "@x402/evm";
import type { X402Payments } from "../../scripts/client/x402-facilitator.ts";

/** A program that pays by itself. */
export function buyer(account: ClientEvmSigner) {
  const client = new x402Client()
    .register("eip155:*", new ExactEvmScheme(account))
    // It knows the tokens of public networks; those of a test are nobody's.
    .setSpendControls(false);
  const http = new x402HTTPClient(client);
  return {
    buy: wrapFetchWithPayment(fetch, client),
    /** the headers with which it would buy */
    sign: async (url: string): Promise<Record<string, string>> => {
      const { headers } = await fetch(url);
      const terms = http.getPaymentRequiredResponse((name) => headers.get(name));
      return http.encodePaymentSignatureHeader(await http.createPaymentPayload(terms));
    },
  };
}

/** What the buyer is told of the money. */
export function toldOf(answer: Response) {
  return decodePaymentResponseHeader(answer.headers.get("PAYMENT-RESPONSE") ?? "");
}

export interface Api {
  readonly url: string;
  /** how often its handler ran */
  readonly runs: () => number;
  readonly close: () => Promise<void>;
}

export type Accepts = Awaited<ReturnType<X402Payments["accepts"]>>;

const report = { report: "sunny" };

/** With `paymentMiddleware` of @x402/hono. With `?fail` its handler fails. */
export async function honoApi(payments: FacilitatorClient, accepts: Accepts): Promise<Api> {
  const server = new x402ResourceServer(payments).register("eip155:*", new ExactEvmServer());
  const app = new Hono();
  app.use(honoMiddleware({ "/report": { accepts } }, server));
  let runs = 0;
  app.get("/report", (context) => {
    runs += 1;
    return context.req.query("fail") === undefined ? context.json(report) : context.text("", 500);
  });
  // Without options it is a server of node:http.
  return listening(createAdaptorServer({ fetch: app.fetch }) as Server, () => runs);
}

/** The same with that of @x402/express. */
export async function expressApi(payments: FacilitatorClient, accepts: Accepts): Promise<Api> {
  const server = new x402ResourceServer(payments).register("eip155:*", new ExactEvmServer());
  const app = express();
  app.use(expressMiddleware({ "/report": { accepts } }, server));
  let runs = 0;
  app.get("/report", ({ query }, response) => {
    runs += 1;
    if (query["fail"] === undefined) response.json(report);
    else response.sendStatus(500);
  });
  // express is declared as a function of any; it is a request listener
  return listening(createServer(app as Parameters<typeof createServer>[1]), () => runs);
}

async function listening(server: Server, runs: () => number): Promise<Api> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/report`,
    runs,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
