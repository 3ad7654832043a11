// The real sender, confirmer and sweeps on a real database, with a chain that only does what a test
// says. Several senders on it are like several processes.

import { sql } from "kysely";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Currency } from "../../service/catalog/model.ts";
import { Cursors } from "../../service/cursor.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import type { Posting } from "../../service/ledger/model.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import { OutgoingConfirmer } from "../../service/sending/confirmer.ts";
import type { OnEnded, OutgoingOutcome } from "../../service/sending/confirmer.ts";
import { outgoingValues } from "../../service/sending/model.ts";
import type { OutgoingDraft } from "../../service/sending/model.ts";
import type { SendingObserver } from "../../service/ports/sending-observer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import type { EstimatingChain, Impossible } from "../../service/sending/ports.ts";
import type { Database } from "../../service/ports/database.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { queueOutgoing } from "../../service/sending/queue.sql.ts";
import { sweepEnds } from "../../service/sweeps/ends.ts";
import { Sweeps } from "../../service/sweeps/sweeps.ts";
import { catalogOf, putCatalog } from "../support/catalog.ts";
import { type Engine, openDatabase } from "../support/engines.ts";
import { buildServiceParts, query, TestClock } from "../support/service-parts.ts";
import type { OutgoingPurpose } from "../../service/database/words.ts";
import type { SweepConfiguration } from "../../service/sweeps/routes.ts";
import { ScriptedActionSigner, ScriptedOutgoingChain } from "../support/scripted-outgoing.ts";
import { addressOf } from "../support/scripted-signer.ts";
import type { Point } from "../support/dying.ts";

export const chainId = "eip155:84532";
export const usdc = {
  deploymentId: "dep_usdc_base_sepolia",
  contractAddress: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
} as const;
export const coin = { deploymentId: "dep_eth_base_sepolia", contractAddress: null } as const;
/** of both, below a high value */
export const finalBlocks = 6;
/** In the smallest units of the token. */
export const whole = 1_000_000n;
export const ether = 10n ** 18n;

export type Alarm = readonly [string, Readonly<Record<string, unknown>>];

