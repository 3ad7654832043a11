// The programs in docs/signing.md are run as they stand there, against both published vectors.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { signSync } from "../../scripts/client/sign-sync.ts";
import { useService } from "../support/service.ts";
import { vectorKey as key, vectors, vectorSecret as secret } from "./vectors.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "signing.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "documented-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** `<!-- file: NAME -->` and the block of code behind it. */
const programs = new Map(
  Array.from(page.matchAll(/<!-- file: (\S+) -->\n+```\w+\n(.*?)\n```/gs), ([, name, text]) => {
    const path = join(folder, name ?? "");
    writeFileSync(path, `${text}\n`);
    return [name ?? "", path] as const;
  }),
);

const interpreters = [
  { name: "JavaScript", file: "sign.mjs", command: process.execPath },
  { name: "Python", file: "sign.py", command: "python3" },
  { name: "shell", file: "sign.sh", command: "bash" },
] as const;

/** Tools that a program calls besides its interpreter. */
const needed: Readonly<Record<string, readonly string[]>> = {
  "sign.sh": ["openssl", "od", "paste", "tr"],
};

function isThere(command: string): boolean {
  return spawnSync(command, ["--version"]).error === undefined;
}

interface Run {
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function run(file: string, { parameters, environment }: Run): string {
  const path = programs.get(file);
  const found = interpreters.find((one) => one.file === file);
  if (path === undefined || found === undefined) throw new Error(`docs/signing.md lost ${file}`);
  const missing = [found.command, ...(needed[file] ?? [])].filter((one) => !isThere(one));
  // Nothing is skipped: a machine without them cannot say that the page is right.
  if (missing.length > 0)
    throw new Error(`install ${missing.join(", ")}: ${file} cannot be tested`);
  const { PATH } = process.env;
  const defined = Object.entries({
    PATH,
    MERCHANT_API_KEY: key,
    MERCHANT_API_SECRET: secret,
    ...environment,
  });
  const { status, stdout, stderr } = spawnSync(found.command, [path, ...parameters], {
    encoding: "utf8",
    env: Object.fromEntries(defined.filter(([, value]) => value !== undefined)),
  });
  expect({ file, status, stderr }).toEqual({ file, status: 0, stderr: "" });
  return stdout;
}

test("the page has a program for each interpreter and no other", () => {
  expect([...programs.keys()]).toEqual(interpreters.map(({ file }) => file));
});

describe.each(interpreters)("$name", ({ file }) => {
  test.each(vectors)("$name vector", (vector) => {
    const { method, path, query, timestamp, nonce, idempotencyKey, body, signature } = vector;
    const output = run(file, {
      parameters: [
        method,
        query === "" ? path : `${path}?${query}`,
        ...(body === undefined ? [] : [body]),
      ],
      environment: { TIMESTAMP: timestamp, NONCE: nonce, IDEMPOTENCY_KEY: idempotencyKey },
    });
    const lines = [
      `X-Api-Key: ${key}`,
      `X-Timestamp: ${timestamp}`,
      `X-Nonce: ${nonce}`,
      `X-Signature: ${signature}`,
      ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
    ];
    expect(output).toBe(`${lines.join("\n")}\n`);
  });

  test("a query and a body that are harder than the vectors", () => {
    const query = String.raw`b=2&a=x+y%2b&a-=1&&a=%c3%a9&n&e=%7e!*'()%5c\n%&=v&a=1`.replace(
      "%&",
      "%25&",
    );
    const body = '{"text":"it\'s é 😀 \\\\n \\" $HOME `x`","line":\n1}\n ';
    const fixed = { timestamp: "1767225600", nonce: "n-0123456789abcdef", idempotencyKey: "~!'$x" };
    const output = run(file, {
      parameters: ["put", `/v1/x-y_z.~/1?${query}`, body],
      environment: {
        TIMESTAMP: fixed.timestamp,
        NONCE: fixed.nonce,
        IDEMPOTENCY_KEY: fixed.idempotencyKey,
      },
    });
    const expected = signSync({
      key,
      secret,
      method: "PUT",
      path: "/v1/x-y_z.~/1",
      query,
      body,
      ...fixed,
    });
    expect(output).toContain(`X-Signature: ${expected["X-Signature"]}\n`);
  });

  test("time and nonce are its own when none are given", () => {
    const parameters = ["GET", "/v1/currencies"];
    const outputs = [1, 2].map(() => run(file, { parameters, environment: {} }));
    const nonces = outputs.map((output) => /X-Nonce: ([A-Za-z0-9_-]{16,64})\n/.exec(output)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    const timestamp = Number(/X-Timestamp: (\d{10})\n/.exec(outputs[0] ?? "")?.[1]);
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(60);
  });
});

describe.each(interpreters)("$name, against the service itself", ({ file }) => {
  const service = useService("PostgreSQL");

  test.each([
    ["/v1/currencies?limit=%35", undefined],
    ["/v1/webhook-endpoints", '{"url":"https://shop.example/hooks"}'],
  ])("%s", async (target, body) => {
    const [method, status] =
      body === undefined ? (["GET", 200] as const) : (["POST", 201] as const);
    const merchant = await service.newMerchant();
    const output = run(file, {
      parameters: [method, target, ...(body === undefined ? [] : [body])],
      environment: {
        MERCHANT_API_KEY: merchant.key,
        MERCHANT_API_SECRET: merchant.secret,
        IDEMPOTENCY_KEY: body === undefined ? undefined : "hook-1",
      },
    });
    const headers = new Headers(
      output
        .trim()
        .split("\n")
        .map((line): [string, string] => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
    );
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const response = await fetch(merchant.url + target, { method, headers, body: body ?? null });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status });
  });
});

test("the vectors on the page are the published ones", () => {
  for (const { signature, nonce, path, query, body = "" } of vectors) {
    for (const text of [signature, nonce, path, query, body]) expect(page).toContain(text);
  }
});
