// A check of a server behind a proxy that spoils answers: each fault is found, and named where it is.

import { afterAll, beforeAll, expect, test } from "vitest";
import { check } from "../../scripts/replay/check.ts";
import { type Merchant, useService } from "../support/service.ts";
import { addThings, optionsFor, toldOf } from "./checked-server.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import { plantedFaults } from "./faults.ts";

const service = useService("PostgreSQL");
let proxy: FaultyProxy;
let merchant: Merchant;

beforeAll(async () => {
  proxy = await startFaultyProxy(service.url);
  const own = await service.newMerchant();
  await addThings(service, own);
  merchant = { ...own, url: proxy.url };
});
afterAll(() => proxy.close());

test("nothing is found where nothing is planted", async () => {
  proxy.plant(() => undefined);
  const checked = await check(optionsFor(merchant));
  expect(toldOf(checked)).toEqual([]);
  expect(checked.isSound).toBe(true);
});

test("there are at least 60 faults, and no two of the same name", () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(60);
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
});

test.each(plantedFaults)("finds $name", async ({ fault, told: [cell, problem] }) => {
  proxy.plant(fault);
  const checked = await check({ ...optionsFor(merchant), requestSeconds: 1 });
  expect(proxy.spoilt()).toBeGreaterThan(0);
  expect(checked.isSound).toBe(false);
  const told = toldOf(checked);
  const isNamed = told.some(([where, what]) => cell.test(where) && problem.test(what));
  expect(isNamed ? [] : told.slice(0, 20)).toEqual([]);
  expect(isNamed).toBe(true);
});
