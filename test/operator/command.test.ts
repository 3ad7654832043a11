// The operator's commands, in this process.

import { randomFillSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { adminCommands, adminUsage, runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import { buildChainOperator } from "../../adapters/assembly/operator.ts";
import type { AdminAnswer } from "../../adapters/operator/answers.ts";
import type { AdminFile } from "../../adapters/operator/words.ts";
import { parseDurationMilliseconds, parseMoment } from "../../adapters/operator/duration.ts";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { Audit } from "../../service/audit/audit.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { WithdrawalPolicy } from "../../service/withdrawals/policy.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { LedgerOperations } from "../../service/ledger/operations.ts";
import { missingForPayments } from "../../service/checkout/first-payment.ts";
import { resealEverything } from "../../service/secrets/resealing.ts";
import { forgettingJobs } from "../../adapters/assembly/jobs.ts";
import { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import { SignerJournals } from "../../service/addresses/signer-journals.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import type { Database } from "../../service/ports/database.ts";
import { Debts } from "../../service/suspense/debts.ts";
import { Monitoring } from "../../service/monitoring/monitoring.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { WebhookResending } from "../../service/webhooks/resending.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { watchedChainIds } from "../support/watched-chains.ts";
import { buildHarness, startMilliseconds } from "../merchants/authentication-harness.ts";

type Admin = (line: string, file?: AdminFile) => Promise<AdminAnswer>;

async function buildAdmin(engine: Engine): Promise<Admin> {
  const operator = buildOperator(await openDatabase(engine));
  return (line, file) => {
    // As a shell would split it.
    const words = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
    return runAdmin({ words, ...(file === undefined ? {} : { file }) }, operator);
  };
}

function buildOperator(database: Database): Operator {
  const { clock, merchants, apiKeys, sealer } = buildHarness(database);
  const fillRandom = (bytes: Uint8Array): void => void randomFillSync(bytes);
  const identifiers = buildIdentifiers({ clock, fillRandom });
  const jobs = new Jobs({ database, clock }, forgettingJobs({ database, clock }));
  return {
    clock,
    merchants,
    apiKeys,
    jobs,
    monitoring: new Monitoring({ database, clock, jobs, settling: [], watchedChainIds }),
    audit: new Audit({ database }),
    ledger: new LedgerOperations({ database, clock, identifiers }),
    suspense: new Suspense({
      database,
      clock,
      identifiers,
      progress: new PaymentProgress({ clock, identifiers }),
    }),
    debts: new Debts({ database, clock, identifiers }),
    signerIdentity: new SignerIdentity({ database, clock }),
    signerJournals: new SignerJournals({ database, clock }),
    withdrawalPolicy: new WithdrawalPolicy({ database, clock, identifiers }),
    ...buildChainOperator({
      database,
      clock,
      identifiers,
      catalog: new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) }),
      alarm: () => undefined,
    }),
    withdrawAddresses: new WithdrawAddresses({
      database,
      clock,
      identifiers,
      coolingMilliseconds: { mainNetwork: 0, testNetwork: 0 },
    }),
    subscriptions: new Subscriptions({
      watchedChainIds,
      database,
      clock,
      identifiers,
      // No command cancels a subscription.
      payments: { cancelInTransaction: () => Promise.resolve(false) },
    }),
    webhookResending: new WebhookResending({ database, clock }),
    applyCatalog: ({ name: id }, { isDryRun: is }) => {
      const change = { what: "changed", capability: null, field: "listing_status" } as const;
      const differences = [{ ...change, id, was: null, is }];
      return Promise.resolve({ versionBefore: 1n, versionAfter: 2n, differences });
    },
    reseal: () => resealEverything({ database, clock, sealer }),
    readMissing: () => missingForPayments({ database, clock, watchedChainIds }),
    rehearse: rehearsing(database, buildOperator),
  };
}

function field(answer: AdminAnswer, name: string): string {
  expect(answer).toMatchObject({ exitCode: 0 });
  return new RegExp(`^${name} +(.*)$`, "m").exec(answer.output)?.[1] ?? "";
}

