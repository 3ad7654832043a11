// The routes of the checkout page: the page itself, what keeps it up to date, and its two files.

import { statusByCode } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";
import type { RequestState } from "../edge.ts";
import type { Checkout } from "../../service/checkout/checkout.ts";
import type { CheckoutPayment } from "../../service/checkout/payment.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Client, RateLimits } from "../../service/ports/rate-limits.ts";
import type { X402Offer } from "../../service/x402/requirements.ts";
import { prefersJson } from "./accepted-form.ts";
import { termsOf } from "./checkout-terms.ts";
import type { CheckoutTerms, Choice } from "./checkout-terms.ts";
import { EventStreams } from "./event-streams.ts";
import type { StreamPorts } from "./event-streams.ts";
import type { StreamLimits } from "./event-streams.ts";
import { fresh, json, lasting, markup } from "./own-answer.ts";
import type { CheckoutAnswer } from "./own-answer.ts";
import { checkoutPage, problemPage } from "./page.ts";
import type { PageAsset, PageAssets } from "./page.ts";
import type { EncodeQr } from "./page-regions.ts";
import { snapshotJson, snapshotOf } from "./snapshot.ts";
import { challengeOf } from "./x402-challenge.ts";
import { X402Paying } from "./x402-paying.ts";
import type { PayingPorts } from "./x402-paying.ts";
import { paymentHeaderOf } from "./x402-payload.ts";

export interface CheckoutRoutePorts {
  readonly checkout: Checkout;
  readonly clock: StreamPorts["clock"];
  readonly limits: RateLimits;
  /** what counts as one customer's address */
  readonly clientOf: (clientAddress: string) => Client;
  readonly encodeQr: EncodeQr;
  readonly assets: PageAssets;
  /** where customers reach the page: an origin without a slash at its end */
  readonly publicUrl: () => string;
  /** ways to pay by a signed authorization */
  readonly readX402Offers: (payment: CheckoutPayment) => Promise<readonly X402Offer[]>;
  /** where they lead, also where nothing is missing any more */
  readonly readLinkPlaces: PayingPorts["readLinkPlaces"];
  /** what a program has signed for one of them, without a key */
  readonly settleX402: PayingPorts["settleX402"];
  readonly onError: (error: unknown) => void;
  readonly streamLimits?: Partial<StreamLimits>;
}

type Serve = (request: Request, state: RequestState) => CheckoutAnswer | Promise<CheckoutAnswer>;

/** As an application takes routes of its own. */
export interface CheckoutRoute {
  readonly serve: Serve;
  /** always answers the same */
  readonly isFile?: boolean;
  /** in place of the JSON that every refusal is */
  readonly refuse?: (refused: Refused, request: Request) => CheckoutAnswer;
}

