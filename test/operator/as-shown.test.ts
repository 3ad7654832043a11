// What is done after a word was typed is what was shown before it: whatever happens between the two, nothing is lifted that
// nobody has seen.

import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import { confirmationOf } from "../../adapters/operator/confirmations.ts";
import { performConfirmed } from "../../adapters/operator/confirming.ts";
import { openService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { auditValues } from "../../service/audit/audit.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import { stopForForeignUse } from "../../service/sending/accounts.sql.ts";
import { listWithdrawalStops } from "../../service/withdrawals/policy.sql.ts";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { buildLedger, credited, usdc } from "../ledger/fixture.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";

const base = "eip155:8453";

/** Time goes on with each look at the clock, as it does. */
class MovingClock extends TestClock {
  override readonly now = (): Date => {
    this.advance(1);
    return new Date(this.nowMilliseconds());
  };
  readonly monotonicMilliseconds = (): number => 0;
}

async function openDesk(engine: Engine) {
  const database = await openDatabase(engine);
  const { post } = await buildLedger(database);
  const clock = new MovingClock();
  const service = await openService(
    parseConfiguration({ ENCRYPTION_KEY: randomBytes(32).toString("base64"), NODE_ENV: "test" }),
    { clock, log: buildLogger("silent", { write: () => undefined }), database },
  );
  onTestFinished(service.close);
  const { operator } = service;
  const admin = (line: string) => runAdmin({ words: line.split(" ") }, operator);
  const said: string[] = [];
  /** Types the word, after what happens while it is thought about. */
  const typing = async (line: string, word: string, meanwhile?: () => Promise<unknown>) => {
    said.length = 0;
    const words = line.split(" ");
    const confirmation = confirmationOf(words);
    if (confirmation === undefined) throw new Error(`${line} does not ask`);
    const ask = async (question: string) => {
      said.push(question);
      await meanwhile?.();
      return word;
    };
    const terminal = { write: (text: string) => void said.push(text), ask };
    const perform = (given: readonly string[]) => runAdmin({ words: given }, operator);
    return await performConfirmed(words, confirmation, { terminal, perform });
  };
  const stops = () =>
    query(database)<{ chain_id: string; reason: string }>`
      select chain_id, reason from withdrawal_stops order by chain_id`;
  /** of the only one */
  const since = async () => {
    const [row] = await query(database)<{ since: Date }>`
      select since from withdrawal_stops union all select since from deployment_freezes`;
    return row?.since.toISOString() ?? "";
  };
  return { database, clock, post, operator, admin, typing, said, stops, since };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

const others = "the account 0xours used 9 nonces, and only those below 5 were given here";

/** What the service does where it finds that. */
async function findForeignUse({ database, clock }: Desk, chainId = base): Promise<void> {
  await query(database)`insert into sender_accounts (chain_id, account, lease_token)
    values (${chainId}, '0xours', 'mine') on conflict do nothing`;
  const now = clock.now();
  const audit = auditValues({
    occurredAt: now,
    actor: "system",
    action: "withdrawals.stopped",
    subject: { type: "chain", id: chainId },
    details: { reason: others },
  });
  const lease = { chainId, account: "0xours", leaseToken: "mine" };
  await database.run(stopForForeignUse, { ...lease, ...audit, usedCount: 9n, reason: others, now });
}

/** Something happens between its first look and what it does then. */
function racingPolicy({ database, clock }: Desk, meanwhile: () => Promise<unknown>) {
  let looks = 0;
  const run = async <Values, Row>(statement: Statement<Values, Row>, values: Values) => {
    const rows = await database.run(statement, values);
    if (statement.name === listWithdrawalStops.name && looks++ === 0) await meanwhile();
    return rows;
  };
  const racing: Database = { run, transaction: database.transaction };
  const identifiers = { next: () => "" } as never;
  return new WithdrawalPolicy({ database: racing, clock, identifiers });
}

const resumed = ({ database }: Desk) =>
  query(database)<{ details: string }>`
    select details from audit_entries where action = 'withdrawals.resumed'`;

describe.each(engines)("withdrawal resume on %s", (engine) => {
  test("shows what it lifts, who has said it and since when, and lifts that", async () => {
    const desk = await openDesk(engine);
    const { admin, typing, said, stops } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const since = await desk.since();
    const answer = await typing(`withdrawal resume --chain ${base}`, base);
    const table = `STOP OF      IS      SINCE                     BY        REASON\n${base}  lifted  ${since}  operator  looking\n`;
    const text = `Withdrawals go on on ${base}.\n${table}`;
    expect(answer).toMatchObject({ exitCode: 0, output: text, errors: "" });
    expect(said[0]).toContain(`It would have said:\n${text}A script does exactly this with --yes`);
    expect(await stops()).toEqual([]);
    const [entry] = await resumed(desk);
    expect(JSON.parse(entry?.details ?? "")).toEqual({ reason: "looking", since });
    expect(await typing(`withdrawal resume --chain ${base}`, base)).toMatchObject({
      exitCode: 1,
      errors: "They are not stopped.\n",
    });
  });

  test("lifts no graver reason that was found while somebody thought", async () => {
    const desk = await openDesk(engine);
    const { admin, typing, stops } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const line = `withdrawal resume --chain ${base}`;
    const answer = await typing(line, base, () => findForeignUse(desk));
    const reason = `${others} (found 2026-01-01T00:00:00Z); before that: looking`;
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(answer.errors).toMatch(/^It is not as it was shown any more\. Nothing was changed\./);
    expect(answer.errors).toContain(`  system, operator  ${reason}\n`);
    expect(answer.errors).toMatch(/\nLook at it, and run the command again\.\n$/);
    expect(await stops()).toEqual([{ chain_id: base, reason }]);
    expect(await resumed(desk)).toEqual([]);
    // Whoever has seen it can lift it.
    expect((await typing(line, base)).output).toContain(reason);
    expect(await stops()).toEqual([]);
  });

  test("lifts nothing where another operator has said a graver reason while somebody thought", async () => {
    const desk = await openDesk(engine);
    const { admin, typing, stops } = desk;
    const stop = (reason: string) =>
      runAdmin(
        { words: ["withdrawal", "stop", "--chain", base, "--reason", reason] },
        desk.operator,
      );
    expect((await stop("looking")).output).toBe(`Withdrawals are stopped on ${base}.\n`);
    const since = await desk.since();
    const line = `withdrawal resume --chain ${base}`;
    const dry = await admin(`${line} --dry-run`);
    const answer = await typing(line, base, async () => {
      expect(await stop("hot key stolen")).toMatchObject({
        exitCode: 0,
        output: `Withdrawals were stopped already on ${base}. The reason was added to their stop.\n`,
      });
    });
    const reason = "hot key stolen (said 2026-01-01T00:00:00Z); before that: looking";
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(answer.errors).toContain(`${since}  operator  ${reason}\n`);
    const bound = await admin(`${line} --yes --as-shown ${dry.shownAs ?? ""}`);
    expect(bound).toMatchObject({ exitCode: 1 });
    expect(await stops()).toEqual([{ chain_id: base, reason }]);
    expect(await desk.since()).toBe(since);
    // What stands there as the newest is not said twice; what only begins like it is another one.
    const again = { exitCode: 1, errors: "They are stopped already, and for this reason.\n" };
    expect(await stop("hot key stolen")).toMatchObject(again);
    expect(await stop("hot key")).toMatchObject({ exitCode: 0 });
    expect(await stop("looking")).toMatchObject({ exitCode: 0 });
    const entries = await query(desk.database)<{ details: string }>`
      select details from audit_entries where action = 'withdrawals.stopped' order by sequence`;
    expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
      { reason: "looking" },
      { reason: "hot key stolen", was_stopped: true },
      { reason: "hot key", was_stopped: true },
      { reason: "looking", was_stopped: true },
    ]);
    // The newest is whole, however many there were.
    for (let count = 0; count < 10; count++) await stop(`${count}`.repeat(200));
    const [row] = await stops();
    expect(row?.reason).toHaveLength(2000);
    expect(row?.reason.startsWith(`${"9".repeat(200)} (said `)).toBe(true);
    expect(await stop("9".repeat(200))).toMatchObject(again);
  });

  test("says that they stay stopped where all were stopped between the look and the writing", async () => {
    const desk = await openDesk(engine);
    const { admin, database } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const policy = racingPolicy(desk, () => admin("withdrawal stop --reason all"));
    const { output } = await runAdmin(
      { words: ["withdrawal", "resume", "--chain", base, "--yes", "--json"] },
      { ...desk.operator, withdrawalPolicy: policy },
    );
    expect(JSON.parse(output)).toMatchObject({ is_stopped: true, stops: [{}, { chain_id: "*" }] });
    const rows = await query(database)`select chain_id from withdrawal_stops`;
    expect(rows).toEqual([{ chain_id: "*" }]);
  });

  test("lifts nothing where it was lifted, and set again", async () => {
    const desk = await openDesk(engine);
    const { admin, typing, stops } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const again = async () => {
      await admin(`withdrawal resume --chain ${base} --yes`);
      await admin(`withdrawal stop --reason looking --chain ${base}`);
    };
    const answer = await typing(`withdrawal resume --chain ${base} --json`, base, again);
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    const stop = { chain_id: base, by: "operator", reason: "looking" };
    expect(JSON.parse(answer.errors)).toEqual({
      error: {
        code: "refused",
        message: "It is not as it was shown any more. Nothing was changed. Now there is:",
        fix: "Look at it, and run the command again.",
        now: { stops: [{ ...stop, since: expect.stringMatching(/^2026-/) as string }] },
      },
    });
    expect(await stops()).toHaveLength(1);
    // It was lifted, and nothing is there.
    const lift = () => admin(`withdrawal resume --chain ${base} --yes`);
    const gone = await typing(`withdrawal resume --chain ${base}`, base, lift);
    expect(gone).toMatchObject({ exitCode: 1, errors: "They are not stopped.\n" });
  });

  test("of all chains: a chain that is stopped beside it stays, and is shown before", async () => {
    const desk = await openDesk(engine);
    const { admin, typing, stops } = desk;
    await admin("withdrawal stop --reason all");
    const since = await desk.since();
    const answer = await typing("withdrawal resume", "all", () => findForeignUse(desk));
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(answer.errors).toMatch(/\nall chains +20.* all\neip155:8453 +20.* system +the/);
    expect((await stops()).map((one) => one.chain_id)).toEqual(["*", base]);
    const json = await admin("withdrawal resume --yes --json");
    expect(JSON.parse(json.output)).toEqual({
      chain_id: "*",
      is_stopped: false,
      stops: [
        { chain_id: "*", becomes: "lifted", since, by: "operator", reason: "all" },
        {
          chain_id: base,
          becomes: "kept",
          since: expect.any(String) as string,
          by: "system",
          reason: others,
        },
      ],
    });
    expect(await stops()).toEqual([{ chain_id: base, reason: others }]);
  });

  test("of one chain: withdrawals stay stopped there while all are", async () => {
    const { admin, typing, stops } = await openDesk(engine);
    await admin(`withdrawal stop --reason one --chain ${base}`);
    await admin("withdrawal stop --reason another --chain eip155:1");
    const stopAll = () => admin("withdrawal stop --reason all");
    const line = `withdrawal resume --chain ${base}`;
    expect(await typing(line, base, stopAll)).toMatchObject({ exitCode: 1 });
    expect(await stops()).toHaveLength(3);
    const { output } = await typing(line, base);
    expect(output).toContain(
      `The stop of ${base} is lifted. Withdrawals stay stopped, since all chains are.\n`,
    );
    expect(output).not.toContain("eip155:1 ");
    expect((await stops()).map((one) => one.chain_id)).toEqual(["*", "eip155:1"]);
  });

  test("a script binds itself with the code of a dry run, and lifts what stands there without", async () => {
    const desk = await openDesk(engine);
    const { admin, stops } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const line = `withdrawal resume --chain ${base}`;
    const dry = JSON.parse((await admin(`${line} --dry-run --json`)).output) as {
      readonly shown_as: string;
    };
    expect(dry).toMatchObject({ dry_run: true, stops: [{ by: "operator", reason: "looking" }] });
    expect(dry.shown_as).toMatch(/^[0-9a-f]{16}$/);
    expect((await admin(`${line} --dry-run`)).output).toContain(` --as-shown ${dry.shown_as}\n`);
    await findForeignUse(desk);
    const bound = await admin(`${line} --yes --as-shown ${dry.shown_as}`);
    expect(bound).toMatchObject({ exitCode: 1 });
    expect(bound.errors).toContain(others);
    expect(await stops()).toHaveLength(1);
    expect(await admin(`${line} --dry-run --as-shown ${dry.shown_as}`)).toMatchObject({
      exitCode: 1,
    });
    expect((await admin(`${line} --yes`)).output).toContain(others);
    expect(await stops()).toEqual([]);
  });

  test("what is found between the look and the writing stands as well", async () => {
    const desk = await openDesk(engine);
    const { admin, stops } = desk;
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    const racing = () => racingPolicy(desk, () => findForeignUse(desk));
    await expect(racing().resume(base)).rejects.toThrow("Somebody else has changed it");
    const look = (found: { readonly lifted: { readonly reason: string } }) => {
      if (found.lifted.reason === "looking") return;
      throw new OperatorError("another one");
    };
    await admin(`withdrawal resume --chain ${base} --yes`);
    await admin(`withdrawal stop --reason looking --chain ${base}`);
    await expect(racing().resume(base, look)).rejects.toThrow("another one");
    expect(await stops()).toMatchObject([{ chain_id: base }]);
    expect(await resumed(desk)).toHaveLength(1);
  });

  test("who has stopped them is not known of a stop without its entry", async () => {
    const { database, admin } = await openDesk(engine);
    const older = "2025-12-31T00:00:00.000Z";
    await query(database)`insert into withdrawal_stops values (${base}, 'older', ${older})`;
    const { output } = await admin(`withdrawal resume --chain ${base} --dry-run`);
    expect(output).toContain(`${base}  lifted  ${older}  -   older\n`);
  });
});

