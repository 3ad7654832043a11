// All lives, one after the other, for a merchant of the test environment.

import type { JsonObject } from "../../../generator/suite/json.ts";
import { contract } from "../../../test/support/contract-document.ts";
import { untilStopped } from "../list-reads.ts";
import type { GivenResources } from "../options.ts";
import { shownRequest, withHeaders } from "../requests.ts";
import type { Session } from "../session.ts";
import { liveAcceptance } from "./acceptance-life.ts";
import { liveAddress } from "./address-life.ts";
import { type CurrencyFact, factsOf } from "./catalog-facts.ts";
import { liveEndpoints } from "./endpoint-life.ts";
import { type Heard, Life } from "./life.ts";
import { liveMoney, liveSubscription, placeOf } from "./money-life.ts";
import { livePayments } from "./payment-life.ts";
import { liveUsage } from "./usage-life.ts";

export async function liveEverything(
  session: Session,
  catalog: readonly JsonObject[],
  given: GivenResources,
): Promise<void> {
  const life = new Life(session);
  const facts = factsOf(catalog);
  const accepted = await untilStopped(() => liveAcceptance(life, facts));
  if (accepted !== undefined) await reuseKey(life, accepted);
  await untilStopped(() => livePayments(life, facts));
  await untilStopped(() => liveUsage(life, facts));
  await untilStopped(() => liveEndpoints(life, given.endpoints));
  await untilStopped(() => moneyAt(life, facts, given.withdrawAddress));
  await untilStopped(() => liveSubscription(life, given.subscription));
}

/** A key names one request across all operations. */
async function reuseKey({ session }: Life, { request }: Heard): Promise<void> {
  const used = request.headers?.["Idempotency-Key"] ?? "";
  for (const operation of contract.operations) {
    if (!operation.parameters.some(({ name }) => name === "Idempotency-Key")) continue;
    await session.play({
      name: `${operation.operationId}: a key that named another request`,
      operation,
      request: withHeaders(shownRequest(operation), { "Idempotency-Key": used }),
      expected: [{ status: 422, code: "idempotency_key_reused" }],
    });
  }
}

async function moneyAt(
  life: Life,
  facts: readonly CurrencyFact[],
  address: string | undefined,
): Promise<void> {
  const places = facts.flatMap((currency) =>
    currency.deployments
      .filter(({ takesWithdrawals, chainId }) => takesWithdrawals && chainId.startsWith("eip155:"))
      .map((deployment) => ({ currency, deployment })),
  );
  // A coin on several chains shows more.
  const sorted = places.toSorted(
    (one, other) => other.currency.deployments.length - one.currency.deployments.length,
  );
  const place = address === undefined ? sorted[0] : await placeOf(life, sorted, address);
  if (place === undefined) return;
  const pending = await liveAddress(life, place.deployment);
  await liveMoney(life, { ...place, pending, address });
}