describe.each(engines)("on %s", (engine) => {
  test("a command of one word takes options as well", async () => {
    const admin = await buildAdmin(engine);
    const shown = await admin("status");
    expect([shown.exitCode, shown.output.split("\n")[0]]).toEqual([1, "MISSING   WHAT TO DO"]);
    const answer = await admin("status --json");
    expect([answer.exitCode, answer.errors]).toEqual([1, ""]);
    expect(JSON.parse(answer.output)).toMatchObject({
      missing: [{ need: "catalog" }, { need: "merchant" }],
      problems: [],
      is_well: false,
      state: { payments: [], database: { takes_writes: true } },
    });
    expect(await admin("status --loud")).toMatchObject({
      exitCode: 2,
      errors: expect.stringMatching(/^"status" takes no --loud\./) as string,
    });
    expect((await admin("--loud status")).errors).toMatch(/^Say what to do\./);
    const { errors } = await admin("--json status");
    expect(JSON.parse(errors)).toEqual({
      error: { code: "usage", message: "Say what to do.", fix: "npm run -s admin -- --help" },
    });
  });

  test("makes a merchant and a key, lists, rotates and revokes it", async () => {
    const admin = await buildAdmin(engine);
    const merchant = field(await admin('merchant create --name "Corner shop"'), "Merchant");
    expect(merchant).toMatch(/^mer_/);
    const made = await admin(
      `key create --merchant ${merchant} --role storefront --cidr 192.0.2.0/24 --cidr ::1/128 --expires 90d`,
    );
    const [key, secret] = [field(made, "API key"), field(made, "API secret")];
    expect(key).toMatch(/^mk_test_/);
    expect(secret).toMatch(/^sk_test_/);
    expect(field(made, "Scopes")).toBe("payments:write currencies:read currencies:write");
    expect(field(made, "From")).toBe("192.0.2.0/24 ::1/128");
    expect(field(made, "Expires")).toBe("2026-04-01T00:00:00.000Z");
    expect(made.errors).toContain("shown this once");

    const rotated = await admin(`key rotate ${key} --overlap 7d`);
    expect(field(rotated, "Old key")).toBe(`${key} until 2026-01-08T00:00:00.000Z`);
    expect(field(rotated, "API secret")).not.toBe(secret);
    const revoked = await admin(`key revoke ${key}`);
    expect(revoked.output).toContain(`${key} is revoked since 2026-01-01T00:00:00.000Z`);

    const { output } = await admin(`key list --merchant ${merchant}`);
    expect(output).toMatch(new RegExp(`${key} .*revoked`));
    expect(output).toMatch(new RegExp(`${field(rotated, "API key")} .*active`));
    expect(output).not.toMatch(/sk_/);
    expect((await admin(`merchant suspend ${merchant}`)).output).toContain("suspended");
    expect((await admin("merchant list")).output).toMatch(
      /^MERCHANT +STATUS +FEE BPS +CREATED +NAME\n.* suspended .*Corner shop/,
    );
    expect((await admin(`merchant activate ${merchant}`)).output).toContain("active");
    expect((await admin("secrets reseal")).output).toMatch(/api_keys\.secret_sealed +0 +2/);
  });

  test("a live key with withdrawals:write and no --cidr is refused, exit 1", async () => {
    const admin = await buildAdmin(engine);
    const merchant = field(await admin("merchant create --name Shop"), "Merchant");
    const create = `key create --merchant ${merchant} --scopes withdrawals:write --live`;
    expect(await admin(create)).toEqual({
      exitCode: 1,
      output: "",
      errors: "A live key with withdrawals:write needs at least one --cidr.\n",
    });
    expect((await admin(`${create} --cidr 192.0.2.0/24`)).exitCode).toBe(0);
    expect((await admin(`key create --merchant ${merchant} --no-scopes`)).exitCode).toBe(0);
  });
});

