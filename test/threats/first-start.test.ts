// The first start, as somebody who has just cloned the project meets it, and the embedded database
// through kill -9.

import { execFile } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import {
  demoCredentials,
  endChildren,
  makeDataDirectory,
  makeFolder,
  projectRoot,
  type ServerChild,
  startChild,
  startServerChild,
} from "../programs/child.ts";
import { readAnswer } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf } from "./processes.ts";
import { patienceMilliseconds } from "../support/patience.ts";

afterEach(endChildren);

/** Many processes one after the other, on machines that are slow to start them. */
const timeout = 90_000;

async function demoOf(server: ServerChild): Promise<Signer> {
  return { url: urlOf(server), ...(await demoCredentials(server)) };
}

function paste(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = execFile("bash", [], { cwd: projectRoot }, (error, output, errors) => {
      if (error === null) resolve(output);
      else reject(new Error(`${text}\n${errors}`, { cause: error }));
    });
    shell.stdin?.end(`${text}\n`);
  });
}

test(
  "the first start shows a demo key and a curl that works when it is pasted, once",
  { timeout },
  async () => {
    const server = await startServerChild({ DATA_DIR: makeFolder() });
    const demo = await demoOf(server);
    expect(server.output()).toMatch(/demo/i);
    const curl = /^ *curl (?:.*\\\n)*.*$/m.exec(server.output())?.[0] ?? "";
    expect(curl).toContain(demo.key);
    const answer = await paste(curl);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"cur_');
    expect(await paste(curl)).toMatch(/^HTTP\/1\.1 401 [\s\S]*nonce_reused/);
  },
);

const withoutPayments = "200 200 200 201 200 200 200 200 201 200 200";
const withPayments = "200 200 200 201 200 200 200 200 201 200 201 200 200";

test.each([
  ["off", "eleven", withoutPayments],
  ["on", "thirteen", withPayments],
])("LOCAL_CHAIN %s: the lines for %s operations work", { timeout }, async (...given) => {
  const [LOCAL_CHAIN, count, expected] = given;
  const server = await startServerChild({ LOCAL_CHAIN });
  await demoOf(server);
  expect(server.output()).toContain(`it signs and sends ${count} operations.`);
  expect(server.output().includes("No payment can be made here")).toBe(LOCAL_CHAIN === "off");
  const block = /^ {2}export MERCHANT_API_KEY[^]*?webhook-deliveries$/m.exec(server.output())?.[0];
  const answers = await paste(block ?? "");
  const statuses = answers.match(/^HTTP\/1\.1 [0-9]+/gm);
  expect(statuses).toEqual(expected.split(" ").map((status) => `HTTP/1.1 ${status}`));
});

