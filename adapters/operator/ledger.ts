// The operator's commands about the ledger, as text.

import { verdictLines } from "../../service/ledger/verifier.ts";
import type {
  Freeze,
  FundedAccount,
  Funding,
  LedgerOperations,
} from "../../service/ledger/operations.ts";
import { OperatorError } from "../../service/operator-error.ts";
import { table } from "./tables.ts";
import { type AdminAnswer, done } from "./words.ts";

export const ledgerUsage = `\
  ledger verify                      recomputes every balance from its postings; exit 1: one differs
  ledger balances [--merchant MERCHANT_ID]
                                     default: all merchants added up, and what is frozen
  ledger fund --deployment DEPLOYMENT_ID --amount AMOUNT
              [--account hot|settlement|treasury] [--reference TX_HASH]
                                     you have sent coins there (default: hot); a reference counts once
  ledger unfreeze --deployment DEPLOYMENT_ID
                                     withdrawals go on; until the next check, if the gap is still there
`;

/** Exit code 1: something differs. */
export async function verifyLedger(ledger: LedgerOperations): Promise<AdminAnswer> {
  const verdict = await ledger.verify();
  const output = verdictLines(verdict)
    .map((line) => `${line}\n`)
    .join("");
  return { exitCode: verdict.differencesCount === 0 ? 0 : 1, output, errors: "" };
}

export async function listBalances(
  ledger: LedgerOperations,
  merchantId: string | undefined,
): Promise<AdminAnswer> {
  const balances = await ledger.balances(merchantId ?? null);
  const isOfMerchant = merchantId !== undefined;
  const rows = balances.map((one) => [
    ...(isOfMerchant ? [one.environment ?? "-"] : []),
    one.deploymentId,
    one.account,
    one.raw.toString(),
    one.amount,
  ]);
  const heading = ["DEPLOYMENT", "ACCOUNT", "RAW", "AMOUNT"];
  const freezes = isOfMerchant ? [] : await ledger.freezes();
  return done(
    table([isOfMerchant ? ["ENVIRONMENT", ...heading] : heading, ...rows]) +
      freezes.map((freeze) => `${freezeText(freeze)}\n`).join(""),
  );
}

export async function fundLedger(
  ledger: LedgerOperations,
  { account, ...wanted }: Omit<Funding, "account"> & { readonly account: string | undefined },
): Promise<AdminAnswer> {
  const isKnown = account === undefined || isFundedAccount(account);
  if (!isKnown) throw new OperatorError("--account is hot, settlement or treasury.");
  const funding = { ...wanted, account };
  const id = await ledger.fund(funding);
  return done(
    `Funding     ${id}\nDeployment  ${funding.deploymentId}\nAmount      ${funding.amount}\n`,
  );
}

export async function unfreezeDeployment(
  ledger: LedgerOperations,
  deploymentId: string,
): Promise<AdminAnswer> {
  const freeze = await ledger.unfreeze(deploymentId);
  return done(
    `Withdrawals of ${deploymentId} go on. It was frozen since ${freeze.since.toISOString()}: ${freeze.reason}\n`,
  );
}

function isFundedAccount(account: string): account is FundedAccount {
  return account === "hot" || account === "settlement" || account === "treasury";
}

function freezeText({ deploymentId, since, reason }: Freeze): string {
  return `FROZEN      ${deploymentId} since ${since.toISOString()}: ${reason}`;
}
