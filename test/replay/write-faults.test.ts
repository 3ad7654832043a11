// A check of everything, behind a proxy that spoils what is said of things that were made: each fault is
// found, and named where it is.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { check } from "../../scripts/replay/check.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  textOf,
} from "../../generator/suite/json.ts";
import { useService } from "../support/service.ts";
import { activeAddress, fund } from "../support/withdrawal-resources.ts";
import { optionsFor, toldOf } from "./checked-server.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import { answersTo, bodyBy, dropped, header, member, planted } from "./planting.ts";

const service = useService("PostgreSQL", { hasChain: true });
let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startFaultyProxy(service.url);
});
afterAll(() => proxy.close());

/** A key that nobody has used; a merchant has place for a few checks only. */
async function checkAll(fault: Fault) {
  const merchant = { ...(await service.newMerchant()), url: proxy.url };
  await fund(service.query, merchant.key, { deploymentId: "dep_usdc_base", amountRaw: 1000n });
  const withdrawAddress = await activeAddress(
    service.query,
    { ...merchant, url: service.url },
    "eip155:8453",
  );
  proxy.plant(fault);
  const given = { endpoints: [], withdrawAddress, subscription: undefined };
  return check({ ...optionsFor(merchant), isWhole: true, given });
}

test("nothing is found where nothing is planted", async () => {
  const checked = await checkAll(() => undefined);
  expect(toldOf(checked)).toEqual([]);
  expect(checked.isSound).toBe(true);
});

const payments = answersTo(/^POST \/v1\/payments$/, 201);
const cancels = answersTo(/^POST \/v1\/payments\/.*\/cancel$/, 200);
const endpoints = answersTo(/^POST \/v1\/webhook-endpoints$/, 201);
const updates = answersTo(/^PUT \/v1\/webhook-endpoints/, 200);
const rotations = answersTo(/rotate-secret$/, 200);
const acceptances = answersTo(/^PUT \/v1\/currency-acceptance$/, 200);
const addresses = answersTo(/^POST \/v1\/withdraw-addresses$/, 201);
const schedules = answersTo(/^POST \/v1\/payout-schedules$/, 201);
const pauses = answersTo(/\/pause$/, 200);
const withdrawals = answersTo(/^POST \/v1\/withdrawals$/, 201);
const usages = answersTo(/\/usage$/, 201);

const inQuotes = (change: (quote: JsonObject) => JsonObject) =>
  bodyBy((body) => {
    const quotes = Object.entries(objectAt(body, "quotes"));
    const changed = quotes.map(
      ([id, quote]) => [id, change(isObject(quote) ? quote : {})] as const,
    );
    return { ...body, quotes: Object.fromEntries(changed) };
  });
const inDeployments = (more: (one: JsonObject) => JsonObject) =>
  inQuotes((quote) => {
    const list: readonly Json[] = Array.isArray(quote["deployments"]) ? quote["deployments"] : [];
    const deployments = list.map((one) => (isObject(one) ? { ...one, ...more(one) } : one));
    return { ...quote, deployments };
  });
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const newId = (): string =>
  `pay_${Array.from(randomBytes(26), (byte) => crockford[byte % 32]).join("")}`;

