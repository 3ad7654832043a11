// Payments: asked for, asked for twice, refused, used up, cancelled. Nobody pays them.

import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
} from "../../../generator/suite/json.ts";
import { newName } from "../requests.ts";
import { offBy } from "../values.ts";
import { acceptAll } from "./acceptance-life.ts";
import { type CurrencyFact, openIn, rawOf } from "./catalog-facts.ts";
import { differences, type Heard, type Life } from "./life.ts";
import { usageOf } from "./usage-body.ts";

const create = "createPayment";
const cancel = "cancelPayment";
const usage = "reportX402Usage";
const settle = "settleX402Payment";
const lifeSeconds = 600;
export const amount = "1";

export async function livePayments(life: Life, all: readonly CurrencyFact[]): Promise<void> {
  const currency = all.find((one) => one.isActive && openIn(one).length > 0);
  if (currency === undefined) {
    life.session.leaveOut("no currency of the catalog takes deposits", [
      { operation: create, status: 201 },
    ]);
    return;
  }
  const made = await newPayment(life, currency);
  await life.replay(create, made);
  await conflicts(life, made, currency);
  await refusals(life, currency);
  await notAccepted(life, currency);
  await acceptAll(life, all);
  await requirements(life, made);
  await cancelled(life, made);
}

export function orderOf({ id }: CurrencyFact, more: JsonObject = {}): JsonObject {
  return { merchant_order_no: newName(), quotes: { [id]: { amount } }, ...more };
}

function newPayment(life: Life, currency: CurrencyFact): Promise<Heard> {
  const order = orderOf(currency, { expires_in_secs: lifeSeconds });
  return life.must(create, {
    what: `${amount} ${currency.id} on every chain`,
    change: { body: order },
    expected: ["201"],
    check: (body) => {
      const { merchant_order_no: number } = order;
      const ends = Date.parse(textOf(body["expires_at"]));
      const off = offBy(ends - lifeSeconds * 1000, Date.now());
      return [
        ...differences(body, { status: "pending", merchant_order_no: number }),
        ...(off === undefined ? [] : [`body /expires_at: less ${lifeSeconds} s ${off}`]),
        ...quoteProblems(objectAt(body, "quotes"), currency),
      ];
    },
  });
}

/** A quote is the currency's and its deployments', in their own units. */
function quoteProblems(quotes: JsonObject, currency: CurrencyFact): readonly string[] {
  const ids = Object.keys(quotes).join(", ");
  if (ids !== currency.id) return [`body /quotes: has ${ids} in place of ${currency.id}`];
  const quote = objectAt(quotes, currency.id);
  const { code = null, symbol = null, name = null } = currency.node;
  const known = new Map(openIn(currency).map((one) => [one.id, one]));
  const deployments = listAt(quote, "deployments").filter(isObject);
  return [
    ...differences(quote, { amount, code, symbol, name }),
    ...deployments.flatMap((one) => {
      const fact = known.get(textOf(one["currency_chain_id"]));
      if (fact === undefined) {
        return [
          `body /quotes: ${textOf(one["currency_chain_id"])} takes no deposits, says the catalog`,
        ];
      }
      const { asset_kind = null, token_standard = null, asset_locator = "" } = fact.node;
      const address = /\/erc20:(0x[0-9a-fA-F]{40})$/.exec(textOf(asset_locator))?.[1] ?? null;
      return differences(one, {
        chain_id: fact.chainId,
        decimals: fact.decimals,
        raw_amount: rawOf(amount, fact.decimals),
        asset_kind,
        token_standard,
        contract_address: address,
      });
    }),
  ];
}

async function conflicts(life: Life, made: Heard, currency: CurrencyFact): Promise<void> {
  const { id = null, merchant_order_no = "" } = made.body;
  await life.may(create, {
    what: "its order number again",
    change: { body: orderOf(currency, { merchant_order_no }) },
    expected: ["409 order_already_exists"],
    check: ({ details }) => differences(isObject(details) ? details : {}, { payment_id: id }),
  });
}

