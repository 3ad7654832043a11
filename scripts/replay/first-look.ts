// Whether this is the server, and whether the key is right: else every answer would say the same, and none
// of it would be about the contract.

import { isDeepStrictEqual } from "node:util";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerOf, codeOf } from "../../generator/suite/answer-judge.ts";
import { isObject, objectAt } from "../../generator/suite/json.ts";
import { operationBy } from "../../test/support/contract-resources.ts";
import { type Caller, type Exchange, NoAnswer } from "./caller.ts";
import { newName, plainOf, withHeaders } from "./requests.ts";
import { UsageError } from "./usage-error.ts";

export interface FirstLook {
  /** that the key has used now */
  readonly usedNonce: string;
  /** what is wrong with the document that the server shows */
  readonly documentProblem: string | undefined;
}

/** Throws `UsageError` with what to do. */
export async function firstLook(caller: Caller, url: string): Promise<FirstLook> {
  const usedNonce = newName();
  const operation = operationBy("listCurrencies");
  const request = withHeaders(plainOf(operation, { query: "limit=1" }), { "X-Nonce": usedNonce });
  const exchange = await reached(caller.send(request), url);
  checkServer(exchange, url);
  checkKey(exchange);
  return { usedNonce, documentProblem: await documentProblem(caller) };
}

async function reached(sent: Promise<Exchange>, url: string): Promise<Exchange> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const told = certificateProblems.has(error.reason)
      ? `its certificate is not good: ${error.message} (NODE_EXTRA_CA_CERTS names further authorities)`
      : error.message;
    throw new UsageError(`${url} cannot be reached: ${told}`);
  }
}

const certificateProblems = new Set([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function checkServer({ status, headers, text }: Exchange, url: string): void {
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) {
    const to = URL.parse(location, url)?.origin ?? location;
    throw new UsageError(
      `${url} redirects to ${to}, and what is signed is not sent elsewhere: give that address`,
    );
  }
  const type = headers.get("Content-Type") ?? "nothing";
  if (/^text\/html/i.test(type) || /^\s*</.test(text)) {
    throw new UsageError(
      `${url} answers with HTML (status ${status}): it is another server, or a proxy has no way to this one`,
    );
  }
  if (!headers.has("X-Request-Id") && !/json/i.test(type)) {
    throw new UsageError(
      `${url} answers with ${type} (status ${status}) in place of JSON: it is another server`,
    );
  }
}

function checkKey(exchange: Exchange): void {
  const answer = answerOf(exchange, exchange.text);
  const code = codeOf(answer);
  const details = isObject(answer.body) ? objectAt(answer.body, "details") : {};
  const skew = Math.round(Number(details["server_time"]) - Date.now() / 1000);
  const told: Readonly<Record<string, string>> = {
    authentication_failed:
      "the server does not know the key, or the secret is not its own: a revoked key, one that has " +
      "expired, and one of another server are told the same",
    timestamp_out_of_range: `this machine's clock and the server's are ${Math.abs(skew)} s apart: set the clock`,
    ip_not_allowed: "the key may not be used from this machine's address",
    merchant_suspended: "the key's merchant is suspended",
  };
  const problem = told[code ?? ""];
  if (problem !== undefined) throw new UsageError(`${exchange.status} ${code}: ${problem}`);
}

const ownDocument = join(import.meta.dirname, "..", "..", "generated", "openapi.json");

/** The server shows the document that it was made of: that has to be this one. */
async function documentProblem(caller: Caller): Promise<string | undefined> {
  const { status, text } = await caller.send({ method: "GET", target: "/openapi.json" }, false);
  if (status !== 200) return `/openapi.json: is answered with ${status}`;
  const { body } = answerOf({ status, headers: new Headers() }, text);
  const own: unknown = JSON.parse(readFileSync(ownDocument, "utf8"));
  if (isDeepStrictEqual(body, own)) return undefined;
  return (
    "/openapi.json: is another revision of the contract than this checkout has; take the checkout of " +
    "the release, or see what differs: npm run contract:diff -- FILE spec/openapi.yaml"
  );
}
