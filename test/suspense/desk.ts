// An operator's terminal beside the stage of x402: a real chain, and what waits there for a decision.

import { encodeFunctionData } from "viem";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import type { SuspenseOperator } from "../../adapters/operator/suspense.ts";
import { Audit } from "../../service/audit/audit.ts";
import type { AccountKind } from "../../service/database/words.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import type { Database } from "../../service/ports/database.ts";
import { Debts } from "../../service/suspense/debts.ts";
import { ForgottenRefunds } from "../../service/suspense/forgotten.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { query } from "../support/service-parts.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { authorize, payer } from "../x402/payers.ts";
import { deploymentId, merchant, price, settleDown } from "../x402/scene.ts";
import { finalize, local, scene, shop } from "../x402/stage.ts";
import { submit } from "../x402/strangers.ts";

/** Of the scene that stands now. */
export async function openDesk() {
  const { clock } = scene;
  const { hotAddress } = scene.signer.accounts;
  await rememberOwnAccounts(scene, [
    { account: hotAddress, role: "hot" },
    { account: settlementAddress, role: "settlement" },
  ]);
  // The commands of suspense touch nothing else.
  const build = (database: Database): Operator => {
    const parts = { ...scene, database };
    const progress = new PaymentProgress(parts);
    const suspense = new Suspense({ ...parts, progress });
    const chainOf = (id: string) =>
      Promise.resolve(id === scene.chain.chainId ? scene.chain : undefined);
    const forgottenRefunds = new ForgottenRefunds({ ...parts, chainOf });
    const debts = new Debts(parts);
    const own: Omit<SuspenseOperator, "rehearse"> = { suspense, debts, forgottenRefunds, clock };
    return { ...own, rehearse: rehearsing(database, build) } as Operator;
  };
  const operator = build(scene.database);
  const { suspense, debts } = operator;
  return {
    suspense,
    debts,
    /** As a shell would split it. */
    admin: (line: string) => {
      const words = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
      return runAdmin({ words }, operator);
    },
    /** What is in the audit log of it, the oldest first. */
    audited: async () => {
      const entries = await new Audit(scene).list({ after: 0n, limit: 50 });
      return entries
        .filter(({ action }) => /^(?:suspense|debt)\./.test(action))
        .map(({ action, actor, details }) => ({
          action,
          actor,
          details: JSON.parse(details) as Readonly<Record<string, unknown>>,
        }));
    },
  };
}

/** Tokens of nobody at the settlement account, final and booked. @returns the name of the item */
export async function strayItem(amountRaw: bigint = price): Promise<string> {
  await local.transfer({ from: payer.address, to: settlementAddress, amountRaw });
  await scene.mine(4);
  await scene.watch();
  await shop.match();
  return onlyItem();
}

/** A payment that was cancelled while its coins were in the pool. */
export async function cancelledPayment(splitBps?: number) {
  const id = await scene.addPayment(splitBps === undefined ? {} : { splitBps });
  const command = await authorize(scene, id, { nonce: await nonceOf(id) });
  await query(scene.database)`update payments set status = 'cancelled', version = version + 1
    where id = ${id}`;
  await submit(command);
  await scene.mine();
  await settleDown(scene, shop);
  return { id, item: await onlyItem() };
}

/** Whether the token lets its payer have anything. */
export async function setBlocked(isBlocked: boolean): Promise<void> {
  const data = encodeFunctionData({
    abi: local.abiOf("TestUSD"),
    functionName: "setBlocked",
    args: [payer.address, isBlocked],
  });
  const gas = { gas: "0x30d40", gasPrice: "0x174876e800" };
  await local.rpc("eth_sendTransaction", [
    { from: local.ownerAddress, to: local.usdAddress, data, ...gas },
  ]);
}

/** Of 1.25 used of the price, and the token does not let its payer have the rest. */
export async function failedRelease(block: () => Promise<void>) {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  await finalize();
  await block();
  await scene.mine();
  await shop.send();
  return { id, item: await onlyItem() };
}

async function nonceOf(id: string): Promise<string> {
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  const [offer] = await shop.x402.paymentRequirements(paymentOf(row));
  if (offer === undefined) throw new Error("x402 cannot pay it");
  return offer.nonce;
}

export async function onlyItem(): Promise<string> {
  const [item, ...others] = await new Suspense(scene).list();
  if (item === undefined || others.length > 0) throw new Error("not one item waits");
  return item.id;
}

/** What is sent is sent, mined and final. */
export async function sendDown(): Promise<void> {
  await shop.send();
  await scene.mine(6);
  await shop.confirm();
}

/** What the merchant asks to be paid out. */
export function spend(amountRaw: bigint): Promise<void> {
  return post("merchant:available", "merchant:withdrawing", amountRaw);
}

/** What a reorganisation has left it owing. */
export function owe(amountRaw: bigint): Promise<void> {
  return post("merchant:debt", "merchant:withdrawing", amountRaw);
}

async function post(debited: AccountKind, credited: AccountKind, amountRaw: bigint): Promise<void> {
  const of = { deploymentId, owner: merchant };
  await scene.database.run(
    postTransaction,
    ledgerValues(scene, {
      kind: "test",
      reference: scene.identifiers.next("ltx"),
      occurredAt: scene.clock.now(),
      postings: [
        { ...of, account: debited, amountRaw },
        { ...of, account: credited, amountRaw: -amountRaw },
      ],
    }),
  );
}
