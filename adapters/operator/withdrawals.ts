// The operator's commands about withdrawals and the addresses they go to, as text.

import { OperatorError } from "../../service/operator-error.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { everyChain } from "../../service/withdrawals/policy.ts";
import type { HeldWithdrawal, WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { table } from "./tables.ts";

export interface WithdrawalOperator {
  readonly withdrawalPolicy: WithdrawalPolicy;
  readonly withdrawAddresses: WithdrawAddresses;
}

export const withdrawalUsage = `  withdrawal held                    those above a limit, which wait for one of the next two
  withdrawal approve WITHDRAWAL_ID
  withdrawal reject WITHDRAWAL_ID --reason TEXT     any that is pending
  withdrawal decide WITHDRAWAL_ID --as confirmed|failed --reason TEXT
                                     what became of one whose transaction moved something else
                                     than was asked for (alarm unclear_transfer)
  withdrawal limit --deployment DEPLOYMENT_ID [--single AMOUNT] [--daily AMOUNT]
                                     above which a withdrawal waits; one left out: no such limit
  withdrawal stop --reason TEXT [--chain CHAIN_ID]  nothing more is signed; default: on any chain
  withdrawal resume [--chain CHAIN_ID]
  fee set --deployment DEPLOYMENT_ID --amount AMOUNT
                                     what a withdrawal costs from now on, such as 0.5
  withdraw-address disable WITHDRAW_ADDRESS_ID      for good`;

export const withdrawalOptions = {
  reason: { type: "string" },
  chain: { type: "string" },
  as: { type: "string" },
  single: { type: "string" },
  daily: { type: "string" },
} as const;

interface Words {
  readonly values: {
    readonly reason?: string | undefined;
    readonly chain?: string | undefined;
    readonly as?: string | undefined;
    readonly single?: string | undefined;
    readonly daily?: string | undefined;
    readonly deployment?: string | undefined;
    readonly amount?: string | undefined;
  };
  readonly places: readonly string[];
}

interface WithdrawalCommand {
  readonly run: (words: Words, operator: WithdrawalOperator) => Promise<string>;
  readonly takes: readonly (keyof Words["values"])[];
  readonly places: readonly string[];
}

export const withdrawalCommands: readonly (readonly [string, WithdrawalCommand])[] = [
  ["withdrawal held", { run: listHeld, takes: [], places: [] }],
  ["withdrawal approve", { run: approve, takes: [], places: ["WITHDRAWAL_ID"] }],
  ["withdrawal reject", { run: reject, takes: ["reason"], places: ["WITHDRAWAL_ID"] }],
  ["withdrawal decide", { run: decide, takes: ["as", "reason"], places: ["WITHDRAWAL_ID"] }],
  ["withdrawal limit", { run: setLimits, takes: ["deployment", "single", "daily"], places: [] }],
  ["withdrawal stop", { run: stop, takes: ["reason", "chain"], places: [] }],
  ["withdrawal resume", { run: resume, takes: ["chain"], places: [] }],
  ["fee set", { run: setFee, takes: ["deployment", "amount"], places: [] }],
  ["withdraw-address disable", { run: disableAddress, takes: [], places: ["WITHDRAW_ADDRESS_ID"] }],
];

async function listHeld(_: Words, { withdrawalPolicy }: WithdrawalOperator): Promise<string> {
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

async function approve(
  { places: [id = ""] }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  return heldText("Approved", await withdrawalPolicy.approve(id));
}

async function reject(
  { values, places: [id = ""] }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  return heldText("Rejected", await withdrawalPolicy.reject(id, given(values.reason, "reason")));
}

async function decide(
  { values, places: [id = ""] }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  const { as: decidedAs } = values;
  if (decidedAs !== "confirmed" && decidedAs !== "failed") {
    throw new OperatorError("--as is confirmed or failed.");
  }
  const reason = given(values.reason, "reason");
  return heldText("Decided ", await withdrawalPolicy.decide(id, decidedAs, reason));
}

async function setLimits(
  { values }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  const deploymentId = given(values.deployment, "deployment");
  const limits = { single: values.single ?? null, daily: values.daily ?? null };
  await withdrawalPolicy.setLimits(deploymentId, limits);
  return `Deployment  ${deploymentId}\nSingle      ${limits.single ?? "no limit"}\nDaily       ${limits.daily ?? "no limit"}\n`;
}

async function stop({ values }: Words, { withdrawalPolicy }: WithdrawalOperator): Promise<string> {
  const chainId = values.chain ?? everyChain;
  await withdrawalPolicy.stop(chainId, given(values.reason, "reason"));
  return `Withdrawals are stopped on ${chainText(chainId)}.\n`;
}

async function resume(
  { values }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  const chainId = values.chain ?? everyChain;
  await withdrawalPolicy.resume(chainId);
  return `Withdrawals go on on ${chainText(chainId)}.\n`;
}

async function setFee(
  { values }: Words,
  { withdrawalPolicy }: WithdrawalOperator,
): Promise<string> {
  const deploymentId = given(values.deployment, "deployment");
  const amount = given(values.amount, "amount");
  const { version } = await withdrawalPolicy.setFee(deploymentId, amount);
  return `Deployment  ${deploymentId}\nFee         ${amount}\nVersion     ${version}\n`;
}

async function disableAddress(
  { places: [id = ""] }: Words,
  { withdrawAddresses }: WithdrawalOperator,
): Promise<string> {
  const { disabledAt } = await withdrawAddresses.disable(id);
  return `${id} is disabled since ${disabledAt?.toISOString() ?? "now"}.\n`;
}

function chainText(chainId: string): string {
  return chainId === everyChain ? "all chains" : chainId;
}

function heldText(what: string, { withdrawal, address }: HeldWithdrawal): string {
  const { id, sendAmountRaw, deploymentId } = withdrawal;
  return `${what}    ${id}\nAmount      ${sendAmountRaw} of ${deploymentId}\nTo          ${address}\n`;
}

function given(value: string | undefined, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new OperatorError(`--${name} is missing.`);
}
