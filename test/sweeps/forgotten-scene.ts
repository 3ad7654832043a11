// A service whose database was put back to a moment before sweeps were sent: the chain has them, the books do not.

import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { sql } from "kysely";
import { buildChainOperator } from "../../adapters/assembly/operator.ts";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import type { Database } from "../../service/ports/database.ts";
import type { StoredAction } from "../../service/database/tables/outgoing.ts";
import { actionOf } from "../../service/sending/model.ts";
import { ForgottenSweeps } from "../../service/sweeps/forgotten.ts";
import { UndecidedSends } from "../../service/sweeps/undecided.ts";
import type { ChainAction, SigningAccount } from "../../service/ports/signer.ts";
import { openCheck } from "../ledger/account-scene.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, finalBlocks, usdc, whole } from "../sending/scene.ts";
import type { Engine } from "../support/engines.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";

export const reason = "found in the log of the signer";
const gwei = 1_000_000_000n;

export type ForgottenScene = Awaited<ReturnType<typeof openForgotten>>;

export async function openForgotten(engine: Engine) {
  const check = await openCheck(engine);
  const { database, chain, clock, signer, hot } = check;
  await query(database, sql`update capabilities set status = 'supported' where key = 'eip3009'`);
  // What the settlement account has stays there, as somebody's.
  const at = { deploymentId: usdc.deploymentId, owner: null };
  await check.post([
    { ...at, account: "platform:capital", amountRaw: 1_000n * whole },
    { ...at, account: "payer:unmatched", amountRaw: -1_000n * whole },
  ]);
  chain.mine(3);
  let authorizations = 0;

  const read = async (): Promise<void> => {
    await check.read();
    const { number } = await chain.head();
    await query(database, sql.raw(`update chain_cursors set block_number = ${number}`));
  };

  /** Signed by the process that is lost, and mined. Gives the hash. */
  const sendForgotten = async (
    account: SigningAccount,
    action: ChainAction,
    more: { readonly nonce?: bigint; readonly maxFeePerGas?: bigint } = {},
  ): Promise<string> => {
    const fees = { maxFeePerGas: more.maxFeePerGas ?? 90n * gwei, maxPriorityFeePerGas: 3n * gwei };
    const nonce = more.nonce ?? (await chain.minedCount(signer.addressOf(account)));
    const intent = { account, nonce, action, gasUnitsMax: 100_000n, fees };
    const { raw, txHash } = await signer.signAction(chainId, intent);
    await chain.send(raw);
    chain.mine();
    await read();
    return txHash;
  };

  /** A deposit that the chain has, and the ledger too. */
  const arrived = async (
    index: bigint,
    { of = usdc, amountRaw = 100n * whole, block = 1n }: ArrivedWish = {},
  ): Promise<string> => {
    const address = addressOf(`deposit ${index}`);
    const { deploymentId, contractAddress } = of;
    chain.mint(address, contractAddress, amountRaw);
    const hash = await bookDeposit(check, { chainId, deploymentId, address, index, amountRaw });
    const values = `block_number = ${block}`;
    await query(database, sql.raw(`update deposits set ${values} where tx_hash = '${hash}'`));
    return address;
  };

  /** Of the one transaction that waits. */
  const queuedAction = async (): Promise<ChainAction> => {
    const rows = await query(
      database,
      sql<{ action: StoredAction }>`select action from outgoing_transactions
        where status = 'queued'`,
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error("not one transaction waits");
    return actionOf(row.action);
  };

  const sweeps = () =>
    query(
      database,
      sql<{ id: string; kind: string; status: string; method: string; target: string }>`
        select id, kind, status, method, target from sweeps order by created_at, id`,
    );

  const build = (inside: Database): Operator => {
    const catalog = new CatalogReader({
      database: inside,
      cursors: new Cursors(Buffer.alloc(32, 7), []),
    });
    const parts = {
      ...check,
      database: inside,
      catalog,
      chains: [chain],
      alarm: () => undefined,
    };
    return { ...buildChainOperator(parts), rehearse: rehearsing(inside, build) } as Operator;
  };

  return {
    ...check,
    read,
    sendForgotten,
    arrived,
    queuedAction,
    sweeps,
    /** any command about chains */
    run: (...words: readonly string[]) => runAdmin({ words }, build(database)),
    /** `chain remember`, with more words */
    admin: (txHash: string, ...more: readonly string[]) => {
      const said = ["chain", "remember", chainId, "--transaction", txHash, "--reason", reason];
      return runAdmin({ words: [...said, ...more] }, build(database));
    },
    undecided: new UndecidedSends({
      ...check,
      chainOf: (id) => Promise.resolve(id === chainId ? chain : undefined),
    }),
    forgotten: new ForgottenSweeps({
      ...check,
      chainOf: (id) => Promise.resolve(id === chainId ? chain : undefined),
    }),
    collect: (index: bigint, amountRaw = 100n * whole, to = hot): ChainAction => {
      authorizations += 1;
      return {
        kind: "collect",
        index,
        domain: { name: "USDC", version: "2" },
        authorization: {
          method: "eip3009",
          contractAddress: usdc.contractAddress,
          from: addressOf(`deposit ${index}`),
          to,
          amountRaw,
          validAfter: 0n,
          validBefore: BigInt(Math.floor(clock.nowMilliseconds() / 1_000)) + 604_800n,
          nonce: hashOf(`authorization ${authorizations}`),
        },
      };
    },
    /** A sweep is under way whose transaction the chain will never have. Gives what it was to do. */
    sweepUnderWay: async () => {
      await arrived(1n);
      const process = check.startProcess();
      await process.sweep();
      const action = await queuedAction();
      await process.send();
      chain.dropPool();
      const [sweep] = await sweeps();
      return { action, id: sweep?.id ?? "", process };
    },
    /** What was remembered becomes final; sweeps and what is queued go on. */
    settle: async (process = check.startProcess()): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        await process.sweep();
        await process.send();
        chain.mine(finalBlocks);
        clock.advance(20_000);
        await process.confirm();
      }
      await read();
    },
    /** As an operator does who has looked. */
    resume: () => query(database, sql`delete from withdrawal_stops`),
    /** As if the blocks after this one were to be read again. */
    unread: (number: bigint) =>
      query(database, sql.raw(`update chain_cursors set block_number = ${number}`)),
    setDeposits: (values: string) => query(database, sql.raw(`update deposits set ${values}`)),
    /** All that a command could have written. */
    contents: () =>
      query(
        database,
        sql`select (select json_agg(s order by id) from sweeps s) as sweeps,
          (select json_agg(d order by tx_hash) from deposits d) as deposits,
          (select json_agg(o order by id) from outgoing_transactions o) as outgoing,
          (select json_agg(a order by tx_hash) from outgoing_attempts a) as attempts,
          (select json_agg(s order by account) from sender_accounts s) as accounts,
          (select count(*) from sender_nonces) as nonces,
          (select count(*) from audit_entries) as entries,
          (select count(*) from ledger_postings) as postings`,
      ),
  };
}

interface ArrivedWish {
  readonly of?: { readonly deploymentId: string; readonly contractAddress: string | null };
  readonly amountRaw?: bigint;
  readonly block?: bigint;
}
