// The commands of docs/developer-tool.md, typed as they stand there beside the package.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { otherWays, ways } from "../../../scripts/client/tool/triggered-events.ts";
import { endChildren, projectRoot, startChild } from "../../programs/child.ts";
import { answerWith, startReceiver } from "../../webhooks/receiver.ts";
import { endOf, installTool, type PackedTool } from "./packed-tool.ts";
import { startToolService, type ToolService } from "./tool-service.ts";

let tool: PackedTool;
let service: ToolService;
beforeAll(async () => {
  tool = installTool();
  service = await startToolService();
});
afterAll(endChildren);

const page = readFileSync(join(projectRoot, "docs", "developer-tool.md"), "utf8");
const commands = Array.from(
  page.matchAll(/^(?:echo|npx --no -- merchant-payments) .*$/gm),
  ([line]) => line,
);

test("they do what it says", async () => {
  const shop = await service.newShop();
  await using receiver = await startReceiver(answerWith(204));
  const payment = await shop.client.payments.createPayment({
    merchant_order_no: "documented",
    quotes: { cur_usdc: { amount: "4.00" } },
  });
  const secret = `whsec_${Buffer.from("a secret of the shop").toString("base64")}`;
  const body = JSON.stringify({ id: "evt_1", type: "payment.paid", data: {} });
  const now = new Date();
  const signature = new Webhook(secret).sign("evt_1", now, body);
  const seconds = Math.floor(now.getTime() / 1000);
  const headers = `webhook-id: evt_1\nwebhook-timestamp: ${seconds}\nwebhook-signature: ${signature}\n`;
  writeFileSync(join(tool.folder, "headers.txt"), headers);
  writeFileSync(join(tool.folder, "body.json"), body);
  const type = (line: string) => {
    // Alone it is the process that hears a signal.
    const alone = /^npx [^|]*$/.test(line) ? "exec " : "";
    const words = line
      .replace("http://127.0.0.1:8545", service.rpcUrl)
      .replace("http://127.0.0.1:3000/webhooks", receiver.url);
    return startChild(
      ["-c", `cd '${tool.folder}' && ${alone}${words}`],
      {
        ...shop.environment,
        CHECKOUT_URL: payment.checkout_url,
        WEBHOOK_SECRET: secret,
        XDG_STATE_HOME: join(tool.folder, "state"),
      },
      "bash",
    );
  };
  const [listen = "", ...others] = commands;
  expect(listen).toContain(" listen ");
  const listening = type(listen);
  await listening.waitFor(/Ready: every event/);
  const said: string[] = [];
  for (const line of others) {
    const { code, output, errors } = await endOf(type(line));
    expect({ line, code, errors }).toEqual({ line, code: 0, errors: "" });
    said.push(output);
  }
  expect(said).toHaveLength(7);
  expect(said.join("\n")).toMatch(
    /^\nHTTP\/1\.1 200 [^]*\npayment\.paid has happened.*\n[^]*payment\.cancelled has .*\n\nPaid 4\.00 test USDC.*\n\nvalid: [^]*\n {2}-H 'X-Signature: \w+'\n$/,
  );
  const told = await listening.waitFor(/payment\.cancelled +evt_\w+ 204 \d+ ms/);
  expect(told).toMatch(/payment\.paid +evt_\w+ 204 \d+ ms/);
  // As a terminal does it: npx, the shell that it starts, and the tool all hear it.
  process.kill(-listening.pid, "SIGINT");
  const { output } = await endOf(listening);
  expect(output).toMatch(/\n\d+ events: \d+ taken by .*, 0 not\n$/);
});

test("the page names each command, and the events that can be had", async () => {
  const { output } = await tool.run(["--help"]);
  const named = Array.from(page.matchAll(/^\| `(\w+)` /gm), ([, name = ""]) => name);
  const known = Array.from(output.matchAll(/^ {2}([a-z]+) {2,}\w/gm), ([, name = ""]) => name);
  expect(named).toEqual(known);
  const list = /Ten events can be had: (.*?)\. Three/s.exec(page)?.[1] ?? "";
  const events = list.match(/\.[a-z_]+/g)?.map((name) => `payment${name}`);
  expect(events?.toSorted()).toEqual([...ways.keys()].toSorted());
  expect(otherWays.size).toBeGreaterThan(0);
});

test("every page says npx --no", () => {
  const pages = ["CHANGELOG.md", "README.md", "docs/**/*.md", "scripts/**/*.md"];
  const texts = globSync(pages, { cwd: projectRoot }).map((name) =>
    readFileSync(join(projectRoot, name), "utf8"),
  );
  const found = texts.flatMap((text) => text.match(/npx.{0,20}merchant-payments/g) ?? []);
  expect(new Set(found)).toEqual(new Set(["npx --no -- merchant-payments"]));
});
