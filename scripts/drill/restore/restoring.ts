// The second half of a drill: the database is put back to the moment, the service starts on it, merchants ask again for
// what they have no answer for or lost, an operator decides, and the load goes on.

import { setTimeout as pause } from "node:timers/promises";
import { Load } from "../../cluster/load.ts";
import type { Order, Withdrawal } from "../../cluster/load.ts";
import { Part, waitUntil } from "../../cluster/parts.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { Wallet } from "../../demo/wallet.ts";
import { Customers } from "./customers.ts";
import { decisionsOn } from "./deciding.ts";
import type { Command, Decision, Found } from "./deciding.ts";
import { typed } from "./deciding.ts";
import { findPending, findSent, findStrays, transfers } from "./finding.ts";
import { addressFaults, moneyFaults, unfoundSent, withdrawalFaults } from "./judging.ts";
import { moment } from "./losing.ts";
import type { Lost } from "./losing.ts";
import { archivedCount, restore, urlOf } from "./postgres.ts";
import { booksFaults, readBooked, readKept, readSigned } from "./reading.ts";
import type { Drilled } from "./report.ts";
import { isStopped, readLookedAt, readStatuses, untilSettled } from "./reading.ts";
import type { Kept } from "./reading.ts";
import { payerIndex, untilReady } from "./site.ts";
import type { Site } from "./site.ts";

interface Telling {
  readonly say: (line: string) => void;
  readonly onStarted: (part: Part) => void;
}

/** The service has had time to do what it should not. */
const watchMilliseconds = 8_000;
const lookedSecondsMax = 120;
/** For what an operator is told to wait for. */
const waitedMilliseconds = 120_000;
const loadMilliseconds = 6_000;
/** A process that is lost has its account for a minute. */
const alarmSecondsMax = 120;
/** A key has 120 writes a minute. */
const repeatedMax = 50;

export async function restoreAll(site: Site, lost: Lost, telling: Telling): Promise<Drilled> {
  const { say } = telling;
  const url = urlOf(site.place);
  // Nobody is there to send anything yet.
  const before = await sentCount(site);
  const times = await start(site, telling);
  const { kept } = times;
  const faults: string[] = [...(await alarmFaults(site, lost))];
  say("merchants ask again");
  const after = await askAgain(lost, kept);
  await pause(watchMilliseconds);
  if ((await sentCount(site)) !== before)
    faults.push("the hot account has sent before anybody decided");
  const found = await find(site, url);
  faults.push(
    ...unfoundSent(await transfers(site.node, site.hot), await readSigned(url), found.sent),
  );
  const decisions = decisionsOn(found);
  say(`following ${decisions.length} decisions`);
  faults.push(...(await follow(site, decisions)));
  say("load goes on");
  const more = await goOn(site);
  if (more.customers.shown.length === 0) faults.push("no page was opened after the restore");
  const paid = [...lost.load.paid, ...lost.customers.paid, ...more.load.paid];
  const strayed = new Set(found.strays.map(({ txHash }) => txHash));
  const expected = paid.map(({ txHash }) => txHash).filter((txHash) => !strayed.has(txHash));
  const accounts = new Set(found.sent.map(({ account }) => account));
  faults.push(...(await resumeAgain(site, accounts)));
  await untilSettled(url, expected).catch((error: unknown) => faults.push(String(error)));
  const shown = [...lost.customers.shown, ...lost.load.paid];
  const kinds = {
    before: shown,
    after: [...after.shown, ...more.customers.shown, ...more.load.paid],
    kept: kept.addressed,
  };
  faults.push(
    ...addressFaults(kinds),
    ...moneyFaults({ paid, booked: await readBooked(url), strays: found.strays }),
    ...(await withdrawalsJudged(site, [...lost.load.withdrawals, ...more.load.withdrawals])),
    ...(await booksFaults(site)),
    ...lost.load.faults,
    ...more.load.faults,
    ...Part.surprises,
    ...(site.receiver.wronglySigned === 0 ? [] : ["webhooks were wrongly signed"]),
  );
  const measured = measuredOf(site, lost, { ...times, found });
  return { measured, decisions, faults: faults.map((fault) => withLog(site, fault)) };
}

