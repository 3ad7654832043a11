// The operator's command about webhooks, on the whole service.

import { describe, expect, onTestFinished, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import { confirmationOf } from "../../adapters/operator/confirmations.ts";
import { performConfirmed } from "../../adapters/operator/confirming.ts";
import { openService } from "../../adapters/assembly/service.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";
import { Outbox, secondMilliseconds } from "../webhooks/outbox.ts";
import { switchOff, switchOn } from "../webhooks/missed.ts";

const encryptionKey = new Uint8Array(32).fill(9);

/** An endpoint that has missed one a day, the last one a day ago. */
async function openDesk(engine: Engine) {
  const database = await openDatabase(engine);
  const outbox = new Outbox({ database, encryptionKey });
  const clock = Object.assign(new TestClock(), { monotonicMilliseconds: () => 0 });
  clock.advance(outbox.clock.nowMilliseconds() - clock.nowMilliseconds());
  const log = buildLogger("silent", { write: () => undefined });
  const configuration = parseConfiguration({
    ENCRYPTION_KEY: Buffer.from(encryptionKey).toString("base64"),
    NODE_ENV: "test",
  });
  const service = await openService(configuration, { clock, log, database });
  onTestFinished(service.close);
  const run = (line: string) => runAdmin({ words: line.split(" ") }, service.operator);
  const { id } = await outbox.addEndpoint();
  await switchOff(outbox, id);
  const events: string[] = [];
  for (let days = 0; days < 5; days++) {
    events.push(await outbox.record());
    outbox.clock.advance(86_400 * secondMilliseconds);
    clock.advance(86_400 * secondMilliseconds);
  }
  await switchOn(outbox, id);
  /** Types the word, after what happens while it is thought about. */
  const typing = async (line: string, word: string, meanwhile: () => Promise<unknown>) => {
    const words = line.split(" ");
    const confirmation = confirmationOf(words);
    if (confirmation === undefined) throw new Error(`${line} does not ask`);
    const ask = async () => {
      await meanwhile();
      return word;
    };
    const perform = (given: readonly string[]) => runAdmin({ words: given }, service.operator);
    const terminal = { write: () => undefined, ask };
    return await performConfirmed(words, confirmation, { terminal, perform });
  };
  return { run, typing, outbox, clock, id, events, audit: service.operator.audit };
}

describe.each(engines)("on %s", (engine) => {
  test("webhook resend says what it sends, in text and in JSON alike", async () => {
    const { run, id, clock, outbox, audit } = await openDesk(engine);
    const [{ merchant_id: merchant } = { merchant_id: "" }] = await outbox.deliveries();
    const ago = (days: number) =>
      new Date(clock.nowMilliseconds() - days * 86_400 * secondMilliseconds).toISOString();
    const lines = [
      `Endpoint      ${id}`,
      `Merchant      ${merchant} test`,
      "URL           https://shop.example/1",
      "Failing since -",
      `Since         ${ago(3)}`,
      `Until         ${ago(1)}`,
      "Queued        2",
      "  failed      0",
      "  skipped     2",
      `Last one due  ${new Date(clock.nowMilliseconds() + 100).toISOString()}`,
      "Pending       0",
      "Delivered     0",
      "Cancelled     0",
    ];
    const line = `webhook resend --endpoint ${id} --since 3d --until ${ago(1)}`;
    const tried = await run(`${line} --dry-run`);
    expect(tried).toMatchObject({ exitCode: 0, errors: "" });
    expect(tried.output.split("\n")).toEqual([
      "Dry run: nothing was changed. It would have said:",
      ...lines,
      `A script does exactly this with --yes --as-shown ${tried.shownAs}`,
      "",
    ]);
    expect((await outbox.deliveries()).map(({ status }) => status)).not.toContain("pending");
    expect(await audit.list({ after: 0n, limit: 10 })).toEqual([]);
    const done = await run(line);
    expect(done).toMatchObject({ exitCode: 0, errors: "" });
    expect(done.output.split("\n")).toEqual([...lines, ""]);
    const again = await run(`${line} --json`);
    expect(JSON.parse(again.output)).toEqual({
      endpoint_id: id,
      owner: { merchant_id: merchant, environment: "test" },
      url: "https://shop.example/1",
      failing_since: null,
      since: ago(3),
      until: ago(1),
      queued: 0,
      failed: 0,
      skipped: 0,
      last_due_at: null,
      pending: 2,
      delivered: 0,
      cancelled: 0,
      is_cut_short: false,
    });
    const entries = await audit.list({ after: 0n, limit: 10 });
    const about = {
      since: ago(3),
      until: ago(1),
      event_id: null,
      url: "https://shop.example/1",
    };
    expect(entries.map(({ action, details }) => [action, JSON.parse(details) as unknown])).toEqual([
      ["webhook_deliveries.resend_begun", about],
      ["webhook_deliveries.resent", { ...about, failed: 0, skipped: 2, is_cut_short: false }],
    ]);
  });

  test("webhook resend does what it has shown after the word, however long that took", async () => {
    const { run, id, outbox, clock, typing } = await openDesk(engine);
    const line = `webhook resend --endpoint ${id} --since 3d --json`;
    const now = clock.now().toISOString();
    const answer = await typing(line, id, async () => {
      await switchOff(outbox, id);
      await outbox.record();
      await switchOn(outbox, id);
      clock.advance(3 * 86_400 * secondMilliseconds);
    });
    expect(answer).toMatchObject({ exitCode: 0, errors: "" });
    expect(JSON.parse(answer.output)).toMatchObject({ until: now, queued: 3 });
    expect(JSON.parse((await run(`${line} --dry-run`)).output)).toMatchObject({ queued: 1 });
  });

  test("webhook resend does nothing where it is another URL, or another period, than was shown", async () => {
    const { run, id, outbox, clock, typing } = await openDesk(engine);
    const line = `webhook resend --endpoint ${id} --since 3d`;
    const tried = await run(`${line} --dry-run`);
    const code = tried.shownAs ?? "";
    const away = () =>
      query(outbox.database)`update webhook_endpoints set url = 'https://other.example'`;
    const answer = await typing(line, id, away);
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(answer.errors).toMatch(/^It is not as it was shown any more\. Nothing was changed\./);
    expect(answer.errors).toContain("URL         https://other.example\n");
    await query(outbox.database)`update webhook_endpoints set url = 'https://shop.example/1'`;
    const [since, , hash] = code.split("/");
    clock.advance(secondMilliseconds);
    const longer = [since, clock.now().toISOString(), hash].join("/");
    for (const [words, given] of [
      [line.replace("3d", "2d"), code],
      [`${line} --until 1d`, code],
      [line, longer],
      [line, hash],
      [line, "soon/later/never"],
    ]) {
      const refused = await run(`${words} --as-shown ${given}`);
      expect({ given, ...refused }).toMatchObject({ given, exitCode: 1, output: "" });
      expect(refused.errors).toContain("It is not as it was shown any more.");
    }
    expect((await outbox.deliveries()).map(({ status }) => status)).not.toContain("pending");
    expect(await run(`${line} --as-shown ${code}`)).toMatchObject({ exitCode: 0 });
  });

  test("webhook resend to an endpoint that fails is refused, but for one event", async () => {
    const { run, id, outbox, events, clock } = await openDesk(engine);
    const since = clock.now();
    await query(outbox.database)`update webhook_endpoints set failing_since = ${since}`;
    const refused = await run(`webhook resend --endpoint ${id} --since 3d --dry-run`);
    expect(refused).toMatchObject({ exitCode: 1, output: "" });
    expect(refused.errors).toContain(`${id} fails since ${since.toISOString()}: nothing has arr`);
    const answer = await run(`webhook resend --endpoint ${id} --event ${events[2]} --dry-run`);
    expect(answer.output).toContain(`\nFailing since ${since.toISOString()}\n`);
  });

  test("webhook resend of one event needs no time", async () => {
    const { run, id, events, outbox } = await openDesk(engine);
    const answer = await run(`webhook resend --endpoint ${id} --event ${events[2]} --json`);
    expect(JSON.parse(answer.output)).toMatchObject({ queued: 1 });
    const sent = (await outbox.deliveries()).filter(({ status }) => status === "pending");
    expect(sent.map((one) => one.event_id)).toEqual([events[2]]);
  });

  test.each([
    ["--endpoint whe_none --since 1d", 1, "There is no endpoint whe_none."],
    ["--endpoint ENDPOINT", 2, "--since is missing."],
    ["--since 1d", 2, "--endpoint is missing."],
    ["--endpoint ENDPOINT --since yesterday", 2, "--since is how long ago, such as 7d, or a date"],
    ["--endpoint ENDPOINT --since 1d --until soon", 2, "--until is how long ago, such as 7d"],
    ["--endpoint ENDPOINT --since 27d", 1, "cannot be sent anew"],
    ["--endpoint ENDPOINT --since 1d --until 2d", 1, "The period ends before it begins."],
    ["--endpoint ENDPOINT --event evt_none", 1, "evt_none was never recorded for whe_"],
  ])("webhook resend %s is refused, and nothing is sent", async (words, exitCode, message) => {
    const { run, id, outbox } = await openDesk(engine);
    const answer = await run(`webhook resend ${words.replace("ENDPOINT", id)}`);
    expect(answer).toMatchObject({ exitCode, output: "" });
    expect(answer.errors).toContain(message);
    expect((await outbox.deliveries()).map(({ status }) => status)).not.toContain("pending");
  });

  test("an endpoint that is off is refused, with what to do", async () => {
    const { run, id, outbox } = await openDesk(engine);
    await switchOff(outbox, id);
    const answer = await run(`webhook resend --endpoint ${id} --since 5d --json`);
    expect(answer).toMatchObject({ exitCode: 1, output: "" });
    expect(JSON.parse(answer.errors)).toEqual({
      error: {
        code: "refused",
        message:
          `${id} is switched off since ${outbox.now.toISOString()}, by the merchant. Its merchant switches it on ` +
          `when its receiver works: POST /v1/webhook-endpoints/${id}/status with {"active":true}. Then do this again.`,
      },
    });
  });
});