interface Refused {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CheckoutRoutes {
  /** by path, with `{token}` in it */
  readonly routes: ReadonlyMap<string, CheckoutRoute>;
  readonly openStreams: () => number;
  /** Ends the streams, so that the server can stop. */
  readonly close: () => void;
}

export function buildCheckoutRoutes(ports: CheckoutRoutePorts): CheckoutRoutes {
  const { assets, checkout, clock, encodeQr, onError, streamLimits = {} } = ports;
  const streams = new EventStreams({ checkout, clock, encodeQr, onError, limits: streamLimits });
  const paying = new X402Paying(ports);
  const counted = (serve: Serve): Serve => {
    return async (request, state) => {
      await takeOne(ports.limits, state.clientAddress ?? "unknown");
      return serve(request, state);
    };
  };
  const routes = new Map<string, CheckoutRoute>([
    [
      "/checkout/{token}",
      {
        serve: counted((request) => servePage(ports, paying, request)),
        refuse: (refused, request) => refusePage(assets, refused, request),
      },
    ],
    ["/checkout/{token}/status", { serve: counted((request) => serveStatus(ports, request)) }],
    [
      "/checkout/{token}/events",
      { serve: counted((request, state) => serveEvents({ ports, streams }, request, state)) },
    ],
  ]);
  for (const asset of [assets.script, assets.style]) {
    routes.set(asset.path, { serve: () => serveAsset(asset), isFile: true });
  }
  return { routes, openStreams: () => streams.count, close: () => streams.close() };
}

async function takeOne(limits: RateLimits, clientAddress: string): Promise<void> {
  const { isExceeded, resetSeconds } = await limits.take("checkout", clientAddress);
  if (!isExceeded) return;
  const message = "Too many requests. Please wait a moment.";
  throw new ServiceError("rate_limited", message, { retryAfterSeconds: resetSeconds });
}

async function servePage(
  ports: CheckoutRoutePorts,
  paying: X402Paying,
  request: Request,
): Promise<CheckoutAnswer> {
  const { checkout, encodeQr, assets } = ports;
  const { token, choice } = wishOf(request);
  const found = await checkout.find(token);
  const header = request.method === "GET" ? paymentHeaderOf(request.headers) : undefined;
  if (header !== undefined) {
    return paying.pay({ payment: found, header, url: linkOf(ports, found) });
  }
  if (prefersJson(request.headers.get("Accept"))) return serveTerms(ports, found);
  const payment = await openedFor(checkout, found, choice);
  const terms = currentTerms(checkout, payment, choice);
  const snapshot = snapshotOf(terms, encodeQr);
  const { now } = checkout;
  const content = checkoutPage({ assets, terms, snapshot, now, choice });
  return fresh(200, { contentType: markup, content });
}

/**
 * Our choice: software is asked for the payment, or for what is missing of it, as long as more money is
 * asked for; after that, x402 has nothing to say, and it gets the status.
 */
async function serveTerms(
  ports: CheckoutRoutePorts,
  payment: CheckoutPayment,
): Promise<CheckoutAnswer> {
  const { checkout, readX402Offers } = ports;
  const { id, status, expiresAt } = payment;
  if (!checkout.isPayable(payment)) {
    const body = { payment_id: id, status, expires_at: expiresAt.toISOString() };
    return fresh(200, { contentType: json, content: JSON.stringify(body) });
  }
  const offers = await readX402Offers(payment);
  const { body, header } = challengeOf({ payment, offers, url: linkOf(ports, payment) });
  const headers = header === undefined ? {} : { "PAYMENT-REQUIRED": header };
  return fresh(402, { contentType: json, content: JSON.stringify(body), headers });
}

function linkOf({ publicUrl }: CheckoutRoutePorts, { token }: CheckoutPayment): string {
  return `${publicUrl()}/checkout/${token}`;
}

async function serveStatus(
  { checkout, encodeQr }: CheckoutRoutePorts,
  request: Request,
): Promise<CheckoutAnswer> {
  const { token, choice, seenId } = wishOf(request);
  const terms = currentTerms(checkout, await checkout.find(token), choice);
  const snapshot = snapshotOf(terms, encodeQr);
  const known = snapshot.id === seenId ? snapshot : undefined;
  const content = snapshotJson(snapshot, checkout.now, known);
  return fresh(200, { contentType: json, content });
}

interface EventParts {
  readonly ports: CheckoutRoutePorts;
  readonly streams: EventStreams;
}

async function serveEvents(
  { ports: { checkout, clientOf }, streams }: EventParts,
  request: Request,
  state: RequestState,
): Promise<CheckoutAnswer> {
  const { token, choice, seenId } = wishOf(request);
  const payment = await checkout.find(token);
  const client = clientOf(state.clientAddress ?? "unknown");
  // A question about the head of an answer is over with it.
  const content =
    request.method === "HEAD" ? null : streams.open({ payment, choice, client, seenId });
  // A proxy that collects the answer before it passes it on would make it useless.
  const headers = { "X-Accel-Buffering": "no" };
  return fresh(200, { contentType: "text/event-stream", content, headers });
}

function serveAsset({ contentType, content }: PageAsset): CheckoutAnswer {
  return lasting({ contentType, content });
}

/** The address is made for whoever wants to pay there, and for nobody else. */
async function openedFor(
  checkout: Checkout,
  payment: CheckoutPayment,
  choice: Choice,
): Promise<CheckoutPayment> {
  const { place } = currentTerms(checkout, payment, choice);
  if (place === undefined) return payment;
  try {
    return await checkout.withAddress(payment, place.deployment.chainFamily);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "chain_unavailable") throw error;
    // The page says so, and offers the others.
    return payment;
  }
}

function currentTerms(checkout: Checkout, payment: CheckoutPayment, choice: Choice): CheckoutTerms {
  const { now } = checkout;
  return termsOf(payment, { choice, now, isPayable: checkout.isPayable(payment) });
}

interface Wish {
  readonly token: string;
  readonly choice: Choice;
  readonly seenId: string | null;
}

function wishOf(request: Request): Wish {
  const { pathname, searchParams } = new URL(request.url);
  const [, , token = ""] = pathname.split("/");
  return {
    token,
    choice: { deploymentId: searchParams.get("pay"), currencyId: searchParams.get("in") },
    seenId: request.headers.get("Last-Event-ID") ?? searchParams.get("seen"),
  };
}

const problems: Readonly<Partial<Record<ErrorCode, readonly [string, string]>>> = {
  payment_not_found: [
    "There is no payment here",
    "The link may be incomplete. Please open it again from where you got it, or ask the merchant.",
  ],
  rate_limited: [
    "Too many requests",
    "Please wait a minute, then open the page again. Your payment is not affected.",
  ],
  service_unavailable: [
    "This page cannot be shown right now",
    "Please try again in a moment. What you have sent already is not lost.",
  ],
};

/** In words for people, unless software asks. The texts depend on the status alone. */
function refusePage(assets: PageAssets, refused: Refused, request: Request): CheckoutAnswer {
  const { status, body, headers } = refused;
  if (prefersJson(request.headers.get("Accept"))) {
    return fresh(status, { contentType: json, content: JSON.stringify(body), headers });
  }
  const code = Object.entries(problems).find(([code]) => isStatusOf(code, status))?.[1];
  const [title, message] = code ?? ["Something went wrong", "Please try again in a moment."];
  const content = problemPage(assets, title, message);
  return fresh(status, { contentType: markup, content, headers });
}

function isStatusOf(code: string, status: number): boolean {
  return statusByCode[code as ErrorCode] === status; // its keys are codes
}