/** With what the service has logged of the request that it names. */
function withLog(site: Site, fault: string): string {
  const [id] = /req_\w+/.exec(fault) ?? [];
  if (id === undefined) return fault;
  const lines = site.log("one").map((line) => JSON.stringify(line));
  return [fault, ...lines.filter((line) => line.includes(id))].join("\n    ");
}

interface Started {
  readonly kept: Kept;
  readonly restoreSeconds: number;
  readonly readySeconds: number;
}

async function start(site: Site, { say, onStarted }: Telling): Promise<Started> {
  const begunAt = performance.now();
  onStarted(await restore(site.place, moment));
  const restoreSeconds = (performance.now() - begunAt) / 1_000;
  const kept = await readKept(urlOf(site.place));
  say(`restored to the moment in ${restoreSeconds.toFixed(1)} s; the service starts on it`);
  const startedAt = performance.now();
  site.service.part.start();
  await untilReady(site.service);
  return { kept, restoreSeconds, readySeconds: (performance.now() - startedAt) / 1_000 };
}

/** What the service must say by itself. */
async function alarmFaults(site: Site, { lostAt }: Lost): Promise<readonly string[]> {
  const faults: string[] = [];
  const used = "account_used_by_others";
  const wanted = [{ alarm: "database_restored" }, { alarm: used, account: site.hot }];
  for (const { alarm, account } of wanted) {
    const isSaid = () =>
      site.log("one").some((line) => {
        const isSame = line["alarm"] === alarm && timeOf(line["time"]) > lostAt;
        return (
          isSame &&
          (account === undefined || String(line["account"]).toLowerCase() === account.toLowerCase())
        );
      });
    await waitUntil(`the alarm ${alarm}`, isSaid, alarmSecondsMax).catch((error: unknown) => {
      faults.push(String(error));
    });
  }
  const { exitCode, output } = await site.admin(["status"]);
  if (exitCode !== 1 || !output.includes(`withdrawals_stopped ${usd.chainId}`))
    faults.push(`status does not say that withdrawals are stopped (${exitCode}):\n${output}`);
  return faults;
}

function timeOf(time: unknown): Date {
  return new Date(typeof time === "number" ? time : String(time));
}

async function sentCount({ node, hot }: Site): Promise<bigint> {
  return BigInt(String(await node.rpc("eth_getTransactionCount", [hot, "pending"])));
}

/** Lost orders, and some that are not; then all of these pages are opened. */
async function askAgain({ load, customers, late }: Lost, kept: Kept): Promise<Customers> {
  const isLost = ({ number }: Order): boolean => !kept.payments.has(number);
  const lostOrders = load.payments.filter(isLost).slice(-repeatedMax);
  // The page of one that is paid shows no address any more.
  const paid = new Set([...load.paid, ...customers.paid].map(({ paymentId }) => paymentId));
  const isOpen = (order: Order): boolean => !isLost(order) && !paid.has(order.id ?? "");
  const known = load.payments.filter(isOpen).slice(-repeatedMax);
  const withdrawals = load.withdrawals.filter(({ number }) => !kept.withdrawals.has(number));
  await each([...withdrawals, ...lostOrders, ...known], (order) => load.repeat(order));
  const after = new Customers(load, customers.wallet);
  await each([...lostOrders, ...known], async ({ id: paymentId = "", pageUrl = "" }) => {
    await after.open({ paymentId, pageUrl });
  });
  for (const one of late) await after.open(one);
  return after;
}

/** A few at a time. */
async function each<One>(all: readonly One[], work: (one: One) => Promise<unknown>): Promise<void> {
  const rest = [...all];
  const workers = Array.from({ length: 6 }, async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  });
  await Promise.all(workers);
}

async function find(site: Site, url: string): Promise<Found> {
  return {
    sent: await findSent(site.node, site.log("signer"), url),
    pending: await findPending(url),
    strays: await findStrays(site.node, url),
  };
}

