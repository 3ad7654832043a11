// The operator's commands about subscriptions, on the whole service.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import { openService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { projectRoot } from "../programs/child.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { TestClock } from "../support/service-parts.ts";

const catalogPath = join(projectRoot, "adapters", "catalog", "catalog.json");
const place = "--currency cur_usdc --chain eip155:8453";

async function openDesk(engine: Engine) {
  const clock = Object.assign(new TestClock(), { monotonicMilliseconds: () => 0 });
  const log = buildLogger("silent", { write: () => undefined });
  const configuration = parseConfiguration({
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_ENV: "test",
  });
  const database = await openDatabase(engine);
  const service = await openService(configuration, {
    clock,
    log,
    database,
    watching: ["eip155:8453"],
  });
  onTestFinished(service.close);
  const file = { name: "catalog.json", text: readFileSync(catalogPath, "utf8") };
  const run = (line: string) => runAdmin({ words: line.split(" "), file }, service.operator);
  await run("catalog apply catalog.json");
  const { output } = await run("merchant create --name Shop");
  const merchant = /mer_\w+/.exec(output)?.[0] ?? "";
  return { run, merchant, audit: service.operator.audit };
}

describe.each(engines)("on %s", (engine) => {
  test("subscription create says what was made, and subscription list what there is", async () => {
    const { run, merchant, audit } = await openDesk(engine);
    const create = `subscription create --merchant ${merchant} ${place} --interval 30d`;
    const made = await run(
      `${create} --environment live --amount 9.990 --user-id u-1 --first-bill-at 7d`,
    );
    expect(made).toMatchObject({ exitCode: 0, errors: "" });
    const id = /^Subscription (sub_\w+)$/m.exec(made.output)?.[1] ?? "";
    expect(made.output.split("\n").slice(1)).toEqual([
      `Merchant     ${merchant} live`,
      "Amount       9.99 of dep_usdc_base",
      "Interval     2592000 s",
      "Missed       collapse",
      "First bill   2026-01-08T00:00:00.000Z",
      "",
    ]);
    const each = await run(`${create} --environment test --amount 5 --missed each`);
    expect(each).toMatchObject({ exitCode: 0, errors: "" });
    expect(each.output).toContain("\nMissed       each\n");
    const wrong = await run(`${create} --environment test --amount 5 --missed all`);
    expect([wrong.exitCode, wrong.errors]).toEqual([
      2,
      expect.stringContaining("--missed is collapse or each."),
    ]);
    const { output } = await run(`subscription list --merchant ${merchant}`);
    const [heading, ...rows] = output.split("\n");
    expect(heading).toMatch(
      /^SUBSCRIPTION +ENVIRONMENT +STATUS +AMOUNT +DEPLOYMENT +SECONDS +NEXT/,
    );
    const own = rows.find((row) => row.startsWith(id))?.split(/ {2,}/);
    expect(own?.slice(1)).toEqual([
      "live",
      "incomplete",
      "9.99",
      "dep_usdc_base",
      "2592000",
      "2026-01-08T00:00:00.000Z",
      "-",
      "u-1",
    ]);
    expect(rows.filter((row) => row.startsWith("sub_"))).toHaveLength(2);
    const entries = await audit.list({ after: 0n, limit: 100 });
    const entry = entries.find(({ subject }) => subject.id === id);
    expect(entry).toMatchObject({
      actor: "operator",
      action: "subscription.created",
      merchantId: merchant,
      environment: "live",
      subject: { type: "subscription", id },
    });
    expect(JSON.parse(entry?.details ?? "")).toEqual({
      deployment_id: "dep_usdc_base",
      amount_raw: "9990000",
      interval_secs: 2_592_000,
      missed_periods: "collapse",
      first_bill_at: "2026-01-08T00:00:00.000Z",
    });
  });

  test.each([
    ["", 2, "--environment is missing."],
    ["--environment sandbox", 2, "--environment is live or test."],
    ["--environment test --amount 5 --interval monthly", 2, "--interval is a duration"],
    ["--environment test --amount 5 --interval 1h", 1, "The interval must be"],
    ["--environment test --amount 0 --interval 30d", 1, "The amount is one such as 9.99"],
    ["--environment test --amount 5 --interval 30d --first-bill-at soon", 2, "--first-bill-at is"],
    ["--environment test --amount 5 --interval 30d --first-bill-at 2020-01-01", 1, "in the past"],
  ])("subscription create %s is refused, and nothing is made", async (words, exitCode, message) => {
    const { run, merchant, audit } = await openDesk(engine);
    const line = `subscription create --merchant ${merchant} ${place} ${words}`.trim();
    const answer = await run(line);
    expect(answer.exitCode).toBe(exitCode);
    expect(answer.errors).toContain(message);
    const { output } = await run(`subscription list --merchant ${merchant}`);
    expect(output.split("\n")).toHaveLength(2);
    const entries = await audit.list({ after: 0n, limit: 100 });
    expect(entries.map(({ action }) => action)).not.toContain("subscription.created");
  });

  test("subscription create on a chain that nobody watches is refused", async () => {
    const { run, merchant } = await openDesk(engine);
    const wish =
      "--currency cur_usdc --chain eip155:1 --environment test --amount 5 --interval 30d";
    const answer = await run(`subscription create --merchant ${merchant} ${wish}`);
    expect(answer.exitCode).toBe(1);
    expect(answer.errors).toContain("Nobody watches eip155:1");
    expect(answer.errors).toContain("EVM_RPC_URLS");
  });

  test("subscription create for a merchant that is not there is refused", async () => {
    const { run } = await openDesk(engine);
    const wish = "--environment test --amount 5 --interval 30d";
    const answer = await run(`subscription create --merchant mer_nobody ${place} ${wish}`);
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(answer.errors).toContain("There is no merchant mer_nobody");
  });
});
