// npm run sign: what it prints is pasted into a real shell, and the real curl sends it to a server
// that says what came.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signSync } from "../../scripts/client/sign-sync.ts";
import { programEnvironment, projectRoot } from "../programs/child.ts";
import { vectorKey as key, vectorSecret as secret } from "./vectors.ts";

interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const seen: Seen[] = [];
const folder = mkdtempSync(join(tmpdir(), "sign-"));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method = "", url: target = "", headers } = request;
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    seen.push({
      method,
      target,
      headers: Object.fromEntries(texts) as Record<string, string>,
      body: Buffer.concat(chunks),
    });
    response.end("seen\n");
  });
});
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

interface Program {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
}

function run({ command, parameters, environment, input }: Program): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...programEnvironment(), ...environment };
    const child = execFile(
      command,
      parameters,
      { cwd: projectRoot, env },
      (error, output, errors) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors });
      },
    );
    child.stdin?.end(input);
  });
}

const credentials = { MERCHANT_API_KEY: key, MERCHANT_API_SECRET: secret };

function signCommand(parameters: readonly string[], input?: string | Buffer): Promise<Ended> {
  return run({
    command: process.execPath,
    parameters: ["scripts/sign.ts", ...parameters, "--url", url],
    environment: credentials,
    ...(input === undefined ? {} : { input }),
  });
}

function paste(text: string, shell = "bash"): Promise<Ended> {
  return run({ command: shell, parameters: [], input: `${text}\n` });
}

/** Signs what has come with its own timestamp and nonce, and compares. */
function expectSigned({ method, target, headers, body }: Seen): void {
  const [path = "", query] = target.split(/\?(.*)/s);
  const again = signSync({
    key,
    secret,
    method,
    path,
    query,
    body,
    idempotencyKey: headers["idempotency-key"],
    timestamp: headers["x-timestamp"],
    nonce: headers["x-nonce"],
  });
  expect(headers["x-signature"]).toBe(again["X-Signature"]);
  expect(headers["x-api-key"]).toBe(key);
}

function lastSeen(pasted: Ended): Seen {
  expect(pasted).toMatchObject({ code: 0, errors: "" });
  const found = seen.splice(0);
  expect(found).toHaveLength(1);
  const [one] = found;
  if (one === undefined) throw new Error("nothing came");
  expectSigned(one);
  return one;
}

describe("a printed curl, pasted", () => {
  test.each([
    ["GET", "/v1/currencies"],
    ["GET", "/v1/currencies?limit=5&cursor=a%2Fb+c"],
    ["GET", "/v1/currencies?q=it's $HOME `x` \\ \" & é 😀"],
    ["get", "/v1/currencies?list[]={a,b}&range=[1-3]"],
    ["GET", "/v1/currencies/it's"],
    ["HEAD", "/v1/currencies"],
    ["POST", "/v1/webhook-endpoints/whe_1/rotate-secret"],
    ["DELETE", "/v1/x#fragment"],
  ])("%s %s", async (method, target) => {
    const printed = await signCommand([method, target]);
    expect(printed).toMatchObject({ code: 0, errors: "" });
    const one = lastSeen(await paste(printed.output));
    expect(one.method).toBe(method.toUpperCase());
    expect(one.headers["content-type"]).toBeUndefined();
    expect(one.headers["idempotency-key"] === undefined).toBe(/^(get|head)$/i.test(method));
  });

  test.each([
    ["plain", '{"active":false}'],
    ["with quotes", `{"a":"it's","b":"\\"","c":"'''"}`],
    ["what a shell would replace", '{"a":"$HOME `date` $(date) !! \\\\ \\n * ~ #"}'],
    ["that begins with @", "@/etc/passwd"],
    ["of many lines", '{\n  "a": 1\n}\n'],
    ["in other scripts", '{"a":"é 😀 ‏עברית"}'],
    ["empty", ""],
  ])("a body %s", async (_name, body) => {
    const path = join(folder, "body.json");
    writeFileSync(path, body);
    const parameters = ["POST", "/v1/payments", "--idempotency-key", "order 'A'~1", "--body"];
    for (const printed of [
      await signCommand([...parameters, path]),
      await signCommand([...parameters, "-"], body),
    ]) {
      const one = lastSeen(await paste(printed.output));
      expect(one.body.toString()).toBe(body);
      expect(one.headers["content-type"]).toBe("application/json");
      expect(one.headers["idempotency-key"]).toBe("order 'A'~1");
    }
  });

  test("works in the plain shell too", async () => {
    const printed = await signCommand(["POST", "/v1/payments", "--body", "-"], `{"a":"it's"}`);
    const one = lastSeen(await paste(printed.output, "sh"));
    expect(one.body.toString()).toBe(`{"a":"it's"}`);
  });
});

test("--headers fits curl -H @file, and its body may be any bytes", async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 64]);
  const path = join(folder, "body.bin");
  writeFileSync(path, bytes);
  const printed = await signCommand(["PUT", "/v1/x?b=1&a=2", "--body", path, "--headers"]);
  const headers = join(folder, "headers.txt");
  writeFileSync(headers, printed.output);
  const curl = `curl -sS -X PUT -H @${headers} --data-binary @${path} '${url}/v1/x?b=1&a=2'`;
  const one = lastSeen(await paste(curl));
  expect(one.body).toEqual(bytes);
});

test("--json is for programs", async () => {
  const printed = await signCommand(["POST", "/v1/x", "--body", "-", "--json"], "{}");
  const parsed = JSON.parse(printed.output) as { headers: Record<string, string> };
  expect(parsed).toMatchObject({ method: "POST", url: `${url}/v1/x`, body: "{}" });
  expect(parsed.headers["X-Signature"]).toMatch(/^[0-9a-f]{64}$/);
});

describe("refuses, with a line that helps and without a stack:", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["nothing to sign", [], /METHOD PATH/],
    ["too much", ["GET", "/v1/x", "more"], /METHOD PATH/],
    ["a path without its slash", ["GET", "v1/x"], /begins with/],
    ["a dot segment", ["GET", "/v1/../x"], /dot segments/],
    ["an unknown option", ["GET", "/v1/x", "--boddy", "-"], /boddy/],
    ["a body that is not there", ["POST", "/v1/x", "--body", "/no/such/file"], /cannot be read/],
    ["two forms at once", ["GET", "/v1/x", "--json", "--curl"], /choose one/],
  ])("%s", async (_name, parameters, message) => {
    const { code, output, errors } = await signCommand(parameters);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/\n\s+at /);
    expect(errors).not.toContain(secret);
  });

  test("bytes that are no text, in a command", async () => {
    const { code, errors } = await signCommand(["POST", "/", "--body", "-"], Buffer.from([0xff]));
    expect(code).toBe(2);
    expect(errors).toMatch(/no text/);
  });

  test("a missing secret", async () => {
    const parameters = ["scripts/sign.ts", "GET", "/v1/x"];
    const { code, errors } = await run({ command: process.execPath, parameters });
    expect(code).toBe(2);
    expect(errors).toContain("MERCHANT_API_SECRET");
  });
});

test("--help says why the secret is not on the command line", async () => {
  const { code, output } = await signCommand(["--help"]);
  expect(code).toBe(0);
  expect(output).toContain("list of processes");
});

test("--key and --secret stand above the environment", async () => {
  const other = ["--key", "mk_test_other0000000000", "--secret", "sk_test_other"];
  const { output } = await signCommand(["GET", "/v1/x", ...other, "--json"]);
  expect(output).toContain("mk_test_other0000000000");
  expect(output).not.toContain("sk_test_other");
});
