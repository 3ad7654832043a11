// The real rules of withdrawals on a real database, with a chain that only does what a test says.
// Several senders on it are like several processes.

import { sql } from "kysely";
import { Audit } from "../../service/audit/audit.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { fingerprintOf } from "../../service/idempotency/idempotency.ts";
import type { Finish, StoredAnswer } from "../../service/idempotency/idempotency.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import type { Owner } from "../../service/owner.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import type { Database } from "../../service/ports/database.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { ForgottenWithdrawals } from "../../service/withdrawals/forgotten.ts";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { withdrawalSending } from "../../service/withdrawals/sending.ts";
import { OutgoingConfirmer } from "../../service/sending/confirmer.ts";
import type { OnEnded } from "../../service/sending/confirmer.ts";
import type { OutgoingChain } from "../../service/sending/ports.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { putCatalog } from "../support/catalog.ts";
import { type Engine, openDatabase } from "../support/engines.ts";
import { addMerchant, buildServiceParts, query, TestClock } from "../support/service-parts.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { ScriptedActionSigner } from "../support/scripted-outgoing.ts";
import { addressOf } from "../support/scripted-signer.ts";
import type { Point } from "../support/dying.ts";

export const chainId = "eip155:84532";
export const usdc = {
  currencyId: "cur_usdc",
  deploymentId: "dep_usdc_base_sepolia",
  contractAddress: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
} as const;
export const coin = {
  currencyId: "cur_eth",
  deploymentId: "dep_eth_base_sepolia",
  contractAddress: null,
} as const;
/** of both, below a high value */
export const finalBlocks = 6;
/** In the smallest units of the token. */
export const whole = 1_000_000n;
const ether = 10n ** 18n;

export type Alarm = readonly [string, Readonly<Record<string, unknown>>];

