// What the rules say of a body that breaks the contract somewhere else: of the parts that follow it.
// So a merchant's engineer hears of everything that can be repaired in one answer.
//
// Only what stands in the body is judged. The balance, the state of what would change, and what another
// request was faster with are looked at when the body is right.

import { validParts } from "../generated/runtime/valid-parts.ts";
import type { ValidParts } from "../generated/runtime/valid-parts.ts";
import type { Edge, Violation } from "../generated/runtime/runtime.ts";
import { RequestError } from "../generated/runtime/runtime.ts";
import { isUnavailable } from "../service/errors.ts";
import type { ServiceError } from "../service/errors.ts";
import type { OrderParts } from "../service/payments/order.ts";
import type { PlaceParts } from "../service/withdrawals/withdrawals.ts";
import type { AllHandlers, Caller } from "./caller.ts";
import { redirectUrlOf } from "./payments.ts";
import { firstRunOf } from "./payout-schedules.ts";
import type { Services } from "./services.ts";
import { nulViolations } from "./storable-text.ts";
import { refuseLongLabel } from "./withdraw-addresses.ts";

type RequestOf<Name extends keyof AllHandlers> = Parameters<AllHandlers[Name]>[0];
type BodyOf<Name extends keyof AllHandlers> =
  RequestOf<Name> extends { readonly body: infer Body } ? Body : never;

interface Findings {
  /** of the rules; their details say where */
  readonly refused: readonly ServiceError[];
  /** of what the contract could say too, and only a handler knows */
  readonly checks?: readonly (() => unknown)[];
}

type Judges = {
  readonly [Name in keyof AllHandlers]?: (
    parts: ValidParts<BodyOf<Name>>,
    caller: Caller,
  ) => Findings | Promise<Findings>;
};

type AnyJudge = (parts: unknown, caller: Caller) => Findings | Promise<Findings>;

/** The hook of the edge. */
export function buildJudge(services: Services): NonNullable<Edge<unknown, Caller>["judge"]> {
  // The runtime hands each judge the body of its own operation, by its name.
  const judges = new Map(Object.entries(buildJudges(services))) as ReadonlyMap<string, AnyJudge>;
  return async (parts, { operationId }, caller) => {
    const judge = judges.get(operationId);
    if (judge === undefined) return [];
    const unstorable = nulViolations(parts);
    const storable = validParts(parts, unstorable.map(problemOf));
    if (storable === undefined) return unstorable;
    try {
      const { refused, checks = [] } = await judge(storable, caller);
      return [...unstorable, ...refused.flatMap(violationsOf), ...checks.flatMap(refusedBy)];
    } catch (error) {
      // What the contract says holds without the database, and is enough for an answer.
      if (isUnavailable(error)) return unstorable;
      throw error;
    }
  };
}

function buildJudges(services: Services): Judges {
  const { acceptance, payments, payoutSchedules, withdrawals, webhookEndpoints } = services;
  const endpoint = (
    { url, event_types: eventTypes }: ValidParts<BodyOf<"registerWebhookEndpoint">>,
    caller: Caller,
  ): Findings => ({ refused: webhookEndpoints.problemsOf(caller, { url, eventTypes }) });
  return {
    registerWebhookEndpoint: endpoint,
    updateWebhookEndpoint: endpoint,
    createPayment: async (parts, caller) => {
      const { redirect_url: url } = parts;
      const refused = await payments.problemsOf(caller, orderParts(parts));
      return { refused, checks: url === undefined ? [] : [() => redirectUrlOf(url)] };
    },
    requestWithdrawal: async (parts, caller) => {
      const place = { ...placeOf(parts), amount: { text: parts.amount, pointer: "/amount" } };
      return { refused: await withdrawals.problemsOf(caller, caller.keyId, place) };
    },
    registerWithdrawAddress: async ({ chain_id: chainId, address, label }, caller) => ({
      refused: await services.withdrawAddresses.problemsOf(caller, { chainId, address }),
      checks: [() => refuseLongLabel(label)],
    }),
    createPayoutSchedule: async (parts, caller) => {
      const { min_send_amount: text, interval_secs: intervalSeconds, first_run_at: first } = parts;
      const amount = { text, pointer: "/min_send_amount" };
      const firstRunAt = first === undefined ? undefined : new Date(first);
      const wanted = { ...placeOf(parts), amount, intervalSeconds, firstRunAt };
      const refused = await payoutSchedules.problemsOf(caller, caller.keyId, wanted);
      return { refused, checks: [() => firstRunOf(first)] };
    },
    replaceCurrencyAcceptance: async ({ currencies = {} }, caller) => {
      const wanted = Object.entries(currencies).map(
        ([currencyId, one]) => [currencyId, chainsOf(one)] as const,
      );
      return { refused: await acceptance.problemsOf(caller.environment, new Map(wanted)) };
    },
  };
}

function placeOf(
  parts: ValidParts<Pick<BodyOf<"requestWithdrawal">, PlaceName>>,
): Pick<PlaceParts, "currencyId" | "chainId" | "withdrawAddressId"> {
  const { currency_id: currencyId, target_chain_id: chainId } = parts;
  return { currencyId, chainId, withdrawAddressId: parts.withdraw_address_id };
}

type PlaceName = "currency_id" | "target_chain_id" | "withdraw_address_id";

function orderParts(parts: ValidParts<BodyOf<"createPayment">>): OrderParts {
  const { quotes = {}, splits = [], expires_in_secs: expiresInSeconds } = parts;
  return {
    quotes: Object.entries(quotes).map(([currencyId, quote]) => ({
      currencyId,
      amount: quote?.amount,
      chainIds: chainsOf(quote),
    })),
    splits: splits.map((one) => ({ merchantId: one?.merchant_id, bps: one?.bps })),
    expiresInSeconds,
  };
}

/** Null: none were named, which means all of them; undefined: not known. */
function chainsOf(
  one: { readonly chain_ids?: readonly (string | undefined)[] | undefined } | undefined,
): readonly string[] | null | undefined {
  if (one === undefined) return undefined;
  if (!Object.hasOwn(one, "chain_ids")) return null;
  const known = one.chain_ids?.filter((id) => id !== undefined);
  return known?.length === one.chain_ids?.length ? known : undefined;
}

/** Refusals that have found several places name them, the others name one. */
function violationsOf({ code, message, details }: ServiceError): readonly Violation[] {
  const { violations, pointer } = details;
  // Built by the same rules for an answer of their own, so of this form.
  if (violations !== undefined) return violations as readonly Violation[];
  return [{ in: "body", pointer: typeof pointer === "string" ? pointer : "", rule: code, message }];
}

function refusedBy(check: () => unknown): readonly Violation[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof RequestError) return error.violations;
    throw error;
  }
}

function problemOf({ pointer, rule, message }: Violation) {
  const path = pointer.split("/").slice(1);
  return {
    path: path.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
    rule,
    message,
  };
}
