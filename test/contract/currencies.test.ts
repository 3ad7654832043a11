// The catalog: each documented status really produced, on both engines.

import { describe, expect, test } from "vitest";
import { type Answer, bodyOf } from "../support/contract-answers.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textOf,
} from "../support/contract-document.ts";
import { buildAsker } from "../support/contract-asker.ts";
import { type Merchant, useService } from "../support/service.ts";
import { testRefusals } from "./refusals.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

function currenciesOf(answer: Answer): readonly JsonObject[] {
  return listAt(bodyOf(answer.body), "currencies").filter(isObject);
}

function describeOperations(scene: Scene): void {
  const { service, asker, test } = scene;
  const list = async (merchant: Merchant, query = ""): Promise<Answer> => {
    const answer = await asker.ask(merchant, "listCurrencies", { query });
    expect([query, ...outcome(answer)]).toEqual([query, 200, undefined]);
    return answer;
  };

  describe("listCurrencies", () => {
    testRefusals(scene, { operationId: "listCurrencies", prepare: () => ({}) });

    test("200 in the order of code and id, with the version as ETag", async () => {
      const answer = await list(await service.newMerchant(), "limit=100");
      const codes = currenciesOf(answer).map(
        (one) => `${textOf(one["code"])} ${textOf(one["id"])}`,
      );
      expect(codes.length).toBeGreaterThan(3);
      expect(codes).toEqual(codes.toSorted((one, other) => (one < other ? -1 : 1)));
      expect(answer.headers.get("ETag")).toBe(
        `"${textOf(bodyOf(answer.body)["catalog_version"])}-test"`,
      );
      expect(answer.headers.get("X-Next-Cursor")).toBeNull();
      expect(answer.headers.get("Link")).toBeNull();
    });

    test.for([1, 2, 3, 100])(
      "a walk by pages of %i meets every currency once",
      async (limit, { merchant }) => {
        const all = currenciesOf(await list(merchant, "limit=100"));
        const met: JsonObject[] = [];
        let query: string | undefined = `limit=${limit}`;
        while (query !== undefined) {
          const page: Answer = await list(merchant, query);
          met.push(...currenciesOf(page));
          query = nextQuery(page);
          expect(met.length).toBeLessThanOrEqual(all.length);
        }
        expect(met).toEqual(all);
      },
    );

    test("the cursor in X-Next-Cursor leads where Link leads", async ({ merchant }) => {
      const first = await list(merchant, "limit=1");
      const cursor = first.headers.get("X-Next-Cursor") ?? "";
      const byCursor = await list(merchant, `limit=1&cursor=${encodeURIComponent(cursor)}`);
      const byLink = await list(merchant, nextQuery(first));
      expect(byCursor.body).toEqual(byLink.body);
    });

    test.each([
      ["limit=0", "invalid_limit"],
      ["limit=101", "invalid_limit"],
      ["limit=x", "invalid_limit"],
      ["cursor=garbage", "invalid_cursor"],
      ["cursor=", "invalid_cursor"],
    ])("400 for %s", async (query, code) => {
      const answer = await asker.ask(await service.newMerchant(), "listCurrencies", { query });
      expect(outcome(answer)).toEqual([400, code]);
    });

    test("400 for a cursor that was changed, or given to another merchant", async () => {
      const [merchant, other] = [await service.newMerchant(), await service.newMerchant()];
      const cursor = (await list(merchant, "limit=1")).headers.get("X-Next-Cursor") ?? "";
      expect(cursor).not.toBe("");
      const changed = Array.from(cursor, (character, at) => {
        return cursor.slice(0, at) + (character === "A" ? "B" : "A") + cursor.slice(at + 1);
      });
      const ask = async (signer: Merchant, text: string): Promise<readonly unknown[]> =>
        outcome(await asker.ask(signer, "listCurrencies", { query: `cursor=${text}` }));
      expect(await ask(other, cursor)).toEqual([400, "invalid_cursor"]);
      expect(await ask(merchant, `${cursor}A`)).toEqual([400, "invalid_cursor"]);
      for (const one of changed) {
        expect([one, ...(await ask(merchant, one))]).toEqual([one, 400, "invalid_cursor"]);
      }
      expect(await ask(merchant, cursor)).toEqual([200, undefined]);
    });
  });

  describe("getCurrency", () => {
    const path = { id: "cur_usdc" };
    testRefusals(scene, { operationId: "getCurrency", prepare: () => ({ path }) });

    test("200 for every currency of the list, and it is the same", async ({ merchant }) => {
      const answer = await list(merchant, "limit=100");
      for (const currency of currenciesOf(answer)) {
        const id = textOf(currency["id"]);
        const one = await asker.ask(merchant, "getCurrency", { path: { id } });
        expect(one.status).toBe(200);
        expect(one.body).toEqual({
          catalog_version: bodyOf(answer.body)["catalog_version"] as Json,
          currency,
        });
        expect(one.headers.get("ETag")).toBe(answer.headers.get("ETag"));
      }
    });
  });

  describe.each([
    ["listCurrencies", {}],
    ["getCurrency", { path: { id: "cur_usdc" } }],
  ])("If-None-Match of %s", (operationId, change) => {
    test("200 for the tag of the other environment, which sees other networks", async ({
      merchant,
    }) => {
      const live = await service.newKey(merchant, { environment: "live" });
      const tags = [];
      for (const [own, other] of [
        [merchant, live],
        [live, merchant],
      ] as const) {
        const answer = await asker.ask(other, operationId, change);
        const etag = answer.headers.get("ETag") ?? "";
        tags.push(etag);
        const headers = { "If-None-Match": etag };
        expect((await asker.ask(own, operationId, { ...change, headers })).status).toBe(200);
        expect((await asker.ask(other, operationId, { ...change, headers })).status).toBe(304);
      }
      expect(new Set(tags).size).toBe(2);
    });

    test("304 without a body for the version that the caller has", async ({ merchant }) => {
      const etag = (await asker.ask(merchant, operationId, change)).headers.get("ETag") ?? "";
      for (const text of [etag, `W/${etag}`, `"0", ${etag}`, "*"]) {
        const headers = { "If-None-Match": text };
        const answer = await asker.ask(merchant, operationId, { ...change, headers });
        expect([text, answer.status, answer.body]).toEqual([text, 304, undefined]);
        expect(answer.headers.get("ETag")).toBe(etag);
      }
    });

    test("200 for another version", async ({ merchant }) => {
      const headers = { "If-None-Match": '"999999999"' };
      const answer = await asker.ask(merchant, operationId, { ...change, headers });
      expect(answer.status).toBe(200);
    });
  });
}

function nextQuery({ headers }: Answer): string | undefined {
  const link = headers.get("Link");
  if (link === null) return undefined;
  const address = /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
  if (address === undefined) throw new Error(`no link to a next page: ${link}`);
  return new URL(address, "http://any.example").search.slice(1);
}

describeOnEngines(describeOperations);

describe("before the operator has applied a catalog", () => {
  const service = useService("PostgreSQL", {
    changeCatalog: () => JSON.stringify({ format: 1, currencies: [] }),
  });
  const asker = buildAsker();

  test("200 with the version 0, and 304 for whoever has that", async () => {
    const merchant = await service.newMerchant();
    const answer = await asker.ask(merchant, "listCurrencies");
    expect([answer.status, answer.body]).toEqual([200, { catalog_version: 0, currencies: [] }]);
    const tag = answer.headers.get("ETag") ?? "";
    expect(tag).toBe('"0-test"');
    const headers = { "If-None-Match": tag };
    expect((await asker.ask(merchant, "listCurrencies", { headers })).status).toBe(304);
  });
});