export interface ProcessOptions {
  readonly reached?: (point: Point) => Promise<void>;
  readonly signer?: ActionSigner;
  /** in place of the scene's, for what is asked about what was sent */
  readonly chain?: Chain;
  readonly withdrawalGasUnitsMax?: bigint;
  /** in place of the scene's: one that is away at times */
  readonly database?: Database;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene(engine: Engine) {
  const database = await openDatabase(engine);
  const chain = new ScriptedChain({ chainId });
  const signer = new ScriptedActionSigner();
  const { hotAddress } = signer.accounts;
  chain.mint(hotAddress, null, 100n * ether);
  chain.mint(hotAddress, usdc.contractAddress, 1_000_000n * whole);
  return { ...(await openSceneOn(database, { chain, signer })), chain, signer, hotAddress };
}

/** The same with another chain, and whatever signs there. */
export async function openSceneOn(database: Database, { chain, signer }: OutgoingChain) {
  const clock = new TestClock();
  const parts = buildServiceParts(database, clock);
  await putCatalog(parts);
  const cursors = new Cursors(Buffer.alloc(32, 7), []);
  const catalog = new CatalogReader({ database, cursors });
  const alarms: Alarm[] = [];
  const rules = buildRules({ ...parts, clock });
  return {
    ...parts,
    ...rules,
    ...buildSteps({ ...parts, clock }, rules),
    clock,
    catalog,
    alarms,
    forgotten: new ForgottenWithdrawals({
      ...parts,
      catalog,
      chainOf: (id) => Promise.resolve(id === chain.chainId ? chain : undefined),
    }),
    /** one more process */
    startProcess: (options: ProcessOptions = {}) => {
      const { reached, signer: other = signer, database: own = database } = options;
      const alarm = (what: string, facts: Readonly<Record<string, unknown>>): void =>
        void alarms.push([what, facts]);
      const more = {
        ...parts,
        database: own,
        alarm,
        ...(reached === undefined ? {} : { reached }),
      };
      const { steps, onEnded, onImpossible } = withdrawalSending(more);
      const sender = new OutgoingSender({
        ...more,
        chains: [{ chain, signer: other }],
        steps: { withdrawal: steps },
        // Limits what x402 may cost, and nothing else.
        gasBudgetRaw: () => Promise.resolve(0n),
        merchantGasRaw: () => Promise.resolve(0n),
        onImpossible,
        withdrawalGasUnitsMax: options.withdrawalGasUnitsMax,
      });
      const confirmer = new OutgoingConfirmer({
        ...more,
        catalog,
        chains: [options.chain ?? chain],
        onEnded: { ...others, withdrawal: onEnded },
      });
      const [send] = sender.jobs();
      const [confirm] = confirmer.jobs();
      if (send === undefined || confirm === undefined) throw new Error("there is one chain");
      return { send: send.run, confirm: confirm.run };
    },
  };
}

const never: OnEnded = () => Promise.reject(new Error("only withdrawals are sent here"));
const others = {
  x402_settlement: never,
  x402_release: never,
  refund: never,
  sweep: never,
  sweep_gas: never,
  consolidation: never,
};

type Parts = ReturnType<typeof buildServiceParts> & { readonly clock: TestClock };

function buildRules(parts: Parts) {
  const coolingMilliseconds = { mainNetwork: 0, testNetwork: 0 };
  return {
    addresses: new WithdrawAddresses({ ...parts, coolingMilliseconds }),
    withdrawals: new Withdrawals(parts),
    policy: new WithdrawalPolicy(parts),
    ledger: new LedgerOperations(parts),
    audit: new Audit(parts),
  };
}

let made = 0;

function buildSteps(parts: Parts, rules: ReturnType<typeof buildRules>) {
  const { database, clock, idempotency } = parts;
  const once = async <Result>(
    owner: Owner,
    work: (finish: Finish<Result>) => Promise<void>,
  ): Promise<Result> => {
    made += 1;
    const request = { operationId: "test", environment: owner.environment, path: {}, body: null };
    const key = { ...owner, key: `key-${made}`, operationId: "test" };
    const keyed = { ...key, fingerprint: fingerprintOf(request) };
    let result: Result | undefined;
    await idempotency.run(keyed, { isSecret: false, earlier: undefined }, async (fence) => {
      const answer: StoredAnswer = { status: 200, body: "{}" };
      await work((given) => {
        result = given;
        return fence.finish(answer);
      });
      return answer;
    });
    if (result === undefined) throw new Error("the work gave nothing");
    return result;
  };
  const register = async (owner: Owner, address = addressOf(`shop ${++made}`)) =>
    once<{ id: string; address: string }>(owner, (finish) => {
      const more = { destinationType: "self_hosted", label: null, keyId: "mk_1" } as const;
      return rules.addresses.register(owner, { chainId, address, ...more }, finish);
    });
  return {
    once,
    register,
    newOwner: async (): Promise<Owner> => {
      made += 1;
      const merchantId = await addMerchant(database, `mer_${made}`);
      return { merchantId, environment: "test" };
    },
    /** What a deposit does: the chain has it, and the merchant may spend it. */
    fund: async (owner: Owner, amountRaw: bigint, asset: { deploymentId: string } = usdc) => {
      made += 1;
      const { deploymentId } = asset;
      const values = ledgerValues(parts, {
        kind: "test_deposit",
        reference: String(made),
        occurredAt: clock.now(),
        postings: [
          { account: "merchant:available", deploymentId, owner, amountRaw: -amountRaw },
          { account: "chain:hot", deploymentId, owner: null, amountRaw },
        ],
      });
      await database.run(postTransaction, values);
    },
    request: async (owner: Owner, addressId: string, wanted: string | Wanted) =>
      once<{ id: string }>(owner, (finish) => {
        const { amount, currencyId } =
          typeof wanted === "string" ? { amount: wanted, ...usdc } : wanted;
        const key = { keyId: "mk_1" };
        const command = { currencyId, chainId, amount, withdrawAddressId: addressId, ...key };
        return rules.withdrawals.request(owner, command, finish);
      }),
    cancel: async (owner: Owner, id: string) =>
      once<{ status: string }>(owner, (finish) => rules.withdrawals.cancel(owner, id, finish)),
    ...buildLooks(database, rules),
  };
}

interface Wanted {
  readonly amount: string;
  readonly currencyId: string;
}

type Asset = { readonly currencyId: string; readonly deploymentId: string };

function buildLooks(database: Database, rules: ReturnType<typeof buildRules>) {
  return {
    statusOf: async (id: string): Promise<string | undefined> => {
      const rows = await query(
        database,
        sql<{ status: string }>`select status from withdrawals where id = ${sql.lit(id)}`,
      );
      return rows[0]?.status;
    },
    ownerOf: async (id: string): Promise<Owner> => {
      const rows = await query(
        database,
        sql<{ merchant_id: string }>`select merchant_id from withdrawals where id = ${sql.lit(id)}`,
      );
      return { merchantId: rows[0]?.merchant_id ?? "", environment: "test" };
    },
    balance: async (owner: Owner, kind: string, asset: Asset = usdc): Promise<bigint> => {
      const rows = await query(
        database,
        sql<{ raw: string }>`select balance::text as raw from ledger_accounts
          where kind = ${sql.lit(kind)} and deployment_id = ${sql.lit(asset.deploymentId)}
            and merchant_id = ${sql.lit(owner.merchantId)}`,
      );
      return BigInt(rows[0]?.raw ?? 0);
    },
    eventsOf: async (id: string): Promise<readonly string[]> => {
      const rows = await query(
        database,
        sql<{ type: string }>`select type from events
          where resource_id = ${sql.lit(id)} order by sequence`,
      );
      return rows.map(({ type }) => type);
    },
    attempts: (id: string) =>
      query(
        database,
        sql<{ tx_hash: string; nonce: bigint; max_fee_per_gas: string }>`
          select a.tx_hash, n.nonce, a.max_fee_per_gas::text as max_fee_per_gas
          from outgoing_transactions o
          join outgoing_attempts a on a.outgoing_id = o.id
          join sender_nonces n on n.outgoing_id = o.id
          where o.purpose = 'withdrawal' and o.subject_id = ${sql.lit(id)} order by a.attempt`,
      ),
    nonces: async (): Promise<readonly bigint[]> => {
      const rows = await query(
        database,
        sql<{ nonce: bigint }>`select nonce from sender_nonces order by nonce`,
      );
      return rows.map(({ nonce }) => nonce);
    },
    isLedgerWhole: async (): Promise<boolean> =>
      (await rules.ledger.verify()).differencesCount === 0,
  };
}