test(
  "with a chain of its own, the lines it prints make a payment and pay it",
  { timeout },
  async () => {
    const server = await startServerChild({ LOCAL_CHAIN: "on" });
    await demoOf(server);
    const lines = server.output().split("\n");
    const setting = lines.filter((line) =>
      /^ {2}(?:export |call\(\)|call PUT \S*accept)/.test(line),
    );
    const paying = lines.filter((line) => /^ {2}(?:MADE=.*"B-|PAGE=|npm run -s pay)/.test(line));
    expect([setting.length, paying.length]).toEqual([4, 4]);
    const said = await paste([...setting, ...paying].join("\n"));
    expect(said).toMatch(/Paid 10\.00 test USDC [\s\S]*Paid 15 test USDC /);
    const page = /^http\S+\/checkout\/\S+$/m.exec(said)?.[0] ?? "";
    const ask = async (): Promise<unknown> => {
      const answer = await fetch(page, { headers: { Accept: "application/json" } });
      return { status: answer.status, body: await answer.json() };
    };
    // no longer 402, and final after two more blocks, which come by themselves
    await expect
      .poll(ask, { timeout: patienceMilliseconds, interval: 1_500 })
      .toMatchObject({ status: 200, body: { status: "paid" } });
  },
);

test(
  "who comes back is told how to go on, with a new key, and no secret",
  { timeout },
  async () => {
    const environment = { DATA_DIR: makeFolder(), LOCAL_CHAIN: "on" };
    const first = await startServerChild(environment);
    const demo = await demoOf(first);
    first.kill("SIGTERM");
    await first.ended;
    const second = await startServerChild(environment);
    const text = await second.waitFor(/npm run -s pay [^\n]*\n[^\n]*npm run -s pay [^\n]*\n/);
    expect(text).not.toContain(demo.secret);
    expect(text).not.toMatch(/sk_test_[\w-]{8}/);
    expect((await fetch(/http:\S+\/docs$/m.exec(text)?.[0] ?? "")).status).toBe(200);
    // The chain listens where it did, so that a wallet finds it again.
    const chainOf = (said: string) => /--rpc (http:\S+)/.exec(said)?.[1];
    expect(chainOf(text)).toBe(chainOf(first.output()));
    expect(chainOf(text)).toBeDefined();

    const [, words = ""] = /^ {2}npm run admin -- (key create .*)$/m.exec(text) ?? [];
    const admin = startChild(["adapters/admin.ts", ...words.split(" ")], environment);
    expect(await admin.ended).toMatchObject({ code: 0 });
    const [key = "", secret = ""] = admin.output().match(/[ms]k_test_[\w-]+/g) ?? [];
    const lines = text.split("\n").filter((line) => /^ {2}(?:call|MADE=|PAGE=|export)/.test(line));
    const filled = lines.join("\n").replace("mk_test_...", key).replace("sk_test_...", secret);
    const said = await paste(filled);
    expect(said).toMatch(/^HTTP\/1\.1 200 [^]*^http\S+\/checkout\/\S+$/m);
  },
);

test("with another encryption key it does not start, and names the one it lacks", async () => {
  const folder = makeFolder();
  const first = await startServerChild({ DATA_DIR: folder });
  await demoOf(first);
  first.kill("SIGTERM");
  await first.ended;
  const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
  const child = startChild(["adapters/main.ts"], { DATA_DIR: folder, PORT: "0", ENCRYPTION_KEY });
  const { code } = await child.ended;
  expect(code).toBe(1);
  expect(child.errors()).toMatch(/under an encryption key that is not given \(id [0-9a-f]{8}\)/);
});

test("in production it does not start without an encryption key, and says so", async () => {
  const child = startChild(["adapters/main.ts"], {
    DATA_DIR: makeFolder(),
    PORT: "0",
    NODE_ENV: "production",
  });
  const { code } = await child.ended;
  expect(code).not.toBe(0);
  expect(child.errors()).toContain("ENCRYPTION_KEY");
  expect(child.errors()).not.toMatch(/\n\s+at /);
  expect(child.output()).not.toMatch(/sk_test_/);
});

test(
  "what was acknowledged is still there after kill -9 of the embedded server",
  { timeout },
  async () => {
    const folder = await makeDataDirectory();
    const first = await startServerChild({ DATA_DIR: folder });
    const demo = await demoOf(first);
    const register = operationBy("registerWebhookEndpoint");
    const acknowledged: JsonObject[] = [];
    const work = Array.from({ length: 18 }, async (_, at) => {
      const body = { url: `https://shop.example/hooks/${at}` };
      const response = await send(demo, validRequest(register, { body }));
      acknowledged.push((await response.json()) as JsonObject);
      // killed in the middle of it: what is not answered may or may not be there
      if (acknowledged.length === 9) first.kill("SIGKILL");
    });
    await Promise.allSettled(work);
    await first.ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(9);

    const second = await startServerChild({ DATA_DIR: folder });
    const signer = { ...demo, url: urlOf(second) };
    const read = operationBy("getWebhookEndpoint");
    for (const { id } of acknowledged) {
      const request = validRequest(read, { path: { id: textOf(id) } });
      const answer = await readAnswer(await send(signer, request), read);
      expect(answer).toMatchObject({ status: 200, body: { id } });
    }
  },
);
