// merchant-payments: how its commands are called, what they say where they are called wrongly, and verify.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newShop } from "../../contract/payment-calls.ts";
import { endChildren, makeFolder, startChild } from "../../programs/child.ts";
import { useService } from "../../support/service.ts";
import { startReceiver } from "../../webhooks/receiver.ts";
import { endOf, installTool, type PackedTool, recordsIn } from "./packed-tool.ts";

const service = useService("PostgreSQL");
let tool: PackedTool;
beforeAll(() => {
  tool = installTool();
});
afterAll(endChildren);

const keys = { MERCHANT_API_KEY: "mk_test_1", MERCHANT_API_SECRET: "sk_test_of-nobody" };
const hooks = ["--forward-to", "http://127.0.0.1:2/"];
const names = ["listen", "trigger", "verify", "pay", "sign"];

test("--help of all, and of each", async () => {
  const all = await tool.run(["--help"]);
  expect(all).toMatchObject({ code: 0, errors: "" });
  for (const name of names) {
    expect(all.output).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
    const one = await tool.run([name, "--help"]);
    expect(one).toMatchObject({ code: 0, errors: "" });
    expect(one.output).toContain(`\n  merchant-payments ${name} `);
    expect(one.output).toMatch(name === "pay" ? /--rpc/ : /read a command line in the list of/);
    expect(await tool.run(["help", name])).toEqual(one);
    expect(await tool.run([name, "-h"])).toEqual(one);
  }
  expect(await tool.run(["-h"])).toEqual(all);
  expect(await tool.run(["help"])).toEqual(all);
  expect((await tool.run(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("whoever reads may go before the end", async () => {
  for (const words of ["--help", "sign GET /v1/currencies", "help listen"]) {
    const program = join(tool.folder, "node_modules", ".bin", "merchant-payments");
    // The reader has closed its end before the tool begins to write.
    const script = `(read -r _ < gate; exec '${process.execPath}' '${program}' ${words}) | { exec 0<&-; echo > gate; }; echo "\${PIPESTATUS[0]}"`;
    const folder = makeFolder();
    const child = startChild(["-c", `cd '${folder}' && mkfifo gate && ${script}`], keys, "bash");
    expect(await endOf(child)).toEqual({ code: 0, output: "0\n", errors: "" });
  }
});

test("npx --no never runs what a registry has by its name", async () => {
  const asked: string[] = [];
  await using registry = await startReceiver((response, { path = "" }) => {
    asked.push(path);
    const dist = { tarball: new URL("/strange.tgz", registry.url).href, integrity: "sha512-AAAA" };
    const one = { name: "merchant-payments", version: "9.9.9", bin: "strange.js", dist };
    const all = { name: one.name, "dist-tags": { latest: "9.9.9" }, versions: { "9.9.9": one } };
    const status = path.endsWith(".tgz") ? 404 : 200;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(all));
  });
  const load = (consent: string) => {
    const environment = { npm_config_registry: new URL("/", registry.url).href };
    const command = `cd '${makeFolder()}' && exec npx --cache ./cache ${consent} merchant-payments --help`;
    return endOf(startChild(["-c", command], environment, "bash"));
  };
  const refused = await load("--no --");
  expect(refused.code).toBe(1);
  expect(refused.output).not.toMatch(/COMMAND/);
  expect(asked).toEqual(["/merchant-payments"]);
  await load("--yes --");
  expect(asked).toContain("/strange.tgz");
});

describe("called wrongly it ends with 2, and says what to do:", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["no command", [], /merchant-payments COMMAND/],
    ["an unknown command", ["tirgger"], /no command tirgger\. Did you mean trigger\?/],
    [
      "one that is like none",
      ["deploy-everything"],
      /There are listen, trigger, verify, pay, sign/,
    ],
    ["an unknown option", ["listen", "--forward"], /Unknown option '--forward'/],
    ["listen without a program", ["listen"], /--forward-to URL/],
    ["listen to no URL", ["listen", "--forward-to", "localhost:3000"], /--forward-to is localhost/],
    ["listen with words", ["listen", "all", ...hooks], /all is no option/],
    ["an empty event", ["listen", ...hooks, "--events", "a,,b"], /empty name/],
    [
      "a time that is none",
      ["listen", ...hooks, "--since", "noon"],
      /--since is noon: write a time/,
    ],
    [
      "a year alone",
      ["listen", ...hooks, "--since", "5"],
      /--since is 5: write a time with its zone/,
    ],
    [
      "a time without a zone",
      ["listen", ...hooks, "--since", "2027-01-31T12:00:00"],
      /write a time with its zone/,
    ],
    [
      "a program with a password",
      ["listen", "--forward-to", "http://me:sk_test_of-nobody@127.0.0.1:2/"],
      /--forward-to has a user or password/,
    ],
    [
      "a tunnel to no port",
      ["listen", ...hooks, "--receive-at", "https://x.example", "--port", "0"],
      /needs --port/,
    ],
    [
      "a tunnel with a query",
      ["listen", ...hooks, "--receive-at", "https://x.example/?token=1", "--port", "4000"],
      /--receive-at has a \? or #/,
    ],
    [
      "an endpoint that is none",
      ["listen", ...hooks, "--webhook-secret", "whsec_MDEy", "--endpoint", "../x"],
      /--endpoint is \.\.\/x: write the id/,
    ],
    ["a port that is none", ["listen", ...hooks, "--port", "70000"], /--port is 70000/],
    [
      "a tunnel to nowhere",
      ["listen", ...hooks, "--receive-at", "https://x.example"],
      /needs --port/,
    ],
    [
      "a secret that is none",
      ["listen", ...hooks, "--webhook-secret", "abc"],
      /begins with whsec_/,
    ],
    ["an endpoint alone", ["listen", ...hooks, "--endpoint", "whe_1"], /needs the secret/],
    ["no event", ["trigger"], /EVENT, such as payment.paid/],
    ["an event with a slip", ["trigger", "payment.payed"], /Did you mean payment\.paid\?/],
    [
      "another event",
      ["trigger", "withdrawal.requested"],
      /comes of POST \/v1\/withdrawals\. Here/,
    ],
    ["no chain", ["trigger", "payment.paid"], /--rpc URL, as npm start shows it/],
    ["an amount of nothing", ["trigger", "payment.paid", "--amount", "0.0"], /pays nothing/],
    [
      "half of what has no half",
      ["trigger", "payment.partially_paid", "--amount", "0.000001"],
      /half of 0\.000001 cannot be paid: write 0\.000002/,
    ],
    ["two forms of a request", ["sign", "GET", "/", "--json", "--headers"], /choose one of/],
    ["an amount that is none", ["trigger", "payment.paid", "--amount", "1e3"], /1e3 is no amount/],
    ["no page", ["pay", "--rpc", "http://127.0.0.1:2"], /CHECKOUT_URL/],
    ["a page without a chain", ["pay", "http://127.0.0.1:2/checkout/a"], /--rpc URL/],
    ["nothing to verify", ["verify", "--secret", "whsec_MDEy"], /--headers FILE --body FILE/],
    ["both from one input", ["verify", "--headers", "-", "--body", "-"], /only one of/],
    [
      "a file that is not there",
      ["verify", "--headers", "/no", "--body", "/no", "--secret", "whsec_MDEy"],
      /cannot be read: ENOENT/,
    ],
    ["nothing to sign", ["sign"], /METHOD PATH/],
    ["a service that is no URL", ["sign", "GET", "/v1/x", "--url", "pay.example"], /--url is pay/],
  ])("%s", async (_, words, expected) => {
    const { code, output, errors } = await tool.run(words, keys);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(expected);
    expect(errors).toMatch(/--help says more\n$|COMMAND --help/);
    expect(errors).not.toMatch(/\n\s+at |sk_test_of-nobody/);
  });

  test("without a key", async () => {
    for (const words of [
      ["listen", ...hooks],
      ["trigger", "payment.created"],
      ["sign", "GET", "/"],
    ]) {
      const { code, errors } = await tool.run(words);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(errors).toMatch(/MERCHANT_API_KEY and MERCHANT_API_SECRET/);
    }
  });
});

describe("what fails ends with 1, and says what to do:", () => {
  test("a service that is away", async () => {
    const where = { ...keys, PAY_URL: "http://127.0.0.1:2" };
    const { code, errors } = await tool.run(["trigger", "payment.created"], where);
    expect(code).toBe(1);
    expect(errors).toMatch(/no answer came \(.*ECONNREFUSED.*\)\.\n.*--url or PAY_URL/);
  });

  test("a key with the secret of another one, or none", async () => {
    const words = ["trigger", "payment.created", "--url", service.url];
    const shop = await newShop(service);
    const others = { ...keys, MERCHANT_API_KEY: shop.key };
    const { code, output, errors } = await tool.run(words, others);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(
      /401 authentication_failed.*\nKey and secret must belong.*\nX-Request-Id: /,
    );
    expect(errors).not.toContain("sk_test_of-nobody");
    const none = await tool.run(words, keys);
    expect(none.errors).toMatch(/X-Api-Key does not have .*\nKey and secret must belong/);
  });

  test("a key without the scope", async () => {
    const shop = await newShop(service);
    const key = await service.newKey(shop, { scopes: ["currencies:read"] });
    const words = [
      "listen",
      ...hooks,
      "--url",
      service.url,
      "--key",
      key.key,
      "--secret",
      key.secret,
    ];
    const { code, errors } = await tool.run(words);
    expect(code).toBe(1);
    expect(errors).toMatch(/403 insufficient_scope.*\nThe key needs the scope webhooks:write\./);
  });

  test("a service that sends nothing to this machine", async () => {
    const shop = await newShop(service);
    const words = [
      "listen",
      ...hooks,
      "--url",
      service.url,
      "--key",
      shop.key,
      "--secret",
      shop.secret,
    ];
    const { code, output, errors } = await tool.run(words);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(
      /does not send webhooks to http:\/\/127\.0\.0\.1:\d+\.\n.*WEBHOOK_HTTP_HOSTS=127\.0\.0\.1 npm start\.\n.*--receive-at/,
    );
  });

  test("an address that is no chain", async () => {
    const { code, errors } = await tool.run([
      "pay",
      `${service.url}/nothing`,
      "--rpc",
      service.url,
    ]);
    expect(code).toBe(1);
    expect(errors).toMatch(/is no chain|no chain answers|says to eth_chainId/);
  });
});

describe("verify", () => {
  const secret = `whsec_${Buffer.from("the secret of an endpoint").toString("base64")}`;
  const sent = { id: "evt_1", type: "payment.paid", data: { status: "paid" } };
  const body = JSON.stringify(sent);
  const write = (name: string, text: string): string => {
    const path = join(tool.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const headersAt = (at: Date, signed = body): Readonly<Record<string, string>> => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, signed),
  });
  const lines = (headers: Readonly<Record<string, string>>): string =>
    Object.entries(headers)
      .map(([name, value]) => `${name.replace("webhook", "Webhook")}: ${value}\r\n`)
      .join("");
  const verify = (headers: string, text: string, ...more: readonly string[]) => {
    const files = ["--headers", write("headers", headers), "--body", write("body", text)];
    return tool.run(["verify", ...files, ...more], { WEBHOOK_SECRET: secret });
  };

  test.each([
    ["lines, with a request line before them", (text: string) => `POST /hooks HTTP/1.1\r\n${text}`],
    ["lines alone", (text: string) => text],
  ])("takes headers as %s", async (_, form) => {
    const { code, output, errors } = await verify(form(lines(headersAt(new Date()))), body);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(output).toMatch(/^valid: payment\.paid evt_1\n\{\n {2}"id": "evt_1",/);
  });

  test("takes headers as JSON, and gives JSON", async () => {
    const headers = JSON.stringify(headersAt(new Date()));
    const { code, output } = await verify(headers, body, "--json");
    expect(code).toBe(0);
    expect(recordsIn(output)).toEqual([{ valid: true, event: sent }]);
  });

  test("shows nothing of it that a terminal would obey", async () => {
    const hostile = JSON.stringify({ ...sent, id: "\u009B2J\u202E", type: "\u001B[31mpaid\nx" });
    const headers = lines(headersAt(new Date(), hostile));
    const { output } = await verify(headers, hostile);
    expect(output).toContain(String.raw`valid: \u001b[31mpaid\u000ax \u009b2J\u202e`);
    const json = await verify(headers, hostile, "--json");
    expect(json.output + output).not.toMatch(/[^\n\P{Cc}]|\u202E/u);
    expect(recordsIn(json.output)).toMatchObject([{ event: { id: "\u009B2J\u202E" } }]);
  });

  test("an old one is refused, unless it may be old", async () => {
    const headers = lines(headersAt(new Date("2026-01-01T00:00:00Z")));
    const { code, errors } = await verify(headers, body);
    expect(code).toBe(1);
    expect(errors).toMatch(/refused, for its timestamp: .*\n.*--tolerance SECONDS/);
    expect(await verify(headers, body, "--tolerance", "9999999999")).toMatchObject({ code: 0 });
  });

  test.each<[string, string, RegExp]>([
    ["a line feed more", `${body}\n`, /has a line feed at its end that was not sent/],
    ["other white space", JSON.stringify(sent, null, 2), /parsed and written again/],
    ["another content", body.replace("paid", "void"), /Is it the secret of this endpoint/],
  ])("of a body with %s it says so", async (_, text, expected) => {
    const headers = lines(headersAt(new Date()));
    const { code, output, errors } = await verify(headers, text, "--json");
    expect(code).toBe(1);
    expect(errors).toMatch(/refused, for its signature/);
    expect(errors).toMatch(expected);
    expect(recordsIn(output)).toMatchObject([{ valid: false, about: "signature" }]);
  });

  test("a header that is missing is named, and a body that is no event", async () => {
    const missing = await verify("webhook-id: evt_1\n", body);
    expect(missing).toMatchObject({ code: 1, output: "" });
    expect(missing.errors).toMatch(/for its header: webhook-timestamp is missing/);
    const none = await verify(lines(headersAt(new Date(), "[]")), "[]");
    expect(none.errors).toMatch(/for its body: the body is no event/);
  });
});