/** As they are printed, word by word. */
async function follow(site: Site, decisions: readonly Decision[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const command of decisions.flatMap(({ commands }) => commands)) {
    const { exitCode, output } = await performPatiently(site, command);
    if (exitCode !== 0) faults.push(`${typed(command)} ends with ${exitCode}: ${output}`);
  }
  return faults;
}

/** Each account is looked at when it is to send something, and stops them once more: what it has sent was found before. */
async function resumeAgain(site: Site, accounts: ReadonlySet<string>): Promise<readonly string[]> {
  const url = urlOf(site.place);
  const isDone = async (): Promise<boolean> => {
    const looked = await readLookedAt(url);
    return [...accounts].every((account) => looked.has(account));
  };
  const faults: string[] = [];
  await waitUntil("every account is looked at", isDone, lookedSecondsMax).catch((error: unknown) =>
    faults.push(String(error)),
  );
  if (await isStopped(url)) {
    const { exitCode, output } = await site.admin([
      "withdrawal",
      "resume",
      "--chain",
      usd.chainId,
      "--yes",
    ]);
    if (exitCode !== 0) faults.push(`withdrawal resume ends with ${exitCode}: ${output}`);
  }
  return faults;
}

/** Some are refused until something else is final, and say that there is something to wait for. */
async function performPatiently(site: Site, command: Command) {
  const endsAt = performance.now() + waitedMilliseconds;
  for (;;) {
    const ended = await perform(site, command);
    const isToWait = ended.exitCode === 1 && /\bwait\b/.test(ended.output);
    if (!isToWait || performance.now() >= endsAt) return ended;
    await pause(watchMilliseconds);
  }
}

async function perform(site: Site, { program, words }: Command) {
  if (program === "admin") return site.admin([...words, "--yes"]);
  await site.signer.stop();
  try {
    return await site.mend(words);
  } finally {
    site.signer.start();
  }
}

interface More {
  readonly load: Load;
  readonly customers: Customers;
}

async function goOn({ node, merchants, wallet }: Site): Promise<More> {
  const load = new Load(new Wallet(node.url, usd.chainNumber, payerIndex), {
    aboveRaw: 2_000_000n,
  });
  const customers = new Customers(load, wallet);
  load.start(merchants);
  customers.start();
  await pause(loadMilliseconds);
  await customers.stop();
  await load.stop();
  return { load, customers };
}

async function withdrawalsJudged(
  site: Site,
  withdrawals: readonly Withdrawal[],
): Promise<readonly string[]> {
  const statuses = await readStatuses(urlOf(site.place));
  const asked = withdrawals.map(({ number, amountRaw }) => {
    return { number, amountRaw, status: statuses.get(number) };
  });
  return withdrawalFaults(asked, await transfers(site.node, site.hot));
}

function measuredOf(
  { place, receiver }: Site,
  { load, customers, backupSeconds, momentAt, lostAt }: Lost,
  { kept, restoreSeconds, readySeconds, found }: Started & { readonly found: Found },
): Drilled["measured"] {
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  const lostOf = (all: readonly Order[], there: ReadonlySet<string>): string =>
    `${all.length}, of which ${all.filter(({ number }) => !there.has(number)).length} were lost`;
  const mined = found.sent.filter((one) => one.mined !== undefined).length;
  const unknown = [...receiver.taken.keys()].filter((event) => !kept.events.has(event)).length;
  return {
    "base backup": seconds(backupSeconds),
    "lost, from the moment on": seconds((lostAt.getTime() - momentAt.getTime()) / 1_000),
    "segments in the archive": String(archivedCount(place)),
    "restored in": seconds(restoreSeconds),
    "service ready after": seconds(readySeconds),
    payments: lostOf(load.payments, kept.payments),
    withdrawals: lostOf(load.withdrawals, kept.withdrawals),
    "addresses shown": String(customers.shown.length + load.paid.length),
    "transactions that the database had forgotten": `${found.sent.length}, of which ${mined} were mined`,
    "money at addresses of no payment": String(found.strays.length),
    "webhooks of what the database had forgotten, or that came since": String(unknown),
  };
}
