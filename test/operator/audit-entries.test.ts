// Every command that changes something leaves an entry in the audit log, and no secret in it.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { adminCommands, commandTable, runAdmin } from "../../adapters/operator/command.ts";
import type { AdminAnswer } from "../../adapters/operator/answers.ts";
import type { AdminFile } from "../../adapters/operator/words.ts";
import { openService } from "../../adapters/assembly/service.ts";
import type { AssemblyPorts, OpenedService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import type { AuditEntry } from "../../service/audit/audit.ts";
import { projectRoot } from "../programs/child.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";
import { heldWithdrawal, skippedDelivery } from "./prepared-rows.ts";

const catalogPath = join(projectRoot, "adapters", "catalog", "catalog.json");
const hash = `0x${"ab".repeat(32)}`;

class Desk {
  readonly #ports: AssemblyPorts & { readonly database: OpenedDatabase };
  readonly #keys = [newKey()];
  #service: OpenedService | undefined;
  /** of what the commands made */
  readonly ids = { merchant: "", key: "" };

  constructor(ports: AssemblyPorts & { readonly database: OpenedDatabase }) {
    this.#ports = ports;
  }

  static async open(engine: Engine): Promise<Desk> {
    const clock = Object.assign(new TestClock(), { monotonicMilliseconds: () => 0 });
    const log = buildLogger("silent", { write: () => undefined });
    const watching = ["eip155:8453"];
    const desk = new Desk({ clock, log, watching, database: await openDatabase(engine) });
    onTestFinished(() => desk.close());
    return desk;
  }

  /** What no command makes. */
  async write(statement: RawBuilder<unknown>): Promise<void> {
    await query(this.#ports.database, statement);
  }

  async changeEncryptionKey(): Promise<void> {
    await this.close();
    this.#keys.unshift(newKey());
  }

  async close(): Promise<void> {
    await this.#service?.close();
    this.#service = undefined;
  }

  async run(line: string): Promise<AdminAnswer> {
    // Word by word: an id can have KEY in it.
    const ids = new Map([
      ["MERCHANT", this.ids.merchant],
      ["KEY", this.ids.key],
    ]);
    const words = line.split(" ").map((word) => ids.get(word) ?? word);
    const file: AdminFile = { name: "catalog.json", text: readFileSync(catalogPath, "utf8") };
    const answer = await runAdmin({ words, file }, await this.#operator());
    this.ids.merchant ||= /mer_\w+/.exec(answer.output)?.[0] ?? "";
    this.ids.key ||= /mk_\w+/.exec(answer.output)?.[0] ?? "";
    return answer;
  }

  async entries(): Promise<readonly AuditEntry[]> {
    const { audit } = await this.#operator();
    return audit.list({ after: 0n, limit: 1000 });
  }

  /** Of one server for each encryption key, which keeps what it has once read. */
  async #operator(): Promise<OpenedService["operator"]> {
    const [current, ...older] = this.#keys;
    const configuration = parseConfiguration({
      ENCRYPTION_KEY: current,
      ENCRYPTION_KEYS_OLDER: older.join(","),
      NODE_ENV: "test",
    });
    this.#service ??= await openService(configuration, this.#ports);
    return this.#service.operator;
  }
}

function newKey(): string {
  return randomBytes(32).toString("base64");
}

/** In this order, each with the actions that it is to leave. Every command has a line here. */
const session: readonly (readonly [line: string, ...actions: string[]])[] = [
  ["merchant create --name Shop", "merchant.created"],
  ["merchant suspend MERCHANT", "merchant.suspended"],
  ["merchant activate MERCHANT", "merchant.activated"],
  ["merchant fee --merchant MERCHANT --bps 250", "merchant.fee_set"],
  ["consent grant --merchant MERCHANT --creator mer_other", "split_consent.granted"],
  ["consent end --merchant MERCHANT --creator mer_other", "split_consent.ended"],
  [
    "key create --merchant MERCHANT --role treasury --cidr 192.0.2.0/24 --expires 90d",
    "api_key.created",
  ],
  ["key rotate KEY --overlap 1h", "api_key.rotated"],
  ["key revoke KEY", "api_key.revoked"],
  ["catalog apply catalog.json", "catalog.applied"],
  ["secrets reseal", "secrets.reseal_begun", "secrets.resealed"],
  ["ledger fund --deployment dep_usdc_base --amount 5", "ledger.funded"],
  [
    `ledger move --deployment dep_usdc_base --amount 5 --from hot --to treasury --reference ${hash}`,
    "ledger.moved",
  ],
  [
    `ledger take --deployment dep_usdc_base --amount 5 --account treasury --of capital --reference ${hash}/1`,
    "ledger.taken",
  ],
  ["ledger unfreeze --deployment dep_usdc_base", "deployment.unfrozen"],
  [
    "subscription create --merchant MERCHANT --environment test --currency cur_usdc " +
      "--chain eip155:8453 --amount 9.99 --interval 30d --user-id u-1 --first-bill-at 7d",
    "subscription.created",
  ],
  ["subscription list --merchant MERCHANT"],
  ["fee set --deployment dep_usdc_base --amount 0.5", "withdrawal_fee.set"],
  ["withdrawal limit --deployment dep_usdc_base --single 100", "withdrawal_limits.set"],
  ["withdrawal approve wdr_1", "withdrawal.approved"],
  ["withdrawal reject wdr_1 --reason unknown", "withdrawal.rejected"],
  ["withdrawal stop --reason test --chain eip155:8453", "withdrawals.stopped"],
  ["withdrawal resume --chain eip155:8453", "withdrawals.resumed"],
  ["withdraw-address disable wad_1", "withdraw_address.disabled"],
  [
    "webhook resend --endpoint whe_1 --event evt_1",
    "webhook_deliveries.resend_begun",
    "webhook_deliveries.resent",
  ],
  [`signer accept ${"ab".repeat(16)}`, "signer.accepted"],
  ["signer take-journal --reason restored", "signer.journal_accepted"],
  ["signer show"],
  ["chain float --deployment dep_usdc_base --max 1000", "float.set"],
  ["chain gas-budget --chain eip155:8453 --per-day 0.1", "gas_budget.set"],
  ["chain sweep --chain eip155:8453", "sweep.ordered"],
  ["chain settings"],
  ["chain sweeps"],
  ["chain outgoing"],
  ["chain troubles"],
  ["withdrawal held"],
  ["merchant list"],
  ["consent list"],
  ["key list"],
  ["job list"],
  ["audit list"],
  ["audit verify"],
  ["ledger balances"],
  ["ledger verify"],
];

/** What some need to have something to change. */
const preparations: Readonly<Record<string, (desk: Desk) => Promise<void> | void>> = {
  "consent grant": (desk) =>
    desk.write(sql`insert into merchants (id, name, created_at)
      values ('mer_other', 'Other', '2026-01-01')`),
  "secrets reseal": (desk) => desk.changeEncryptionKey(),
  "withdrawal approve": (desk) => desk.write(heldWithdrawal),
  "webhook resend": (desk) => desk.write(skippedDelivery),
  "signer accept": (desk) =>
    desk.write(sql`insert into signer_identities
      values ('refused', ${sql.lit("ab".repeat(16))}, '0x1', '0x2', 'xpub', '2026-01-01')`),
  "signer take-journal": (desk) =>
    desk.write(sql`insert into signer_journals values ('xpub', 7, 'head', '2026-01-01')`),
  "ledger unfreeze": (desk) =>
    desk.write(sql`insert into deployment_freezes values ('dep_usdc_base', 'test', '2026-01-01')`),
};

const commandOf = (line: string): string => line.split(" ").slice(0, 2).join(" ");

/** They change nothing, so they leave nothing. */
const idle = [
  "merchant activate MERCHANT",
  "merchant fee --merchant MERCHANT --bps 250",
  "consent end --merchant MERCHANT --creator mer_other",
  "key revoke KEY",
  "catalog apply catalog.json",
  "catalog apply catalog.json --dry-run",
  "secrets reseal",
  "merchant suspend mer_nobody",
  "key revoke mk_test_nobody",
  "key rotate KEY",
];

/** They need a chain that has gone wrong, what came there, or a whole server, and what they leave is looked at there. */
const triedElsewhere: Readonly<Record<string, string>> = {
  completion: "test/operator/completion.test.ts",
  "chain decide": "test/sweeps/undecided.test.ts",
  "chain remember": "test/sweeps/forgotten.test.ts",
  "chain rescan": "test/chains/rescan.test.ts",
  "debt settle": "test/suspense/debts.test.ts",
  "debt write-off": "test/suspense/debts.test.ts",
  status: "test/programs/first-payment.test.ts",
  "suspense cancel": "test/suspense/returning.test.ts",
  "suspense credit": "test/suspense/crediting.test.ts",
  "suspense decide": "test/suspense/returning.test.ts",
  "suspense list": "test/suspense/crediting.test.ts",
  "suspense remember": "test/suspense/forgotten.test.ts",
  "suspense return": "test/suspense/returning.test.ts",
  "suspense write-off": "test/suspense/crediting.test.ts",
  "withdrawal decide": "test/withdrawals/decisions.test.ts",
  "withdrawal remember": "test/withdrawals/forgotten.test.ts",
};

test("every command is tried here, or where it has something to do", () => {
  const tried = [...session.map(([line]) => commandOf(line)), ...Object.keys(triedElsewhere)];
  expect(tried.toSorted()).toEqual(adminCommands.toSorted());
});

describe.each(engines)("on %s", (engine) => {
  test("each command leaves what it did, once", async () => {
    const desk = await Desk.open(engine);
    let count = 0;
    for (const [line, ...actions] of session) {
      await preparations[commandOf(line)]?.(desk);
      expect({ line, ...(await desk.run(line)) }).toMatchObject({
        line,
        exitCode: 0,
        errors: expect.stringMatching(/^$|shown this once/) as string,
      });
      const made = (await desk.entries()).slice(count);
      expect(made.map(({ action }) => action)).toEqual(actions);
      count += made.length;
    }
    for (const line of idle) await desk.run(line);
    const entries = await desk.entries();
    expect(entries).toHaveLength(count);
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(["operator"]));
    expect(JSON.stringify(entries.map(({ details }) => details))).not.toMatch(/sk_|whsec_/);

    const { merchant, key } = desk.ids;
    const owned = { merchantId: merchant, environment: "test" };
    const subject = { type: "api_key", id: key };
    const details = (action: string): unknown =>
      JSON.parse(entries.find((entry) => entry.action === action)?.details ?? "null");
    const aboutKeys = entries.filter(({ action }) => action.startsWith("api_key."));
    expect(aboutKeys).toMatchObject([{ ...owned, subject }, owned, { ...owned, subject }]);
    const rights = { cidrs: ["192.0.2.0/24"], expires_at: "2026-04-01T00:00:00.000Z" };
    const scopes = [
      "withdrawals:write",
      "withdraw_addresses:write",
      "payouts:read",
      "payouts:write",
    ];
    expect(details("api_key.created")).toEqual({ ...rights, scopes, role: "treasury" });
    expect(details("api_key.rotated")).toEqual({
      ...rights,
      scopes,
      rotated_from: key,
      overlap_seconds: 3600,
    });
    const aboutConsents = entries.filter(({ action }) => action.startsWith("split_consent."));
    const ofShop = { merchantId: merchant, subject: { type: "merchant", id: merchant } };
    expect(aboutConsents).toMatchObject([ofShop, ofShop]);
    expect(details("merchant.created")).toEqual({ name: "Shop" });
    expect(details("catalog.applied")).toMatchObject({ version_before: "0", version_after: "1" });
    expect(details("secrets.resealed")).toMatchObject({
      places: expect.arrayContaining([{ place: "api_keys.secret_sealed", resealed: 2 }]) as unknown,
    });
  });

  test("each command that changes something does all of it with --dry-run, and leaves nothing", async () => {
    const desk = await Desk.open(engine);
    const changing = new Set(commandTable.flatMap((one) => (one.dryRun ? [one.name] : [])));
    let count = 0;
    for (const [line, ...actions] of session) {
      await preparations[commandOf(line)]?.(desk);
      expect([line, changing.has(commandOf(line))]).toEqual([line, actions.length > 0]);
      if (actions.length === 0) continue;
      const tried = await desk.run(`${line} --dry-run`);
      expect({ line, ...tried }).toMatchObject({ line, exitCode: 0, errors: "" });
      expect(tried.output).toMatch(/^Dry run: nothing was changed\. It would have said:\n./);
      expect(tried.output).not.toMatch(/sk_|ltx_/);
      expect({ line, made: await desk.entries() }).toMatchObject({ line, made: { length: count } });
      const json = await desk.run(`${line} --dry-run --json`);
      expect(JSON.parse(json.output)).toMatchObject({ dry_run: true });
      expect(await desk.run(line)).toMatchObject({ exitCode: 0 });
      count += actions.length;
    }
    expect(await desk.entries()).toHaveLength(count);
    const refused = await desk.run("key revoke mk_test_nobody --dry-run");
    expect(refused).toMatchObject({ exitCode: 1, errors: "There is no key mk_test_nobody.\n" });
    expect(await desk.run("merchant list --dry-run")).toMatchObject({ exitCode: 2 });
  });

  test("each command says with --json what it says without, in an object and nothing else", async () => {
    const desk = await Desk.open(engine);
    for (const [line] of session) {
      await preparations[commandOf(line)]?.(desk);
      const { exitCode, output, errors } = await desk.run(`${line} --json`);
      expect({ line, exitCode, errors }).toEqual({ line, exitCode: 0, errors: "" });
      const keys = Object.keys(JSON.parse(output) as object);
      expect({ line, odd: keys.filter((key) => !/^[a-z_]+$/.test(key)) }).toEqual({
        line,
        odd: [],
      });
      expect(keys.length).toBeGreaterThan(0);
    }
    const refused = await desk.run("key revoke mk_test_nobody --json");
    expect([refused.exitCode, refused.output, JSON.parse(refused.errors)]).toEqual([
      1,
      "",
      { error: { code: "refused", message: "There is no key mk_test_nobody." } },
    ]);
  });

  test("status asks each time what is missing, also when nothing was", async () => {
    const desk = await Desk.open(engine);
    expect((await desk.run("status")).output).toMatch(/\nmerchant +There is no active merchant/);
    await desk.run("merchant create --name Shop");
    await desk.run("catalog apply catalog.json");
    await desk.run("key create --merchant MERCHANT --live --role storefront --cidr 192.0.2.0/24");
    await desk.write(sql`insert into currency_acceptances
      (merchant_id, environment, revision, catalog_version, updated_at)
      select id, 'live', 1, 1, now() from merchants`);
    await desk.write(sql`insert into accepted_chains
      (merchant_id, environment, revision, currency_id, chain_id)
      select id, 'live', 1, 'cur_usdc', 'eip155:8453' from merchants`);
    expect(await desk.run("status")).toMatchObject({ exitCode: 0 });
    await desk.run("merchant suspend MERCHANT");
    expect(await desk.run("status")).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/\nmerchant +There is no active merchant/) as string,
    });
  });

  test("audit list shows it, and audit verify its head, which can be checked later", async () => {
    const desk = await Desk.open(engine);
    await desk.run("merchant create --name Shop");
    const first = await desk.run("audit verify");
    const [, head = ""] = /^Head +(1:[0-9a-f]{64})$/m.exec(first.output) ?? [];
    expect(first).toMatchObject({ exitCode: 0, errors: "" });
    expect(first.output).toMatch(/^Entries +1\n.*\nThe audit log is whole/);
    await desk.run("merchant suspend MERCHANT");
    const { merchant } = desk.ids;
    expect((await desk.run("audit list --after 1 --limit 5")).output.split("\n")[1]).toBe(
      `2      2026-01-01T00:00:00.000Z  operator  merchant.suspended  ${merchant}  ` +
        `merchant ${merchant}  {}`,
    );
    expect((await desk.run(`audit verify --head ${head}`)).exitCode).toBe(0);
    const wrong = await desk.run(`audit verify --head ${head.slice(0, -2)}zz`);
    expect(wrong).toMatchObject({ exitCode: 2, output: "" });
    const other = await desk.run(`audit verify --head 1:${"0".repeat(64)}`);
    expect(other).toMatchObject({
      exitCode: 1,
      errors: "Entry 1 is another one than the anchor says.\n",
    });
    expect(other.output).toContain("The audit log is not as it was written.");
    expect(await desk.run(`audit verify --head 3:${"0".repeat(64)}`)).toMatchObject({
      exitCode: 1,
      errors: "The chain ends with entry 2, before the anchor.\n",
    });
  });

  test("job list names every job, whether it has run or not", async () => {
    const desk = await Desk.open(engine);
    const { output } = await desk.run("job list");
    expect(output).toMatch(
      /^JOB +LAST RUN +STATE +LAG +RUNS +DONE +FAILURES +HELD BY +LAST ERROR\n/,
    );
    expect(output).toMatch(/^forget-nonces +never/m);
    expect(output).toMatch(/^delete-old-events +never/m);
  });
});
