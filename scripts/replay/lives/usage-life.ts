// Usage of payments on one chain, reported before anybody has paid; then the payments are cancelled.

import { isObject, type JsonObject, listAt, textOf } from "../../../generator/suite/json.ts";
import { type CurrencyFact, type DeploymentFact, openIn, rawOf } from "./catalog-facts.ts";
import { differences, type Life } from "./life.ts";
import { amount, orderOf } from "./payment-life.ts";
import { usageOf } from "./usage-body.ts";

const usage = "reportX402Usage";

interface Place {
  readonly currency: CurrencyFact;
  readonly deployment: DeploymentFact;
}

export async function liveUsage(life: Life, all: readonly CurrencyFact[]): Promise<void> {
  const places = all
    .filter(({ isActive }) => isActive)
    .flatMap((currency) => openIn(currency).map((deployment) => ({ currency, deployment })));
  const metered = await firstPayable(life, places.filter(isMetered));
  if (metered === undefined) {
    const cells = ["usage_exceeds_max", "amount_precision", "amount_too_large"];
    life.session.leaveOut("no deployment that takes payments here supports the upto scheme", [
      { operation: usage, status: 201 },
      { operation: usage, status: 409, code: "usage_already_reported" },
      ...cells.map((code) => ({ operation: usage, status: 422, code })),
    ]);
  } else {
    await reported(life, metered);
    await cancelled(life, metered.id);
  }
  const plain = await firstPayable(
    life,
    places.filter((place) => !isMetered(place)),
  );
  if (plain === undefined) {
    life.session.leaveOut("every deployment that takes payments here supports the upto scheme", [
      { operation: usage, status: 422, code: "usage_not_upto" },
    ]);
    return;
  }
  await life.may(usage, {
    what: "a payment that upto is not for",
    change: { path: { payment_id: plain.id }, body: usageOf("0") },
    expected: ["422 usage_not_upto"],
  });
  await cancelled(life, plain.id);
}

function isMetered({ deployment }: Place): boolean {
  const capabilities = listAt(deployment.node, "capabilities").filter(isObject);
  const has = (scope: string, key: string): boolean =>
    capabilities.some(
      (one) => one["scope"] === scope && one["key"] === key && one["status"] === "supported",
    );
  if (has("deposit", "transfer_fee")) return false;
  return has("x402", "eip3009") || has("x402", "permit2_upto_proxy");
}

interface Payable {
  readonly id: string;
  readonly deployment: DeploymentFact;
}

/** A payment at the first of the places whose chain the server watches. */
async function firstPayable(life: Life, places: readonly Place[]): Promise<Payable | undefined> {
  for (const { currency, deployment } of places) {
    const { chainId: chain } = deployment;
    const quotes = { [currency.id]: { amount, chain_ids: [chain] } };
    const made = await life.may("createPayment", {
      what: `${amount} ${currency.id} on ${chain}`,
      change: { body: orderOf(currency, { quotes }) },
      expected: ["201", "422 deposits_disabled"],
    });
    if (made?.status === 201) return { id: textOf(made.body["id"]), deployment };
  }
  return undefined;
}

async function reported(life: Life, { id, deployment }: Payable): Promise<void> {
  const path = { payment_id: id };
  const refused = (what: string, code: string, actual: string) =>
    life.may(usage, { what, change: { path, body: usageOf(actual) }, expected: [`422 ${code}`] });
  await refused("more than the price", "usage_exceeds_max", "2");
  await refused("too many fraction digits", "amount_precision", `0.${"1".repeat(60)}`);
  await refused("more than a token can count", "amount_too_large", "9".repeat(90));
  const body = usageOf("0");
  const { usage_id = null } = body;
  const max_raw = rawOf(amount, deployment.decimals);
  const said = { payment_id: id, scheme: "upto", max_raw, actual_raw: "0", usage_id };
  const asked = {
    change: { path, body },
    expected: ["201"] as const,
    check: (heard: JsonObject) => differences(heard, said),
  };
  await life.mustTwice(usage, { what: "nothing was used", ...asked });
  await life.may(usage, { what: "the same once more", ...asked });
  await life.may(usage, {
    what: "another usage",
    change: { path, body: usageOf("0.5") },
    expected: ["409 usage_already_reported"],
  });
}

async function cancelled(life: Life, id: string): Promise<void> {
  await life.may("cancelPayment", {
    what: "the payment of the usage",
    change: { path: { id } },
    expected: ["200", "409 payment_not_cancellable"],
  });
}
