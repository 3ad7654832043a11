// The first start, as somebody who has just cloned the project meets it, and the embedded database
// through kill -9.

import { execFile } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import {
  demoCredentials,
  endChildren,
  makeFolder,
  projectRoot,
  type ServerChild,
  startChild,
  startServerChild,
} from "../server/child.ts";
import { readAnswer } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf } from "./processes.ts";

afterEach(endChildren);

/** Many processes one after the other, on machines that are slow to start them. */
const timeout = 90_000;

async function demoOf(server: ServerChild): Promise<Signer> {
  return { url: urlOf(server), ...(await demoCredentials(server)) };
}

function paste(text: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const shell = execFile("bash", [], { cwd: projectRoot, env }, (error, output, errors) => {
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

test(
  "the demo key works for all nine operations, with curls that npm run sign prints",
  { timeout },
  async () => {
    const server = await startServerChild({ DATA_DIR: makeFolder() });
    const { url, key, secret } = await demoOf(server);
    const environment = { MERCHANT_API_KEY: key, MERCHANT_API_SECRET: secret };
    const call = async (parameters: string, body?: string): Promise<JsonObject> => {
      const given = body === undefined ? "" : ` --body - <<<'${body}'`;
      const curl = await paste(
        `node scripts/sign.ts ${parameters} --url ${url}${given}`,
        environment,
      );
      const answer = await paste(curl);
      expect([parameters, answer]).toEqual([
        parameters,
        expect.stringMatching(/^HTTP\/1\.1 20[01] /),
      ]);
      return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as JsonObject;
    };
    const endpoint = await call(
      "POST /v1/webhook-endpoints",
      '{"url":"https://shop.example/hooks"}',
    );
    const path = `/v1/webhook-endpoints/${textOf(endpoint["id"])}`;
    await call(`GET ${path}`);
    await call(`PUT ${path}`, '{"url":"https://shop.example/v2","event_types":["*"]}');
    await call(`POST ${path}/status`, '{"active":false}');
    await call(`POST ${path}/rotate-secret`);
    await call("PUT /v1/currency-acceptance", '{"currencies":{"cur_usdc":{}}}');
    expect(await call("GET /v1/webhook-deliveries")).toMatchObject({
      deliveries: [{ status: "skipped" }],
    });
    await call("GET '/v1/currencies?limit=2'");
    await call("GET /v1/currencies/cur_usdc");
  },
);

test("the lines it prints for all nine operations work when pasted", { timeout }, async () => {
  const server = await startServerChild({ DATA_DIR: makeFolder() });
  await demoOf(server);
  const block = /^ {2}export MERCHANT_API_KEY[^]*?webhook-deliveries$/m.exec(server.output())?.[0];
  const answers = await paste(block ?? "");
  const statuses = answers.match(/^HTTP\/1\.1 [0-9]+/gm);
  expect(statuses).toEqual(
    ["200", "200", "200", "201", ...Array.from({ length: 5 }, () => "200")].map(
      (status) => `HTTP/1.1 ${status}`,
    ),
  );
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
    const folder = makeFolder();
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
