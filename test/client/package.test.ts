// The package of the client: what is in it, how large it is, and what its types let through.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { installClient, mistakesOf, type PackedClient } from "./packed-client.ts";

const folder = makeFolder();
let packed: PackedClient;
beforeAll(() => {
  packed = installClient(folder);
});
afterAll(endChildren);

/** What the entry that every shop loads reaches; the others are for who sells by x402, and the developer tool. */
function plainPrograms(): readonly string[] {
  const reached = new Set(["scripts/client/merchant-payments.js"]);
  for (const name of reached) {
    for (const [, path = ""] of read(name).matchAll(/(?:from|import\(|import)\s*"(\.[^"]+)"/g)) {
      reached.add(join(name, "..", path));
    }
  }
  return [...reached];
}

const read = (name: string): string => readFileSync(join(packed.folder, name), "utf8");

test("its programs are below 15 kB, compressed; the tarball, with all types and the developer tool, below 65 kB", () => {
  const programs = plainPrograms();
  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter((name) => /\/tool\/|\/x402-/.test(name))).toEqual([]);
  expect(gzipSync(programs.map(read).join(""), { level: 9 }).length).toBeLessThan(15_000);
  expect(packed.bytes).toBeLessThan(65_000);
});

test("the developer tool needs Node, and nothing but openapi-fetch", () => {
  const tool = globSync("scripts/client/tool/*.js", { cwd: packed.folder });
  const modules = tool.flatMap((name) =>
    [...read(name).matchAll(/(?:from|import\()\s*"([^".][^"]*)"/g)].map(([, module]) => module),
  );
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((name) => !name?.startsWith("node:"))).toEqual([]);
  const { bin } = JSON.parse(read("package.json")) as { bin: Readonly<Record<string, string>> };
  const [first] = read(bin["merchant-payments"] ?? "").split("\n");
  expect(first).toBe("#!/usr/bin/env node");
});

test("nothing of it needs Node, and nothing but openapi-fetch is brought", () => {
  const names = plainPrograms().flatMap((name) =>
    [...read(name).matchAll(/(?:from|import\()\s*"([^".][^"]*)"/g)].map(([, module]) => module),
  );
  expect(new Set(names)).toEqual(new Set(["openapi-fetch"]));
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };
  const own = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const version = own.devDependencies["openapi-fetch"];
  expect(dependencies).toEqual({ "openapi-fetch": version });
});

test("every declaration has what it names", () => {
  for (const name of globSync("**/*.d.ts", { cwd: packed.folder })) {
    for (const [, module = ""] of read(name).matchAll(/from "(\.[^"]*)\.js"/g)) {
      const path = join(packed.folder, name, "..", `${module}.d.ts`);
      expect(readFileSync(path, "utf8").length, `${name} names ${module}`).toBeGreaterThan(0);
    }
  }
});

function mistakesIn(program: string): readonly string[] {
  writeFileSync(join(folder, "shop.ts"), program);
  return mistakesOf(folder, ["shop.ts"]);
}

const before = `import { merchantPayments } from "merchant-payments";
const { payments, x402 } = merchantPayments({ url: "", key: "", secret: "" });
const quotes = { cur_usdc: { amount: "25.00" } };
`;

/** All that the contract says of cancelPayment: each case of a switch. */
const codes =
  `authentication_failed timestamp_out_of_range nonce_reused insufficient_scope ip_not_allowed
  merchant_suspended not_found payment_not_cancellable idempotency_in_progress invalid_request missing_header
  invalid_header unknown_parameter body_too_large idempotency_key_reused rate_limited internal_error
  service_unavailable`.split(/\s+/);
const handling = (handled: readonly string[]): string => `
  try { await payments.cancelPayment({ id: "pay_1" }); } catch (error) {
    if (!payments.cancelPayment.isError(error)) throw error;
    switch (error.code) {
      ${handled.map((code) => `case "${code}":`).join(" ")} break;
      default: error satisfies never;
    }
  }`;

describe("the compiler", () => {
  test("takes what is right: the answer, the errors by code, all pages", () => {
    const program = `${before}
      import { verifyWebhook } from "merchant-payments";
      try {
        const payment = await payments.createPayment({ merchant_order_no: "A-1", quotes });
        const url: string = payment.checkout_url;
        void url;
      } catch (error) {
        if (!payments.createPayment.isError(error)) throw error;
        if (error.code === "order_already_exists") {
          const id: string = error.body.details.payment_id;
          void id;
        }
      }
      const answer = await payments.cancelPayment.answer({ id: "pay_1" }, { signal: AbortSignal.abort() });
      if (answer.status === 404) { const code: "not_found" = answer.body.code; void code; }
      const settled = await x402.settleX402Payment.answer(null!);
      if (settled.status === 202) void settled.headers.get("Retry-After");
      const event = await verifyWebhook("", new Headers(), "whsec_");
      if (event.type === "payment.paid") { const no: string = event.data.merchant_order_no; void no; }
    `;
    expect(mistakesIn(program + handling(codes))).toEqual([]);
  });

  test.each([
    [
      "an amount that is a number",
      `await payments.createPayment({ merchant_order_no: "A", quotes: { cur_usdc: { amount: 25 } } });`,
      /TS2322: Type 'number' is not assignable to type 'string'/,
    ],
    [
      "a missing field",
      `await payments.createPayment({ quotes });`,
      /TS2345: .*CreatePaymentRequest/,
    ],
    [
      "a field that there is not",
      `await payments.createPayment({ merchant_order_no: "A", quotes, currency: "USD" });`,
      /TS2353: .*'currency'/,
    ],
    [
      "an error code that nobody handles",
      handling(codes.filter((code) => code !== "payment_not_cancellable")),
      /TS1360: .*does not satisfy the expected type 'never'/,
    ],
    [
      "a code that this operation has not",
      `const answer = await payments.cancelPayment.answer({ id: "pay_1" });
       if (answer.status === 409 && answer.body.code === "order_already_exists") void answer;`,
      /TS2367: .*no overlap/,
    ],
    [
      "an event that there is not",
      `import { verifyWebhook } from "merchant-payments";
       const event = await verifyWebhook("", {}, "");
       if (event.type === "payment.payed") void event;`,
      /TS2367: .*no overlap/,
    ],
  ])("refuses %s", (_, program, expected) => {
    const [first, ...others] = mistakesIn(before + program);
    expect(first).toMatch(expected);
    expect(others).toEqual([]);
  });
});
