// The first start on an empty embedded database: a demo merchant with a key, so that somebody who
// has just cloned the project can send a request that works.

import type { Merchant } from "../../service/merchants/merchants.ts";
import type { IssuedKey } from "../../service/merchants/api-keys.ts";
import type { Random } from "../../service/ports/random.ts";
import {
  canonicalString,
  signatureOf,
  signingKey,
} from "../../service/merchants/request-signature.ts";
import { scopes } from "../../service/merchants/scopes.ts";
import type { Operator } from "../operator/command.ts";

const demoName = "Demo shop";

/** Undefined when there is a merchant already: then somebody knows what this is. */
export async function makeDemo(operator: Operator): Promise<IssuedKey | undefined> {
  if (await operator.merchants.areThereAny()) return undefined;
  const merchant = await operator.merchants.create(demoName);
  return operator.apiKeys.create({
    merchantId: merchant.id,
    environment: "test",
    scopes,
    cidrs: [],
    expiresAt: null,
  });
}

/** The message says what to do. */
export class DemoPresent extends Error {
  override readonly name = "DemoPresent";
}

/** Throws `DemoPresent` where its merchant still has a key that opens something: its secret was shown on a terminal. */
export async function refuseDemo({ merchants, apiKeys }: Operator, now: Date): Promise<void> {
  const demos = (await merchants.list()).filter(({ name }) => name === demoName);
  const keys = await Promise.all(demos.map(({ id }) => apiKeys.list(id)));
  const usable = keys.flat().filter(({ environment, revokedAt, expiresAt }) => {
    const hasEnded = expiresAt !== null && expiresAt <= now;
    return environment === "test" && revokedAt === null && !hasEnded;
  });
  if (usable.length === 0) return;
  const ids = usable.map(({ id }) => `npm run admin -- key revoke ${id}`);
  throw new DemoPresent(
    `This database has the merchant "${demoName}" of a demo, with a key whose secret was shown on a terminal. Production ` +
      `starts on an empty database, or after:\n  ${ids.join("\n  ")}`,
  );
}

export interface WelcomePorts {
  /** where the server listens */
  readonly url: string;
  readonly dataDirectory: string;
  /** undefined: there is none */
  readonly localChainUrl: string | undefined;
  /** Somebody watches a chain: without one no payment can be made. */
  readonly hasChain: boolean;
}

export interface DemoPorts extends WelcomePorts {
  readonly nowMilliseconds: number;
  readonly random: Random;
}

/** For people, on standard output: it holds the secret, so it must not go through the log. */
export function demoText(issued: IssuedKey, ports: DemoPorts): string {
  const { key, secret } = issued;
  return `
THIS IS A DEMO: a merchant called "${demoName}" with a test key, in the database in
${ports.dataDirectory}. The key can do everything. The secret is shown this once.
The interface, with guides and examples: ${ports.url}/docs

  API key     ${key.id}
  API secret  ${secret}

Paste this; it works once, and within the next 5 minutes:

${signedCurl(issued, ports)}

Or paste this in the project's folder: it signs and sends ${ports.hasChain ? "thirteen" : "eleven"} operations.
The others need money first, and an address that has been registered for a minute.

${callLines(ports, { key: key.id, secret })}

  call GET /v1/currencies
  call GET /v1/currencies/cur_usdc
  call PUT /v1/currency-acceptance --body - <<< '{"currencies":{"cur_usdc":{}}}'
  MADE=$(call POST /v1/webhook-endpoints --body - <<< '{"url":"https://example.com/'$RANDOM'"}')
  echo "$MADE"; HOOK=/v1/webhook-endpoints/$(grep -o 'whe_[0-9A-Z]*' <<< "$MADE" | head -1)
  call GET $HOOK
  call PUT $HOOK --body - <<< '{"url":"https://example.com/'$RANDOM'","event_types":["*"]}'
  call POST $HOOK/status --body - <<< '{"active":false}'
  call POST $HOOK/rotate-secret
${paymentLines(ports)}  call POST /v1/withdraw-addresses --body - <<< '{"chain_id":"eip155:84532","address":"0x'$(node -p "crypto.randomBytes(20).hexSlice()")'"}'
  call GET /v1/payout-schedules
  call GET /v1/webhook-deliveries
${localChainText(ports)}
To begin for real: npm run admin -- --help

`;
}

