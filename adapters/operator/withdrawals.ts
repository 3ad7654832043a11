// The operator's commands about withdrawals and the addresses they go to, as text.

import type { Rehearse } from "./rehearsal.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import type {
  ForgottenWithdrawals,
  RememberedWithdrawal,
} from "../../service/withdrawals/forgotten.ts";
import { everyChain } from "../../service/withdrawals/policy.ts";
import type {
  HeldWithdrawal,
  Resuming,
  WithdrawalPolicy,
  WithdrawalStop,
} from "../../service/withdrawals/policy.ts";
import { asShown, codeOf, lookFor } from "./as-shown.ts";
import { ownerCell } from "./by-hand.ts";
import { transactionFields } from "./remembered.ts";
import { fields, listing, type Part, result, type Result, said, shown } from "./results.ts";
import type { Column, Value } from "./results.ts";
import { type Command, command, oneOf, optional, place, text } from "./words.ts";

export interface WithdrawalOperator {
  readonly withdrawalPolicy: WithdrawalPolicy;
  readonly withdrawAddresses: WithdrawAddresses;
  readonly forgottenWithdrawals: ForgottenWithdrawals;
  readonly rehearse: Rehearse<WithdrawalOperator>;
}

const withdrawal = place("WITHDRAWAL_ID");
const reason = text("TEXT");
const deployment = text("DEPLOYMENT_ID");
const chain = optional(text("CHAIN_ID"));

export const withdrawalCommands: readonly Command<WithdrawalOperator>[] = [
  command("withdrawal held", {
    says: "those above a limit, which wait for one of the next two",
    words: {},
    run: listHeld,
  }),
  command("withdrawal approve", {
    words: { withdrawal },
    dryRun: "rehearsal",
    run: async ({ withdrawal: id }, { withdrawalPolicy }: WithdrawalOperator) =>
      heldResult("Approved", await withdrawalPolicy.approve(id)),
  }),
  command("withdrawal reject", {
    says: "any that is pending",
    words: { withdrawal, reason },
    dryRun: "rehearsal",
    run: async ({ withdrawal: id, reason: why }, { withdrawalPolicy }: WithdrawalOperator) =>
      heldResult("Rejected", await withdrawalPolicy.reject(id, why)),
  }),
  command("withdrawal decide", {
    says:
      "what became of one whose transaction moved something else than was asked for (alarm " +
      "unclear_transfer)",
    words: { withdrawal, as: oneOf(["confirmed", "failed"]), reason },
    dryRun: "rehearsal",
    run: async (given, { withdrawalPolicy }: WithdrawalOperator) => {
      const { withdrawal: id, as: decidedAs, reason: why } = given;
      return heldResult("Decided", await withdrawalPolicy.decide(id, decidedAs, why));
    },
  }),
  command("withdrawal remember", {
    says:
      "that it was sent by this mined transaction, which a restored database has forgotten; the " +
      "chain then says what became of it",
    words: { withdrawal, transaction: text("HASH"), reason },
    // The chain is asked before: no transaction stays open meanwhile.
    dryRun: async (given, operator: WithdrawalOperator) => {
      const { withdrawal: id, transaction, reason: why } = given;
      const found = await operator.forgottenWithdrawals.read(id, transaction);
      return await operator.rehearse(async ({ forgottenWithdrawals }) =>
        rememberedResult(await forgottenWithdrawals.rememberFound(id, found, why)),
      );
    },
    run: async (given, { forgottenWithdrawals }: WithdrawalOperator) => {
      const { withdrawal: id, transaction, reason: why } = given;
      return rememberedResult(await forgottenWithdrawals.remember(id, transaction, why));
    },
  }),
  command("withdrawal limit", {
    says: "above which a withdrawal waits; one left out: no such limit",
    words: { deployment, single: optional(text("AMOUNT")), daily: optional(text("AMOUNT")) },
    dryRun: "rehearsal",
    run: setLimits,
  }),
  command("withdrawal stop", {
    says: "nothing more is signed; default: on any chain",
    words: { reason, chain },
    dryRun: "rehearsal",
    run: async ({ reason: why, chain: chainId = everyChain }, operator: WithdrawalOperator) => {
      const { wasStopped } = await operator.withdrawalPolicy.stop(chainId, why);
      const sentence = wasStopped
        ? `Withdrawals were stopped already on ${chainText(chainId)}. The reason was added to their stop.\n`
        : `Withdrawals are stopped on ${chainText(chainId)}.\n`;
      const values = { chain_id: chainId, is_stopped: true, was_stopped: wasStopped };
      return result(said(sentence, values));
    },
  }),
  command("withdrawal resume", {
    says: "lifts the stop of this chain; default: the one of all chains, and of no single one",
    words: { chain, "as-shown": asShown },
    dryRun: "rehearsal",
    run: resumeWithdrawals,
  }),
  command("fee set", {
    says: "what a withdrawal costs from now on, such as 0.5",
    words: { deployment, amount: text("AMOUNT") },
    dryRun: "rehearsal",
    run: async ({ deployment: id, amount }, { withdrawalPolicy }: WithdrawalOperator) => {
      const { version } = await withdrawalPolicy.setFee(id, amount);
      return result(
        fields([
          ["Deployment", "deployment_id", id],
          ["Fee", "fee", amount],
          ["Version", "version", version],
        ]),
      );
    },
  }),
  command("withdraw-address disable", {
    says: "for good",
    words: { address: place("WITHDRAW_ADDRESS_ID") },
    dryRun: "rehearsal",
    run: async ({ address }, { withdrawAddresses }: WithdrawalOperator) => {
      const { disabledAt } = await withdrawAddresses.disable(address);
      const sentence = `${address} is disabled since ${disabledAt?.toISOString() ?? "now"}.\n`;
      return result(said(sentence, { id: address, disabled_at: disabledAt }));
    },
  }),
];

