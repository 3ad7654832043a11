// What the catalog and the quotes of a payment say, against the catalog file. The shipped file has much
// that is equal (code and symbol, 6 decimals, all switches on), so that one value could stand for another:
// here every value differs.

import { expect } from "vitest";
import { type Answer, bodyOf } from "../support/contract-answers.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textOf,
} from "../support/contract-document.ts";
import type { Merchant } from "../support/service.ts";
import { accept, orderOf } from "./payment-calls.ts";
import { describeOnEngines, type Scene } from "./scene.ts";

function listIn(parent: JsonObject, name: string): readonly JsonObject[] {
  return listAt(parent, name).filter(isObject);
}

/** Sorted by these members: the order is not what this is about. */
function sorted(list: readonly JsonObject[], ...names: readonly string[]): readonly JsonObject[] {
  const place = (one: JsonObject): string => names.map((name) => textOf(one[name])).join(" ");
  return list.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

let file: JsonObject = {};

function differing(shipped: string): string {
  const text = JSON.parse(shipped) as JsonObject;
  const currencies = listIn(text, "currencies").map((currency, at) => ({
    ...currency,
    code: `CODE${at}`,
    symbol: `S${at}`,
    name: `Coin number ${at}`,
    accounting_decimals: at,
    is_usd_stablecoin: currency["asset_class"] === "stablecoin" && at % 2 === 0,
    deployments: listIn(currency, "deployments").map((deployment, place) => ({
      ...deployment,
      decimals: deployment["asset_kind"] === "native" ? 18 : 3 + ((7 * at + place) % 15),
      deposit_enabled: place % 3 !== 1,
      withdrawal_enabled: place % 3 !== 2,
    })),
  }));
  file = { ...text, currencies };
  return JSON.stringify(file);
}

const currenciesInFile = (): readonly JsonObject[] => listIn(file, "currencies");

/** As the contract shows what the file says, to a key of the environment. */
function shown(currency: JsonObject, environment: "live" | "test"): JsonObject {
  const { note: _note, ...rest } = currency;
  const seen = listIn(currency, "deployments").filter(
    (one) => environment === "test" || one["is_test_network"] === false,
  );
  const deployments = seen.map((deployment) => {
    const { note: _ofThis, is_test_network: _test, contract_address: _at, ...said } = deployment;
    const capabilities = sorted(listIn(deployment, "capabilities"), "scope", "key");
    return {
      ...said,
      deployment_version: 1,
      capabilities: capabilities.map((one) => ({ ...one, evidence_version: 1 })),
    };
  });
  return { ...rest, deployments: [...sorted(deployments, "id")] };
}

function normal(currency: JsonObject): JsonObject {
  const deployments = listIn(currency, "deployments").map((deployment) => ({
    ...deployment,
    capabilities: [...sorted(listIn(deployment, "capabilities"), "scope", "key")],
  }));
  return { ...currency, deployments: [...sorted(deployments, "id")] };
}

function describeValues(scene: Scene): void {
  const { service, asker, test } = scene;
  const list = (merchant: Merchant): Promise<Answer> =>
    asker.ask(merchant, "listCurrencies", { query: "limit=100" });

  test.for(["live", "test"] as const)(
    "a %s key reads the file, value for value, at version 1",
    async (environment, { merchant }) => {
      const key = await service.newKey(merchant, { environment });
      const answer = bodyOf((await list(key)).body);
      const expected = currenciesInFile().map((one) => shown(one, environment));
      expect(expected.length).toBeGreaterThan(3);
      expect(answer["catalog_version"]).toBe(1);
      expect(listIn(answer, "currencies").map(normal)).toEqual(sorted(expected, "code"));
      for (const currency of expected) {
        const id = textOf(currency["id"]);
        const one = bodyOf((await asker.ask(key, "getCurrency", { path: { id } })).body);
        expect(normal(bodyOf(one["currency"]))).toEqual(currency);
        expect(one["catalog_version"]).toBe(1);
      }
    },
  );

  test("acceptance of all means every deployment that takes deposits", async ({ merchant }) => {
    const ids = currenciesInFile().map(({ id }) => textOf(id));
    const body = { currencies: Object.fromEntries(ids.map((id) => [id, {}])) };
    const answer = bodyOf((await asker.ask(merchant, "replaceCurrencyAcceptance", { body })).body);
    expect(answer["catalog_version"]).toBe(1);
    expect(answer["currencies"]).toEqual(
      Object.fromEntries(
        currenciesInFile().map((currency) => {
          const open = openIn(currency).map((one) => textOf(one["chain_id"]));
          return [textOf(currency["id"]), { chain_ids: open.toSorted() }];
        }),
      ),
    );
  });

  test("a quote is the currency's and its deployments', in their own units", async ({
    merchant,
  }) => {
    const ids = currenciesInFile().map(({ id }) => textOf(id));
    await accept(merchant, Object.fromEntries(ids.map((id) => [id, {}])));
    const quotes = Object.fromEntries(ids.map((id) => [id, { amount: "12.345" }]));
    const answer = await asker.ask(merchant, "createPayment", { body: orderOf({ quotes }) });
    expect(answer.status).toBe(201);
    const said = Object.entries(bodyOf(bodyOf(answer.body)["quotes"])).map(([id, quote]) => {
      const { deployments, ...rest } = bodyOf(quote);
      const places = sorted(
        listAt({ deployments: deployments ?? null }, "deployments").filter(isObject),
        "chain_id",
      );
      return [id, { ...rest, deployments: [...places] }] as const;
    });
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries(currenciesInFile().map((one) => [textOf(one["id"]), quoteOf(one)])),
    );
  });
}

function openIn(currency: JsonObject): readonly JsonObject[] {
  return listIn(currency, "deployments").filter((one) => one["deposit_enabled"] === true);
}

/** Of 12.345, which is 12345 units of a coin with 3 decimals. */
function quoteOf(currency: JsonObject): JsonObject {
  const { code = null, symbol = null, name = null } = currency;
  const deployments = sorted(openIn(currency), "chain_id").map((one): JsonObject => {
    const { id = null, chain_id = null, decimals = null, asset_kind = null } = one;
    const { token_standard = null, contract_address = null } = one;
    const raw_amount = `12345${"0".repeat(Number(decimals) - 3)}`;
    const asset = { asset_kind, token_standard, contract_address };
    return { currency_chain_id: id, chain_id, decimals, raw_amount, ...asset };
  });
  const shown: Readonly<Record<string, Json>> = { amount: "12.345", code, symbol, name };
  return { ...shown, deployments };
}

describeOnEngines(describeValues, { changeCatalog: differing });
