// The operator's commands about withdrawals and the addresses they go to, as text.

import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { everyChain } from "../../service/withdrawals/policy.ts";
import type { HeldWithdrawal, WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { table } from "./tables.ts";
import { type Command, command, oneOf, optional, place, text } from "./words.ts";

export interface WithdrawalOperator {
  readonly withdrawalPolicy: WithdrawalPolicy;
  readonly withdrawAddresses: WithdrawAddresses;
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
    run: async ({ withdrawal: id }, { withdrawalPolicy }: WithdrawalOperator) =>
      heldText("Approved", await withdrawalPolicy.approve(id)),
  }),
  command("withdrawal reject", {
    says: "any that is pending",
    words: { withdrawal, reason },
    run: async ({ withdrawal: id, reason: why }, { withdrawalPolicy }: WithdrawalOperator) =>
      heldText("Rejected", await withdrawalPolicy.reject(id, why)),
  }),
  command("withdrawal decide", {
    says:
      "what became of one whose transaction moved something else than was asked for (alarm " +
      "unclear_transfer)",
    words: { withdrawal, as: oneOf(["confirmed", "failed"]), reason },
    run: async (given, { withdrawalPolicy }: WithdrawalOperator) => {
      const { withdrawal: id, as: decidedAs, reason: why } = given;
      return heldText("Decided ", await withdrawalPolicy.decide(id, decidedAs, why));
    },
  }),
  command("withdrawal limit", {
    says: "above which a withdrawal waits; one left out: no such limit",
    words: { deployment, single: optional(text("AMOUNT")), daily: optional(text("AMOUNT")) },
    run: setLimits,
  }),
  command("withdrawal stop", {
    says: "nothing more is signed; default: on any chain",
    words: { reason, chain },
    run: async ({ reason: why, chain: chainId = everyChain }, operator: WithdrawalOperator) => {
      await operator.withdrawalPolicy.stop(chainId, why);
      return `Withdrawals are stopped on ${chainText(chainId)}.\n`;
    },
  }),
  command("withdrawal resume", {
    words: { chain },
    run: async ({ chain: chainId = everyChain }, operator: WithdrawalOperator) => {
      await operator.withdrawalPolicy.resume(chainId);
      return `Withdrawals go on on ${chainText(chainId)}.\n`;
    },
  }),
  command("fee set", {
    says: "what a withdrawal costs from now on, such as 0.5",
    words: { deployment, amount: text("AMOUNT") },
    run: async ({ deployment: id, amount }, { withdrawalPolicy }: WithdrawalOperator) => {
      const { version } = await withdrawalPolicy.setFee(id, amount);
      return `Deployment  ${id}\nFee         ${amount}\nVersion     ${version}\n`;
    },
  }),
  command("withdraw-address disable", {
    says: "for good",
    words: { address: place("WITHDRAW_ADDRESS_ID") },
    run: async ({ address }, { withdrawAddresses }: WithdrawalOperator) => {
      const { disabledAt } = await withdrawAddresses.disable(address);
      return `${address} is disabled since ${disabledAt?.toISOString() ?? "now"}.\n`;
    },
  }),
];

async function listHeld(_: unknown, { withdrawalPolicy }: WithdrawalOperator): Promise<string> {
  const rows = (await withdrawalPolicy.held()).map((held) => [
    held.withdrawal.id,
    held.withdrawal.owner.merchantId,
    held.withdrawal.owner.environment,
    held.withdrawal.deploymentId,
    held.withdrawal.sendAmountRaw.toString(),
    held.because ?? "-",
    held.createdAt.toISOString(),
    held.address,
  ]);
  const heading = ["WITHDRAWAL", "MERCHANT", "ENVIRONMENT", "DEPLOYMENT", "RAW", "BECAUSE"];
  return table([[...heading, "SINCE", "TO"], ...rows]);
}

async function setLimits(
  given: Readonly<Record<"single" | "daily", string | undefined>> & {
    readonly deployment: string;
  },
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  const limits = { single: given.single ?? null, daily: given.daily ?? null };
  await withdrawalPolicy.setLimits(given.deployment, limits);
  const lines = [
    `Deployment  ${given.deployment}`,
    `Single      ${limits.single ?? "no limit"}`,
    `Daily       ${limits.daily ?? "no limit"}`,
  ];
  return `${lines.join("\n")}\n`;
}

function chainText(chainId: string): string {
  return chainId === everyChain ? "all chains" : chainId;
}

function heldText(what: string, { withdrawal, address }: HeldWithdrawal): string {
  const { id, sendAmountRaw, deploymentId } = withdrawal;
  return `${what}    ${id}\nAmount      ${sendAmountRaw} of ${deploymentId}\nTo          ${address}\n`;
}