test.each([
  planted(
    "a replay that does not say so",
    [payments, dropped("Idempotent-Replayed")],
    [/createPayment 201/, /Idempotent-Replayed: is missing/],
  ),
  planted(
    "a new request that is called a replay",
    [endpoints, header("Idempotent-Replayed", "true")],
    [/registerWebhookEndpoint 201/, /Idempotent-Replayed: is there/],
  ),
  planted(
    "a replay that makes another one",
    [payments, (passing) => member("id", newId())(passing)],
    [/createPayment 201/, /body \/id: is pay_\w+ in place of pay_/],
  ),
  planted(
    "another amount",
    [payments, inQuotes((quote) => ({ ...quote, amount: "2" }))],
    [/createPayment 201/, /amount: is 2 in place of 1/],
  ),
  planted(
    "an amount of other decimals",
    [payments, inDeployments(({ raw_amount: raw }) => ({ raw_amount: `${textOf(raw)}0` }))],
    [/createPayment 201/, /raw_amount: is 10+ in place of/],
  ),
  planted(
    "a deployment that the catalog has not",
    [payments, inDeployments(() => ({ currency_chain_id: "dep_none" }))],
    [/createPayment 201/, /dep_none takes no deposits/],
  ),
  planted(
    "an end an hour later",
    [
      payments,
      bodyBy((body) => ({ ...body, expires_at: new Date(Date.now() + 7_200_000).toISOString() })),
    ],
    [/createPayment 201/, /expires_at: less 600 s is \d+ s ahead/],
  ),
  planted(
    "the number of another order",
    [payments, member("merchant_order_no", "A-1")],
    [/createPayment 201/, /merchant_order_no: is A-1/],
  ),
  planted(
    "a payment that is not cancelled",
    [cancels, member("status", "pending")],
    [/cancelPayment 200/, /status: is pending in place of cancelled/],
  ),
  planted(
    "a second order of one number",
    [answersTo(/^POST \/v1\/payments$/, 409), () => ({ status: 201 })],
    [/createPayment 201/, /is 201 in place of 409 order_already_exists/],
  ),
  planted(
    "a key that may name two requests",
    [answersTo(/^POST \/v1\/withdraw-addresses$/, 422), () => ({ status: 201 })],
    [/registerWithdrawAddress 201/, /in place of 422 idempotency_key_reused/],
  ),
  planted(
    "the place of another endpoint",
    [endpoints, header("Location", "/v1/webhook-endpoints/whe_01KDVDNA0083XSSSS6YS3C4DWA")],
    [/registerWebhookEndpoint 201/, /Location: is/],
  ),
  planted(
    "an update that changes nothing",
    [updates, member("url", "https://shop.example/old")],
    [/updateWebhookEndpoint 200/, /url: is https:\/\/shop.example\/old in place of/],
  ),
  planted(
    "a switch that does nothing",
    [answersTo(/\/status$/, 200), member("active", true)],
    [/setWebhookEndpointStatus 200/, /active: is true in place of false/],
  ),
  planted(
    "a secret that stays",
    [rotations, member("secret", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")],
    [/rotateWebhookEndpointSecret 200/, /secret: is the one before/],
  ),
  planted(
    "a currency that is not accepted",
    [acceptances, bodyBy((body) => ({ ...body, currencies: {} }))],
    [/replaceCurrencyAcceptance 200/, /in place of \{"chain_ids"/],
  ),
  planted(
    "another address",
    [addresses, member("address", `0x${"1".repeat(40)}`)],
    [/registerWithdrawAddress 201/, /address: is 0x1+ in place of/],
  ),
  planted(
    "a schedule of another least amount",
    [schedules, member("min_send_raw", "1")],
    [/createPayoutSchedule 201/, /min_send_raw: is 1 in place of/],
  ),
  planted(
    "a schedule that goes on",
    [pauses, member("enabled", true)],
    [/pausePayoutSchedule 200/, /enabled: is true in place of false/],
  ),
  planted(
    "a list without the new schedule",
    [answersTo(/payout-schedules\?status=active/), () => ({ body: '{"schedules":[]}' })],
    [/listPayoutSchedules 200/, /schedules: lacks pos_/],
  ),
  planted(
    "a debit that is not the sum",
    [withdrawals, member("total_debit_raw", "99")],
    [/requestWithdrawal 201/, /total_debit_raw: is 99 in place of/],
  ),
  planted(
    "usage that nobody has reported",
    [usages, member("actual_raw", "7")],
    [/reportX402Usage 201/, /actual_raw: is 7 in place of 0/],
  ),
])("finds $name", async ({ fault, told: [cell, problem] }) => {
  const checked = await checkAll(fault);
  expect(proxy.spoilt()).toBeGreaterThan(0);
  expect(checked.isSound).toBe(false);
  const told = toldOf(checked);
  const isNamed = told.some(([where, what]) => cell.test(where) && problem.test(what));
  expect(isNamed ? [] : told.slice(0, 20)).toEqual([]);
  expect(isNamed).toBe(true);
});