async function resumeWithdrawals(
  given: Readonly<Record<"chain" | "as-shown", string | undefined>>,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<Result> {
  const { chain: chainId = everyChain, "as-shown": code } = given;
  const look = lookFor<Resuming>({ code, bound: boundStops, part: standingPart });
  const resumed = await withdrawalPolicy.resume(chainId, look);
  const isStopped = resumed.staying.some(({ chainId: id }) => id === everyChain || id === chainId);
  const end = said(resumedSentence(chainId, resumed), { chain_id: chainId, is_stopped: isStopped });
  return result([end, stopsPart(resumed)], { shownAs: codeOf(boundStops(resumed)) });
}

/** Whatever was stopped in the same moment is not said to go on. */
function resumedSentence(chainId: string, { staying }: Resuming): string {
  const names = staying.map((one) => one.chainId);
  const lifted = `The stop of ${chainText(chainId)} is lifted.`;
  if (names.includes(chainId)) return `${lifted} Meanwhile there is another one, which stands.\n`;
  if (names.includes(everyChain)) {
    return `${lifted} Withdrawals stay stopped, since all chains are.\n`;
  }
  const but = names.length === 0 ? "" : `, but not on ${names.join(", ")}`;
  return `Withdrawals go on on ${chainText(chainId)}${but}.\n`;
}

/** Who has said it may not be known any more: that makes no other stop. */
function boundStops({ lifted, staying }: Resuming): Value {
  return [lifted, ...staying].map(({ chainId, since, reason }) => [chainId, since, reason]);
}

const scopeColumn: Column<WithdrawalStop> = [
  "STOP OF",
  "chain_id",
  (stop) => shown(stop.chainId, chainText(stop.chainId)),
];
const stopColumns: readonly Column<WithdrawalStop>[] = [
  ["SINCE", "since", (stop) => stop.since],
  ["BY", "by", (stop) => stop.by],
  ["REASON", "reason", (stop) => stop.reason],
];

function stopsPart({ lifted, staying }: Resuming): Part {
  const becomes = (stop: WithdrawalStop): string => (stop === lifted ? "lifted" : "kept");
  const columns = [scopeColumn, ["IS", "becomes", becomes] as const, ...stopColumns];
  return listing("stops", [lifted, ...staying], columns);
}

/** Of a command that was refused: all of them. */
function standingPart({ lifted, staying }: Resuming): Part {
  return listing("stops", [lifted, ...staying], [scopeColumn, ...stopColumns]);
}

async function listHeld(_: unknown, { withdrawalPolicy }: WithdrawalOperator): Promise<Result> {
  return result(
    listing("withdrawals", await withdrawalPolicy.held(), [
      ["WITHDRAWAL", "id", (held) => held.withdrawal.id],
      ["MERCHANT", "merchant_id", (held) => held.withdrawal.owner.merchantId],
      ["ENVIRONMENT", "environment", (held) => held.withdrawal.owner.environment],
      ["DEPLOYMENT", "deployment_id", (held) => held.withdrawal.deploymentId],
      ["RAW", "amount_raw", (held) => held.withdrawal.sendAmountRaw],
      ["BECAUSE", "because", (held) => held.because],
      ["SINCE", "created_at", (held) => held.createdAt],
      ["TO", "address", (held) => held.address],
    ]),
  );
}

async function setLimits(
  given: Readonly<Record<"single" | "daily", string | undefined>> & {
    readonly deployment: string;
  },
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<Result> {
  const limits = { single: given.single ?? null, daily: given.daily ?? null };
  await withdrawalPolicy.setLimits(given.deployment, limits);
  return result(
    fields([
      ["Deployment", "deployment_id", given.deployment],
      ["Single", "single", limits.single ?? shown(null, "no limit")],
      ["Daily", "daily", limits.daily ?? shown(null, "no limit")],
    ]),
  );
}

function chainText(chainId: string): string {
  return chainId === everyChain ? "all chains" : chainId;
}

function rememberedResult(remembered: RememberedWithdrawal): Result {
  const { withdrawal, address, same } = remembered;
  const { id, owner, sendAmountRaw, deploymentId } = withdrawal;
  const amount = { amount_raw: sendAmountRaw, deployment_id: deploymentId };
  const said = fields([
    ["Remembered", "id", id],
    ["Merchant", "owner", ownerCell(owner.merchantId, owner.environment)],
    ["Amount", "amount", shown(amount, `${sendAmountRaw} of ${deploymentId}`)],
    ["To", "address", address],
    ["Status", "status", withdrawal.status],
    ...transactionFields(remembered),
  ]);
  return result([said, ...(same.length === 0 ? [] : [samePart(same)])]);
}

/** One transaction is one withdrawal: is it one of those? */
function samePart(same: RememberedWithdrawal["same"]): Part {
  return listing("same_waiting", same, [
    ["WAITS FOR AS MUCH TO THERE", "id", ({ id }) => id],
    ["MERCHANT", "merchant_id", ({ merchantId }) => merchantId],
    ["SINCE", "created_at", ({ createdAt }) => createdAt],
  ]);
}

function heldResult(what: string, { withdrawal, address }: HeldWithdrawal): Result {
  const { id, sendAmountRaw, deploymentId } = withdrawal;
  const amount = { amount_raw: sendAmountRaw, deployment_id: deploymentId };
  return result(
    fields([
      [what, "id", id],
      ["Amount", "amount", shown(amount, `${sendAmountRaw} of ${deploymentId}`)],
      ["To", "address", address],
    ]),
  );
}
