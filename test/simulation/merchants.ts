// What merchants and their customers do, at random.

import { amountOf } from "../../service/amounts.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Owner } from "../../service/owner.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { newCall } from "./client.ts";
import type { Call } from "./client.ts";
import { Killed } from "./life.ts";
import { assetOf, assets, characters, currencies, wholeOf } from "./market.ts";
import type { Asset } from "./market.ts";
import type { World } from "./world.ts";

/** In whole units of any asset; customers pay with all of them as if they were worth the same. */
const priceMax = 300n;

interface PaymentBody {
  readonly id: string;
  readonly quotes: Readonly<
    Record<string, { deployments: readonly { currency_chain_id: string; raw_amount: string }[] }>
  >;
}

function ownerAtRandom(world: World): Owner {
  return world.dice.pick(world.owners);
}

/** Live keys do not see test networks. */
function isVisible({ environment }: Owner, { deployment }: Asset): boolean {
  return environment === "test" || !deployment.isTestNetwork;
}

export function createPayment(world: World): Call {
  const { dice } = world;
  const owner = ownerAtRandom(world);
  const wanted = currencies.filter(() => dice.chance(0.5));
  const quoted = wanted.length === 0 ? [dice.pick(currencies)] : wanted;
  const quotes = Object.fromEntries(
    quoted.map(({ id }) => [id, { amount: amountOf(dice.amount(1n, priceMax * 100n), 2) }]),
  );
  const others = [...new Set(world.owners.map(({ merchantId }) => merchantId))].filter(
    (id) => id !== owner.merchantId && dice.chance(0.25),
  );
  const splits = others.map((id) => ({
    type: "percentage" as const,
    merchant_id: id,
    bps: dice.between(1, 3300),
  }));
  const policy = dice.pick(["pro_rata", "to_primary"] as const);
  const isPriceShared = splits.length > 0 && policy === "to_primary";
  const body = {
    merchant_order_no: `order-${world.calls.length}`,
    quotes,
    splits,
    overpay_policy: policy,
    expires_in_secs: dice.pick([600, 1800, 7200, 86_400]),
  };
  return newCall<PaymentBody>(world, {
    operation: "createPayment",
    owner,
    ask: (handlers, headers, caller) => handlers.createPayment({ headers, body }, caller),
    learn: ({ id, quotes: agreed }) => {
      const places = Object.values(agreed).flatMap(({ deployments }) => deployments);
      const dues = new Map(
        places.map((one) => [one.currency_chain_id, BigInt(one.raw_amount)] as const),
      );
      world.payments.push({ id, owner, dues, isPriceShared });
    },
  });
}

export function cancelPayment(world: World): Call | undefined {
  const payment = world.dice.pickRecent(world.payments);
  if (payment === undefined) return undefined;
  const path = { id: payment.id };
  return newCall(world, {
    operation: "cancelPayment",
    owner: payment.owner,
    ask: (handlers, headers, caller) => handlers.cancelPayment({ headers, path }, caller),
  });
}

/** A customer looks at the checkout page. */
export async function openPage(world: World): Promise<void> {
  const payment = world.dice.pickRecent(world.payments.filter((one) => one.address === undefined));
  if (payment === undefined) return;
  const worker = world.anyWorker();
  try {
    payment.address = await worker.addresses.open(payment.id, "evm");
  } catch (error) {
    if (error instanceof Killed) return;
    if (!(error instanceof ServiceError) || error.code !== "service_unavailable") throw error;
  }
}