const frozen = ({ database }: Desk) =>
  query(database)<{ reason: string }>`select reason from deployment_freezes`;

async function freeze({ database, clock }: Desk, reason: string): Promise<void> {
  await query(database)`insert into deployment_freezes values (${usdc}, ${reason}, ${clock.now()})`;
}

describe.each(engines)("ledger unfreeze on %s", (engine) => {
  const line = `ledger unfreeze --deployment ${usdc}`;

  test("shows the freeze that it ends, and ends that", async () => {
    const desk = await openDesk(engine);
    await freeze(desk, "99 are held, 100 owed");
    const since = await desk.since();
    const answer = await desk.typing(line, usdc);
    const shown =
      `Withdrawals of ${usdc} go on. It was frozen:\nDeployment  ${usdc}\n` +
      `Since       ${since}\nBy          system\nReason      99 are held, 100 owed\n`;
    expect(answer).toMatchObject({ exitCode: 0, output: shown });
    expect(desk.said[0]).toContain(shown);
    expect(await frozen(desk)).toEqual([]);
  });

  test("ends no other one, and says so", async () => {
    const desk = await openDesk(engine);
    await freeze(desk, "99 are held, 100 owed");
    const again = async () => {
      await desk.admin(`${line} --yes`);
      await freeze(desk, "1 is held, 100 owed");
    };
    const answer = await desk.typing(line, usdc, again);
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(answer.errors).toMatch(/Now there is:\nDeployment .*\nSince .*\n.*\nReason +1 is held,/);
    expect(await frozen(desk)).toEqual([{ reason: "1 is held, 100 owed" }]);
    const { output } = await desk.admin(`${line} --dry-run --json`);
    const values = JSON.parse(output) as { readonly shown_as: string };
    expect(values).toMatchObject({
      deployment_id: usdc,
      by: "system",
      reason: "1 is held, 100 owed",
    });
    expect(await desk.admin(`${line} --yes --as-shown 0000`)).toMatchObject({ exitCode: 1 });
    const done = await desk.admin(`${line} --yes --as-shown ${values.shown_as}`);
    expect(done).toMatchObject({ exitCode: 0 });
    expect(await frozen(desk)).toEqual([]);
  });

  test("ends none whose gap has grown while somebody thought", async () => {
    const desk = await openDesk(engine);
    const { database, clock, post } = desk;
    await post("deposit_credited", "a", credited(100n));
    const holding = (raw: bigint) =>
      reserveCheckJob({
        database,
        clock,
        holdings: () => Promise.resolve({ raw }),
        inFlightRaw: () => Promise.resolve(0n),
        onGap: () => undefined,
        onUnknown: () => undefined,
      }).run();
    await holding(99n);
    const since = await desk.since();
    const answer = await desk.typing(line, usdc, () => holding(1n));
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    const now = `Since       ${since}\nBy          system\nReason      The chain holds 1 and`;
    expect(answer.errors).toContain(now);
    expect(await frozen(desk)).toHaveLength(1);
    // A smaller one changes nothing of what was shown.
    expect(await desk.typing(line, usdc, () => holding(50n))).toMatchObject({ exitCode: 0 });
    expect(await frozen(desk)).toEqual([]);
  });
});