async function refusals(life: Life, currency: CurrencyFact): Promise<void> {
  const refused = (what: string, code: string, more: JsonObject) =>
    life.may(create, {
      what,
      change: { body: orderOf(currency, more) },
      expected: [`422 ${code}`],
    });
  const quote = (asked: JsonObject): JsonObject => ({ quotes: { [currency.id]: asked } });
  await refused(
    "a chain that the currency is not on",
    "chain_not_accepted",
    quote({ amount, chain_ids: ["eip155:0"] }),
  );
  await refused(
    "too many fraction digits",
    "amount_precision",
    quote({ amount: `1.${"1".repeat(60)}` }),
  );
  await refused("nothing", "amount_too_small", quote({ amount: "0" }));
  await refused(
    "more than a token can count",
    "amount_too_large",
    quote({ amount: "9".repeat(90) }),
  );
  await refused("more than seven days", "expires_in_out_of_range", { expires_in_secs: 604_801 });
  const partner = { type: "percentage", merchant_id: "mer_00000000000000000000000000", bps: 1 };
  await refused("a partner that does not exist", "split_merchant_not_found", { splits: [partner] });
  const codes = ["splits_exceed_total", "split_merchant_duplicate", "split_self"];
  life.session.leaveOut(
    "needs the id of a merchant that has agreed to a share, or the merchant's own, which no answer has",
    codes.map((code) => ({ operation: create, status: 422, code })),
  );
}

async function notAccepted(life: Life, currency: CurrencyFact): Promise<void> {
  await life.must("replaceCurrencyAcceptance", {
    what: "nothing",
    change: { body: { currencies: {} } },
    expected: ["200"],
    check: (body) => differences(body, { currencies: {} }),
  });
  await life.may(create, {
    what: "a currency that is not accepted",
    change: { body: orderOf(currency) },
    expected: ["422 currency_not_accepted"],
  });
}

/** As the document shows a settlement, of a payment that there is: on another chain, to somebody else. */
async function requirements(life: Life, { body }: Heard): Promise<void> {
  await life.may(settle, {
    what: "the terms of another payment",
    change: { body: settlementOf(body) },
    expected: ["402 x402_requirements_mismatch"],
  });
}

function settlementOf({ id = null }: JsonObject): JsonObject {
  const nowhere = `0x${"1".repeat(40)}`;
  const nonce = `0x${"1".repeat(64)}`;
  const validBefore = Math.floor(Date.now() / 1000) + 300;
  return {
    payment_id: id,
    payment_payload: {
      signature: `0x${"1".repeat(130)}`,
      authorization: {
        from: nowhere,
        to: nowhere,
        value: "1",
        valid_after: 0,
        valid_before: validBefore,
        nonce,
      },
    },
    payment_requirements: {
      scheme: "exact",
      network: "eip155:1",
      asset: nowhere,
      pay_to: nowhere,
      max_amount_required: "1",
      resource: "https://contract-check.example/",
      nonce,
      valid_before: validBefore,
    },
  };
}

async function cancelled(life: Life, made: Heard): Promise<void> {
  const { checkout_url: _, ...payment } = made.body;
  const path = { id: textOf(made.body["id"]) };
  const expected = { ...payment, status: "cancelled" };
  const check = (body: JsonObject) => differences(body, expected);
  await life.mustTwice(cancel, {
    what: "the payment",
    change: { path },
    expected: ["200"],
    check,
  });
  await life.may(cancel, { what: "it once more", change: { path }, expected: ["200"], check });
  const status = (body: JsonObject) =>
    differences(objectAt(body, "details"), { status: "cancelled" });
  await life.may(settle, {
    what: "a payment that is cancelled",
    change: { body: settlementOf(made.body) },
    expected: ["409 payment_not_payable"],
    check: status,
  });
  await life.may(usage, {
    what: "a payment that is cancelled",
    change: { path: { payment_id: path.id }, body: usageOf(amount) },
    expected: ["409 usage_closed"],
    check: status,
  });
}