describe("wrong words: the usage, exit 2", () => {
  test.each([
    ["", "Say what to do."],
    ["merchant", 'There is no command "merchant".'],
    ["merchant destroy mer_1", 'There is no command "merchant destroy".'],
    ["merchant create", "--name is missing."],
    ["merchant list --live", '"merchant list" takes no --live.'],
    ["merchant suspend", '"merchant suspend" takes MERCHANT_ID.'],
    ["key revoke a b", '"key revoke" takes KEY_ID.'],
    ["key create --merchant m", "Give one of --scopes, --role and --no-scopes."],
    ["key create --merchant m --role king", 'There is no role "king".'],
    ["key create --merchant m --no-scopes --expires soon", "--expires is a duration"],
    ["key rotate k --overlap long", "--overlap is a duration"],
    ["key list --sparkle", '"key list" takes no --sparkle.'],
    ["key list --merchant", "--merchant"],
    ["key list --constructor x", '"key list" takes no --constructor.'],
    ["merchant fee --merchant m --bps many", "--bps is a whole number."],
    ["ledger fund --deployment d --amount 1 --account moon", "is hot, settlement or treasury."],
    ["catalog apply", '"catalog apply" takes FILE.'],
  ])("%j", async (line, problem) => {
    const answer = await (await buildAdmin("PostgreSQL"))(line);
    expect(answer).toMatchObject({ exitCode: 2, output: "" });
    expect(answer.errors).toContain(problem);
    expect(answer.errors).toContain("usage: npm run admin");
  });
});

describe("the usage", () => {
  test("names every command with its words, in lines that a terminal shows", () => {
    const usage = adminUsage([]);
    for (const name of adminCommands) expect(usage).toMatch(new RegExp(`^  ${name}( |$)`, "m"));
    expect(Math.max(...usage.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("is that of the command alone, where one is named", async () => {
    const admin = await buildAdmin("PostgreSQL");
    const start = `usage: npm run admin -- COMMAND

  audit list [--after NUMBER] [--limit NUMBER]
                                     who changed what: the newest entries, or those after one
      --limit NUMBER                 1 to 1000; default: 50

every command:
      --json `;
    const usage = (await admin("audit list --help")).output;
    expect(usage.slice(0, start.length)).toBe(start);
    expect(usage).not.toContain("key create");
    expect((await admin("audit list --limit many")).errors).toBe(
      `--limit is a whole number.\n\n${usage}`,
    );
  });

  test("shows what may be left out, what may stand several times, and what is a place", () => {
    expect(adminUsage(["key", "create"])).toContain(
      "  key create --merchant MERCHANT_ID [--scopes SCOPE,...] [--role ROLE] [--no-scopes] [--live]\n" +
        "             [--cidr RANGE]... [--expires WHEN] [--dry-run]\n",
    );
    expect(adminUsage(["key", "revoke"])).toContain(
      "  key revoke KEY_ID [--keep-schedules] [--dry-run] [--yes]\n                                     at once and for ever; its payout schedules end too, unless\n",
    );
  });
});

test("catalog apply hands on the text of the file, and --dry-run", async () => {
  const admin = await buildAdmin("PostgreSQL");
  const file = { name: "catalog.json", text: "{}" };
  expect((await admin("catalog apply catalog.json --dry-run", file)).output).toMatch(
    /:\n~ catalog\.json {2}listing_status {2}null -> true\nCatalog version 1 -> 2\.\n$/,
  );
  expect(JSON.parse((await admin("catalog apply catalog.json --json", file)).output)).toEqual({
    version_before: "1",
    version_after: "2",
    changes: [
      {
        what: "changed",
        id: "catalog.json",
        capability: null,
        field: "listing_status",
        was: null,
        is: false,
      },
    ],
  });
});

describe("durations and moments", () => {
  test.each([
    ["0", 0],
    ["45s", 45_000],
    ["30m", 1_800_000],
    ["24h", 86_400_000],
    ["90d", 7_776_000_000],
    ["1w", undefined],
    ["-1d", undefined],
    ["1.5h", undefined],
  ])("%s", (text, milliseconds) => {
    expect(parseDurationMilliseconds(text)).toBe(milliseconds);
  });

  test.each([
    ["1h", "2026-01-01T01:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2027-01-31T12:00:00+02:00", "2027-01-31T10:00:00.000Z"],
    ["2027-02-29", undefined],
    ["2027-01-31T12:00:00", undefined],
    ["31.01.2027", undefined],
  ])("%s is the moment %s", (text, moment) => {
    expect(parseMoment(text, startMilliseconds)?.toISOString()).toBe(moment);
  });
});
