// An operator decides about money that waits: gives it to whom it belongs, sends it back, or writes it off.
// Whatever happens meanwhile, what is in suspense by the books is what waits there, and what was sent back
// was sent once.

import { OperatorError } from "../../service/operator-error.ts";
import { CheckViolation } from "../../service/ports/database.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import type { SuspenseItem } from "../../service/suspense/items.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { addressOf } from "../support/scripted-signer.ts";
import type { World } from "./world.ts";

const evidence = "a simulated ticket";

/** Of what waits, any; now and then the same one is decided about twice. */
export async function decideSuspense(world: World): Promise<void> {
  const { dice } = world;
  const worker = world.anyWorker();
  worker.life.destine(undefined);
  const item = dice.pickIfAny(await worker.suspense.list());
  if (item !== undefined) await decide(world, item);
  if (item !== undefined && dice.chance(0.3)) await decide(world, item);
  const exit = dice.pickIfAny(await worker.suspense.waiting());
  if (exit === undefined || !dice.chance(0.1)) return;
  await refusable(world, "cancel", () => worker.suspense.cancel(exit.id, evidence));
}

async function decide(world: World, item: SuspenseItem): Promise<void> {
  const { dice } = world;
  const worker = world.anyWorker();
  const way = dice.pick(["return", "return", "credit", "accept", "write off"] as const);
  const wish = { item: item.id, evidence };
  const rehearse = rehearsing(worker.database, (database) => {
    const parts = { ...worker, database };
    return new Suspense({ ...parts, progress: new PaymentProgress(parts) });
  });
  const isTried = dice.chance(0.2);
  const go = async (suspense: Suspense) => {
    if (way === "return") {
      // A payer's own address, that nothing else is ever sent to.
      const address = addressOf(`refund of ${item.id}`);
      await suspense.sendBack({ ...wish, address });
    }
    if (way === "write off") await suspense.writeOff(wish);
    const owner = item.owner ?? dice.pick(world.owners);
    if (way === "credit") await suspense.credit({ ...wish, owner });
    // What strangers brought is looked at by who has signed for it.
    const { paymentId } = item;
    if (way === "accept" && paymentId !== null) await suspense.accept({ ...wish, paymentId });
  };
  await refusable(world, way, () => (isTried ? rehearse(go) : go(worker.suspense)));
}

async function refusable(world: World, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await world.insist(work);
    world.note("suspense", what);
  } catch (error) {
    if (error instanceof CheckViolation) {
      world.complain(`${what}: more leaves suspense than is there (${error.constraint})`);
    } else if (!(error instanceof OperatorError)) throw error;
    world.note("suspense", "refused");
  }
}

/** At any time. */
export async function checkSuspense(world: World): Promise<void> {
  const rows = await world.rows<{
    deployment_id: string;
    what: string;
    booked: string;
    waits: string;
  }>(
    `select m.id as deployment_id, kind.what, (
        select coalesce(sum(balance), 0)::text from ledger_accounts a
        where a.deployment_id = m.id and a.kind = any(kind.accounts)) as booked,
      case kind.what
        when 'suspense' then (select coalesce(sum(unmatched_raw), 0)::text from deposits d
          where d.deployment_id = m.id and d.bookings > d.reversals and d.suspense_exit_id is null)
        else (select coalesce(sum(amount_raw), 0)::text from suspense_exits e
          where e.deployment_id = m.id and e.status = 'waiting')
      end as waits
    from deployments m, (values
      ('suspense', array['merchant:unmatched', 'payer:unmatched']),
      ('sending back', array['payer:refunding'])) as kind (what, accounts)`,
  );
  for (const { deployment_id: id, what, booked, waits } of rows) {
    if (booked !== waits)
      world.complain(`${id}: ${booked} in ${what} by the books, ${waits} waits`);
  }
}

interface ExitRow {
  readonly id: string;
  readonly chain_id: string;
  readonly address: string;
  readonly raw: string;
  readonly status: string;
}

/** When all is final: each that is done has arrived, and nothing else has. */
export async function checkRefunds(world: World): Promise<void> {
  const exits = await world.rows<ExitRow>(
    `select id, chain_id, address, amount_raw::text as raw, status from suspense_exits
      where way = 'sent_back' order by id`,
  );
  const places = new Set(exits.map(({ chain_id: chainId, address }) => `${chainId} ${address}`));
  for (const place of places) {
    const [chainId = "", address = ""] = place.split(" ");
    const here = exits.filter((one) => one.chain_id === chainId && one.address === address);
    const one = world.chains.find(({ chain }) => chain.chainId === chainId);
    const arrived = (one?.chain.transfersTo(address) ?? []).map(({ amountRaw }) => `${amountRaw}`);
    const done = here.filter(({ status }) => status === "done").map(({ raw }) => raw);
    if (arrived.toSorted().join() !== done.toSorted().join()) {
      world.complain(`${address} got back ${arrived.join()}, and the books say ${done.join()}`);
    }
  }
  const waiting = exits.filter(({ status }) => status === "waiting");
  for (const { id } of waiting) world.complain(`${id} is still to be sent back`);
}