/** A customer pays: exactly, in part, too much, twice, as dust, or in what was not asked for. */
export function pay(world: World): void {
  const { dice } = world;
  const open = world.payments.filter(({ address }) => address !== undefined);
  const unpaid = open.filter(({ isPaid }) => isPaid !== true);
  const payment = dice.pickRecent(dice.chance(0.8) ? unpaid : open);
  if (payment?.address === undefined) return;
  payment.isPaid = true;
  const { address: to, owner, dues } = payment;
  const visible = assets.filter((one) => isVisible(owner, one));
  const isAsked = dice.chance(0.95);
  const asset = isAsked ? assetOf(dice.pick([...dues.keys()])) : dice.pick(visible);
  const { id: deploymentId, chainId, contractAddress } = asset.deployment;
  const dueRaw = dues.get(deploymentId) ?? wholeOf(asset);
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  if (one === undefined) return;
  const amounts = [[dueRaw], [dueRaw], [dueRaw], [dueRaw / 2n + 1n], [dueRaw + dueRaw / 3n]];
  const parts = dice.chance(0.04)
    ? [1n]
    : dice.pick([...amounts, [dueRaw / 3n + 1n, dueRaw - dueRaw / 3n], [dueRaw, dueRaw / 2n + 1n]]);
  const hash = one.chain.deposit(...parts.map((amountRaw) => ({ to, amountRaw, contractAddress })));
  // So little that it is no deposit in any asset of the market.
  if (parts[0] === 1n) world.dustHashes.add(hash);
  else one.depositHashes.push(hash);
  world.note("deposits", chainId);
}

/** Several orders of one merchant in one block: each is small, together they may be a high value. */
export function payMany(world: World, chainId = world.dice.pick(characters).options.chainId): void {
  const owner = ownerAtRandom(world);
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  if (one === undefined) return;
  for (const payment of world.payments.filter((known) => known.owner === owner).slice(-6)) {
    const due = [...payment.dues].find(([id]) => assetOf(id).deployment.chainId === chainId);
    if (due === undefined || payment.address === undefined || payment.isPaid === true) continue;
    payment.isPaid = true;
    const [id, amountRaw] = due;
    const { contractAddress } = assetOf(id).deployment;
    one.depositHashes.push(one.chain.deposit({ to: payment.address, amountRaw, contractAddress }));
    world.note("deposits", "of many payments");
  }
}

export function registerAddress(world: World, owner = ownerAtRandom(world)): Call {
  const { dice } = world;
  const visible = characters.filter((one) => owner.environment === "test" || !one.isTestNetwork);
  const { chainId } = dice.pick(visible).options;
  const payment = dice.chance(0.05) ? dice.pickIfAny(world.payments) : undefined;
  // Now and then one of ours, which is refused.
  const address = payment?.address ?? addressOf(`destination ${world.calls.length}`);
  const body = { chain_id: chainId, address };
  return newCall<{ readonly id: string }>(world, {
    operation: "registerWithdrawAddress",
    owner,
    ask: (handlers, headers, caller) => handlers.registerWithdrawAddress({ headers, body }, caller),
    learn: ({ id }) => void world.addresses.push({ id, owner, chainId, address }),
  });
}

/** Some of what is there, all of it, or more than that; with a chain: all that is there. */
export async function withdraw(world: World, onlyChainId?: string): Promise<Call | undefined> {
  const { dice } = world;
  const balances = await world.rows<{ kind: string; deployment_id: string; raw: string } & Owned>(
    `select deployment_id, merchant_id, environment, balance::text as raw from ledger_accounts
      where kind = 'merchant:available' and balance > 1000 order by key`,
  );
  const payable = balances.flatMap((row) => {
    const asset = assetOf(row.deployment_id);
    const address = world.addresses.findLast(
      ({ owner, chainId }) =>
        owner.merchantId === row.merchant_id &&
        owner.environment === row.environment &&
        chainId === asset.deployment.chainId,
    );
    const isElsewhere = onlyChainId !== undefined && address?.chainId !== onlyChainId;
    return address === undefined || isElsewhere ? [] : [{ row, asset, address }];
  });
  const chosen = dice.pickIfAny(payable);
  if (chosen === undefined) return undefined;
  const { asset, address, row } = chosen;
  const hasRaw = BigInt(row.raw);
  const isAll = onlyChainId !== undefined || dice.chance(0.15);
  const sendRaw = isAll ? hasRaw : dice.amount(1n, (hasRaw * 11n) / 10n);
  const body = {
    currency_id: asset.currencyId,
    target_chain_id: address.chainId,
    amount: amountOf(sendRaw, asset.deployment.decimals),
    withdraw_address_id: address.id,
  };
  const { owner } = address;
  return newCall<{ readonly id: string }>(world, {
    operation: "requestWithdrawal",
    owner,
    ask: (handlers, headers, caller) => handlers.requestWithdrawal({ headers, body }, caller),
    learn: ({ id }) => void world.withdrawals.push({ id, owner }),
  });
}

