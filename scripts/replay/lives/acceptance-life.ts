// What the merchant accepts: everything, and what is refused.

import { isObject, type JsonObject, objectAt } from "../../../generator/suite/json.ts";
import { type CurrencyFact, openIn } from "./catalog-facts.ts";
import { differences, type Heard, type Life } from "./life.ts";

const operationId = "replaceCurrencyAcceptance";

/** The request that was answered: its Idempotency-Key is used now. */
export async function liveAcceptance(
  life: Life,
  currencies: readonly CurrencyFact[],
): Promise<Heard> {
  const accepted = await acceptAll(life, currencies);
  await life.replay(operationId, accepted);
  const [first] = currencies;
  await life.may(operationId, {
    what: "a currency that does not exist",
    change: { body: { currencies: { cur_contract_check: {} } } },
    expected: ["422 currency_not_found"],
  });
  if (first === undefined) return accepted;
  await life.may(operationId, {
    what: "no chain for a currency",
    change: { body: { currencies: { [first.id]: { chain_ids: [] } } } },
    expected: ["422 chain_not_accepted"],
  });
  await refuseClosed(life, currencies);
  return accepted;
}

export function acceptAll(life: Life, currencies: readonly CurrencyFact[]): Promise<Heard> {
  const open = currencies.filter((one) => one.isActive && openIn(one).length > 0);
  const expected: JsonObject = Object.fromEntries(
    open.map((one) => [
      one.id,
      {
        chain_ids: openIn(one)
          .map(({ chainId }) => chainId)
          .toSorted(),
      },
    ]),
  );
  return life.must(operationId, {
    what: "every currency",
    change: { body: { currencies: Object.fromEntries(open.map(({ id }) => [id, {}])) } },
    expected: ["200"],
    check: (body) => {
      const said = objectAt(body, "currencies");
      return differences(
        Object.fromEntries(
          Object.entries(said).map(([id, value]) => [id, isObject(value) ? value : {}]),
        ),
        { ...Object.fromEntries(Object.keys(said).map((id) => [id, undefined])), ...expected },
      );
    },
  });
}

async function refuseClosed(life: Life, currencies: readonly CurrencyFact[]): Promise<void> {
  const closed = currencies.flatMap(({ id, deployments }) =>
    deployments
      .filter(({ takesDeposits }) => !takesDeposits)
      .map(({ chainId }) => ({ id, chainId })),
  );
  const [place] = closed;
  const code = "deposits_disabled";
  if (place === undefined) {
    life.session.leaveOut("no deployment of the catalog has its deposits off", [
      { operation: operationId, status: 422, code },
      { operation: "createPayment", status: 422, code },
    ]);
    return;
  }
  await life.may(operationId, {
    what: "a chain whose deposits are off",
    change: { body: { currencies: { [place.id]: { chain_ids: [place.chainId] } } } },
    expected: [`422 ${code}`],
  });
  await life.may("createPayment", {
    what: "a chain whose deposits are off",
    change: {
      body: {
        merchant_order_no: place.chainId,
        quotes: { [place.id]: { amount: "1", chain_ids: [place.chainId] } },
      },
    },
    expected: [`422 ${code}`, "422 chain_not_accepted"],
  });
}