/**
 * For whoever comes back: where things are, and how to go on. No secret is in it, since none can be read
 * again; the key to go on with is a new one.
 */
export function returnText(merchant: Merchant, ports: WelcomePorts): string {
  return `
The database in ${ports.dataDirectory} is that of before, with the merchant ${JSON.stringify(merchant.name)}.
The interface, with guides and examples: ${ports.url}/docs

Secrets are shown once. If you have none any more, make a key for your shop:

  npm run admin -- key create --merchant ${merchant.id} --role storefront

and write what it shows into the first two lines here:

${callLines(ports, { key: "mk_test_...", secret: "sk_test_..." })}
  call PUT /v1/currency-acceptance --body - <<< '{"currencies":{"cur_usdc":{}}}'
${localChainText(ports)}
`;
}

function callLines(
  { url }: WelcomePorts,
  shown: { readonly key: string; readonly secret: string },
) {
  return `  export MERCHANT_API_KEY=${shown.key}
  export MERCHANT_API_SECRET=${shown.secret}
  call() { npm run -s sign -- "$@" --url ${url} | sh; echo; }`;
}

function paymentLines({ hasChain }: DemoPorts): string {
  if (!hasChain) return "";
  return `  MADE=$(call POST /v1/payments --body - <<< '{"merchant_order_no":"A-'$RANDOM'","quotes":{"cur_usdc":{"amount":"25.00"}}}')
  echo "$MADE"; PAYMENT=/v1/payments/$(grep -o 'pay_[0-9A-Z]*' <<< "$MADE" | head -1)
  call POST $PAYMENT/cancel
`;
}

/** Made and paid within a minute, by somebody who has no wallet. */
function localChainText({ localChainUrl, hasChain }: WelcomePorts): string {
  if (!hasChain) {
    return `
No payment can be made here: no chain is watched. LOCAL_CHAIN=on, or nodes in EVM_RPC_URLS, change that.
`;
  }
  if (localChainUrl === undefined) return "";
  return `
There is a chain on this machine, with test USDC that is worth nothing. After the lines above, this
makes a payment, pays it, and shows the address of its page, which turns to "paid" while you look:

  MADE=$(call POST /v1/payments --body - <<< '{"merchant_order_no":"B-'$RANDOM'","quotes":{"cur_usdc":{"amount":"25.00"}}}')
  PAGE=$(grep -o 'http[^"]*/checkout/[^"]*' <<< "$MADE"); echo "$PAGE"
  npm run -s pay -- "$PAGE" --rpc ${localChainUrl} --amount 10.00
  npm run -s pay -- "$PAGE" --rpc ${localChainUrl}
`;
}

function signedCurl({ key, secret }: IssuedKey, ports: DemoPorts): string {
  const path = "/v1/currencies";
  const timestamp = String(Math.floor(ports.nowMilliseconds / 1000));
  const nonce = Buffer.from(ports.random.bytes(16)).toString("hex");
  const canonical = canonicalString({
    apiKey: key.id,
    timestamp,
    nonce,
    method: "GET",
    path,
    canonicalQuery: "limit=5",
    idempotencyKey: undefined,
    body: new Uint8Array(),
  });
  const lines = [
    `  curl -i '${ports.url}${path}?limit=5'`,
    `-H 'X-Api-Key: ${key.id}'`,
    `-H 'X-Timestamp: ${timestamp}'`,
    `-H 'X-Nonce: ${nonce}'`,
    `-H 'X-Signature: ${signatureOf(canonical, signingKey(secret))}'`,
  ];
  return lines.join(" \\\n    ");
}