interface Owned {
  readonly merchant_id: string;
  readonly environment: string;
}

export function cancelWithdrawal(world: World): Call | undefined {
  const withdrawal = world.dice.pickRecent(world.withdrawals);
  if (withdrawal === undefined) return undefined;
  const path = { id: withdrawal.id };
  return newCall(world, {
    operation: "cancelWithdrawal",
    owner: withdrawal.owner,
    ask: (handlers, headers, caller) => handlers.cancelWithdrawal({ headers, path }, caller),
  });
}

export function createSchedule(world: World): Call | undefined {
  const { dice } = world;
  const address = dice.pickIfAny(world.addresses);
  if (address === undefined) return undefined;
  const { owner } = address;
  const asset = dice.pick(
    assets.filter(({ deployment }) => deployment.chainId === address.chainId),
  );
  const body = {
    currency_id: asset.currencyId,
    target_chain_id: address.chainId,
    withdraw_address_id: address.id,
    interval_secs: dice.pick([3600, 21_600, 86_400]),
    min_send_amount: "1",
    mode: dice.chance(0.8) ? ("auto_request" as const) : ("notify_only" as const),
  };
  return newCall<{ readonly id: string }>(world, {
    operation: "createPayoutSchedule",
    owner,
    keyKind: dice.chance(0.2) ? "anywhere" : "bound",
    ask: (handlers, headers, caller) => handlers.createPayoutSchedule({ headers, body }, caller),
    learn: ({ id }) => void world.schedules.push({ id, owner }),
  });
}

export function pauseSchedule(world: World, wanted?: World["schedules"][number]): Call | undefined {
  const schedule = wanted ?? world.dice.pickIfAny(world.schedules);
  if (schedule === undefined) return undefined;
  const path = { id: schedule.id };
  return newCall(world, {
    operation: "pausePayoutSchedule",
    owner: schedule.owner,
    ask: (handlers, headers, caller) => handlers.pausePayoutSchedule({ headers, path }, caller),
  });
}

export function cancelSubscription(
  world: World,
  wanted?: World["subscriptions"][number],
): Call | undefined {
  const subscription = wanted ?? world.dice.pickIfAny(world.subscriptions);
  if (subscription === undefined) return undefined;
  const path = { id: subscription.id };
  return newCall(world, {
    operation: "cancelSubscription",
    owner: subscription.owner,
    ask: (handlers, headers, caller) => handlers.cancelSubscription({ headers, path }, caller),
  });
}

/** All currencies, or all but one. */
export function replaceAcceptance(world: World, owner = ownerAtRandom(world)): Call {
  const { dice } = world;
  const isFirst = world.calls.every((one) => one.owner !== owner);
  const left = !isFirst && dice.chance(0.5) ? dice.pick(currencies).id : "";
  const wanted = currencies.filter(({ id }) => id !== left);
  const body = { currencies: Object.fromEntries(wanted.map(({ id }) => [id, {}])) };
  return newCall(world, {
    operation: "replaceCurrencyAcceptance",
    owner,
    ask: (handlers, headers, caller) =>
      handlers.replaceCurrencyAcceptance({ headers, body }, caller),
  });
}

export function registerEndpoint(world: World, owner: Owner): Call {
  const url = `https://shop-${world.endpoints.length}-${world.calls.length}.example/hooks`;
  const body = { url };
  return newCall<{ readonly id: string }>(world, {
    operation: "registerWebhookEndpoint",
    owner,
    ask: (handlers, headers, caller) => handlers.registerWebhookEndpoint({ headers, body }, caller),
    learn: ({ id }) => void world.endpoints.push({ id, owner, url }),
  });
}

export function switchEndpoint(
  world: World,
  wanted?: World["endpoints"][number],
): Call | undefined {
  const endpoint = wanted ?? world.dice.pickIfAny(world.endpoints);
  if (endpoint === undefined) return undefined;
  const { id, owner } = endpoint;
  const body = { active: wanted !== undefined || world.dice.chance(0.7) };
  return newCall(world, {
    operation: "setWebhookEndpointStatus",
    owner,
    ask: (handlers, headers, caller) =>
      handlers.setWebhookEndpointStatus({ headers, path: { id }, body }, caller),
  });
}
