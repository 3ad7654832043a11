// What the check of a server is told, and what it does not do.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOptions } from "../../scripts/replay/options.ts";

const key = "mk_test_0123456789abcdef";
const secret = "sk_test_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
const url = "https://pay.example";
const credentials = { MERCHANT_API_KEY: key, MERCHANT_API_SECRET: secret };

test("takes the key and its secret from the environment, the command line or a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "secret");
  writeFileSync(file, `${secret}\n`);
  for (const [args, environment] of [
    [[], credentials],
    [["--key", key, "--secret", secret], {}],
    [["--key", key, "--secret-file", file], {}],
    [["--secret-file", file], { ...credentials, MERCHANT_API_SECRET: "sk_test_other" }],
  ] as const) {
    const options = readOptions(["--url", url, ...args], environment);
    expect(options).toMatchObject({ url, key, secret, environment: "test", isWhole: false });
  }
});

test("gives the rest a value", () => {
  expect(readOptions([], { ...credentials, CONTRACT_URL: url })).toEqual({
    url,
    key,
    secret,
    environment: "test",
    isWhole: false,
    report: undefined,
    isJson: false,
    requestSeconds: 10,
    patienceSeconds: 300,
    concurrency: 4,
    otherHeaders: [],
    given: { endpoints: [], withdrawAddress: undefined, subscription: undefined },
  });
});

test.each([
  "http://localhost:8080",
  "http://127.0.0.1:1",
  "http://127.1.2.3",
  "http://[::1]:8080",
  `${url}/`,
])("asks %s", (given) => {
  const options = readOptions(["--url", given], credentials);
  expect(options?.url).toBe(given.replace(/\/$/, ""));
});

test.each<readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
  ["no server", [], credentials, /say where the server is/],
  ["no address", ["--url", "pay.example"], credentials, /like https:\/\/pay.example/],
  ["another protocol", ["--url", "ftp://pay.example"], credentials, /like https/],
  [
    "http to another machine",
    ["--url", "http://pay.example"],
    credentials,
    /write https:\/\/pay.example/,
  ],
  [
    "http to a name that looks local",
    ["--url", "http://127.0.0.1.pay.example"],
    credentials,
    /write https/,
  ],
  [
    "a path",
    ["--url", `${url}/v1`],
    credentials,
    /the server's address alone, https:\/\/pay.example/,
  ],
  ["a user", ["--url", "https://me:pass@pay.example"], credentials, /no user/],
  ["no key", ["--url", url], { MERCHANT_API_SECRET: secret }, /MERCHANT_API_KEY/],
  ["a secret in place of the key", ["--url", url, "--key", secret], credentials, /is a secret/],
  ["what is no key", ["--url", url, "--key", "mk_prod_1"], credentials, /no API key/],
  ["no secret", ["--url", url], { MERCHANT_API_KEY: key }, /MERCHANT_API_SECRET/],
  [
    "the secret of the other environment",
    ["--url", url, "--key", "mk_live_0123456789abcdef"],
    credentials,
    /begins with sk_live_/,
  ],
  [
    "two secrets",
    ["--url", url, "--secret", secret, "--secret-file", "x"],
    credentials,
    /take one/,
  ],
  [
    "a file that is not there",
    ["--url", url, "--secret-file", "/no/such"],
    credentials,
    /cannot be read/,
  ],
  [
    "--all with a live key",
    ["--url", url, "--all", "--key", "mk_live_0123456789abcdef"],
    { MERCHANT_API_SECRET: secret.replace("test", "live") },
    /of the live environment/,
  ],
  [
    "things to change without --all",
    ["--url", url, "--endpoint", "whe_1"],
    credentials,
    /are for --all/,
  ],
  [
    "no number",
    ["--url", url, "--timeout", "soon"],
    credentials,
    /--timeout is a whole number from 1 to 120/,
  ],
  ["too much at once", ["--url", url, "--concurrency", "17"], credentials, /from 1 to 16/],
  ["an unknown option", ["--url", url, "--quick"], credentials, /--quick/],
  ["a word", ["--url", url, "now"], credentials, /now/],
])("refuses %s", (...[, args, environment, message]) => {
  let told = "";
  try {
    readOptions(args, environment);
  } catch (error) {
    told = error instanceof Error ? error.message : String(error);
  }
  expect(told).toMatch(message);
  expect(told).not.toContain(secret);
});

test("--help needs nothing", () => {
  expect(readOptions(["--help"], {})).toBeUndefined();
});