export interface ProcessOptions {
  readonly observer?: SendingObserver;
  readonly reached?: (point: Point) => Promise<void>;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(engine: Engine) {
  const database = await openDatabase(engine);
  const chain = new ScriptedOutgoingChain({ chainId });
  const signer = new ScriptedActionSigner();
  const { settlementAddress } = signer.accounts;
  chain.mint(settlementAddress, null, 100n * ether);
  chain.mint(settlementAddress, usdc.contractAddress, 1_000n * whole);
  const scene = await openSceneOn(database, { chain, signer });
  return { ...scene, chain, signer };
}

/** The same with another chain, and whatever signs there. */
export async function openSceneOn(
  database: Database,
  sending: EstimatingChain,
  currencies: readonly Currency[] = catalogOf(),
) {
  const clock = new TestClock();
  const parts = buildServiceParts(database, clock);
  await putCatalog(parts, currencies);
  const catalog = new CatalogReader({ database, cursors: new Cursors(Buffer.alloc(32, 7), []) });
  const ledger = new LedgerOperations(parts);
  const base: Base = { ...parts, clock, catalog, ledger, ...buildNotes() };
  return {
    ...base,
    ...buildLooks(database, ledger),
    post: async (postings: readonly Posting[]) => {
      made += 1;
      const transaction = {
        kind: "test",
        reference: String(made),
        occurredAt: clock.now(),
        postings,
      };
      await database.run(postTransaction, ledgerValues(parts, transaction));
    },
    queue: (draft: Partial<OutgoingDraft> = {}) =>
      queueTransfer({ ...parts, clock }, { ...settlementDraft(sending), ...draft }),
    /** one more process */
    startProcess: (options: ProcessOptions = {}) => startProcess(base, sending, options),
  };
}

/** What a test reads, and what it decides. */
function buildNotes() {
  const alarms: Alarm[] = [];
  const ended: OutgoingOutcome[] = [];
  const impossible: Impossible[] = [];
  const sweeping: { configuration: SweepConfiguration } = {
    configuration: {
      treasuryAddress: null,
      floatRawMax: () => Promise.resolve(null),
      minimumRaw: () => null,
    },
  };
  const budget: { raw: bigint | null } = { raw: null };
  return { alarms, ended, impossible, sweeping, budget };
}

type Parts = ReturnType<typeof buildServiceParts> & { readonly clock: TestClock };

interface Base extends Parts, ReturnType<typeof buildNotes> {
  readonly catalog: CatalogReader;
  readonly ledger: LedgerOperations;
}

function startProcess(base: Base, sending: EstimatingChain, options: ProcessOptions) {
  const alarm = (what: string, facts: Readonly<Record<string, unknown>>): void =>
    void base.alarms.push([what, facts]);
  const more = { ...base, alarm, ...options };
  const ends = sweepEnds(more);
  const noted: OnEnded = (_, outcome) => Promise.resolve(void base.ended.push(outcome));
  const onEnded: Record<OutgoingPurpose, OnEnded> = {
    withdrawal: noted,
    x402_settlement: noted,
    x402_release: noted,
    refund: noted,
    ...ends.onEnded,
  };
  const sender = new OutgoingSender({
    ...more,
    chains: [sending],
    steps: {},
    gasBudgetRaw: () => Promise.resolve(base.budget.raw),
    merchantGasRaw: () => Promise.resolve(null),
    onImpossible: async (found) => {
      base.impossible.push(found);
      if (!found.purpose.startsWith("x402")) await ends.onImpossible(found);
    },
  });
  const confirmer = new OutgoingConfirmer({ ...more, onEnded, chains: [sending.chain] });
  const configuration = () => base.sweeping.configuration;
  const sweeps = new Sweeps({ ...more, configuration, chains: [sending] });
  const [send] = sender.jobs();
  const [confirm] = confirmer.jobs();
  const [sweep] = sweeps.jobs();
  if (send === undefined || confirm === undefined || sweep === undefined) {
    throw new Error("there is one chain");
  }
  const sendNow = (account: string) => sender.sendNow(sending.chain.chainId, account);
  return { send: send.run, confirm: confirm.run, sweep: sweep.run, sendNow };
}

let made = 0;

function settlementDraft({ chain, signer }: EstimatingChain): OutgoingDraft {
  made += 1;
  return {
    chainId: chain.chainId,
    account: signer.accounts.settlementAddress,
    signsAs: { role: "settlement" },
    purpose: "x402_release",
    subjectId: `subject_${made}`,
    deploymentId: usdc.deploymentId,
    action: {
      kind: "transfer",
      to: addressOf(`a payer ${made}`),
      contractAddress: usdc.contractAddress,
      amountRaw: whole,
    },
  };
}

async function queueTransfer(parts: Parts, draft: OutgoingDraft) {
  const values = outgoingValues(parts, draft);
  await parts.database.run(queueOutgoing, values);
  const { action, purpose, subjectId } = draft;
  const to = action.kind === "transfer" ? action.to : "";
  return { id: values.outgoingId, to, purpose, subjectId };
}

function buildLooks(database: Database, ledger: LedgerOperations) {
  const one = async (statement: ReturnType<typeof sql<{ value: string }>>) =>
    (await query(database, statement))[0]?.value;
  return {
    statusOf: (id: string) =>
      one(sql`select status as value from outgoing_transactions where id = ${sql.lit(id)}`),
    problemOf: (id: string) =>
      one(sql`select last_problem as value from outgoing_transactions where id = ${sql.lit(id)}`),
    attempts: (id: string) =>
      query(
        database,
        sql<{ tx_hash: string; max_fee_per_gas: string }>`
          select tx_hash, max_fee_per_gas::text as max_fee_per_gas from outgoing_attempts
          where outgoing_id = ${sql.lit(id)} order by attempt`,
      ),
    nonces: async (account?: string): Promise<readonly bigint[]> => {
      const rows = await query(
        database,
        sql<{ nonce: bigint; account: string }>`
          select nonce, account from sender_nonces order by nonce`,
      );
      const own = rows.filter((row) => account === undefined || row.account === account);
      return own.map(({ nonce }) => nonce);
    },
    balance: async (account: string, deploymentId: string = usdc.deploymentId) => {
      const all = await ledger.balances(null);
      const found = all.find((row) => row.account === account && row.deploymentId === deploymentId);
      return found?.raw ?? 0n;
    },
    isLedgerWhole: async (): Promise<boolean> => (await ledger.verify()).differencesCount === 0,
  };
}
