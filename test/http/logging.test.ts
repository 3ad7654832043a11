import { describe, expect, test } from "vitest";
import { buildLogger } from "../../adapters/system/logging.ts";
import type { Logger } from "../../adapters/system/logging.ts";

function logged(write: (log: Logger) => void): string {
  const lines: string[] = [];
  write(buildLogger("info", { write: (line) => lines.push(line) }));
  return lines.join("");
}

describe("a secret never reaches the log", () => {
  test.each([
    ["X-Api-Key", { headers: { "X-Api-Key": "hidden" } }],
    ["x-signature", { "x-signature": "hidden" }],
    ["authorization", { request: { authorization: ["hidden"] } }],
    ["secret, deep in a list", { a: [{ b: { webhook_secret: "hidden" } }] }],
    ["apiKey", { apiKey: { id: "hidden" } }],
    ["private_key", { private_key: "hidden" }],
    ["cookie", { "set-cookie": "hidden" }],
    ["a property of an error", { err: Object.assign(new Error("x"), { secret: "hidden" }) }],
    ["a property of a cause", { err: new Error("x", { cause: { password: "hidden" } }) }],
    ["sk_live_ in a value", { note: "key sk_live_hidden." }],
    ["sk_test_ in a message of an error", { err: new Error("bad key sk_test_hidden") }],
    ["whsec_ in a list", { list: ["whsec_hidden/+="] }],
  ])("by name or by form: %s", (_name, fields) => {
    const line = logged((log) => log.info(fields, "message"));
    expect(line).not.toContain("hidden");
    expect(line).toContain("[removed]");
    expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "message" });
  });

  test.each([
    ["a newline", "\n"],
    ["a tab", "\t"],
    ["a carriage return", "\r"],
    ["a letter", "x"],
    ["a control character", "\u0001"],
    ["a backslash", "\\"],
  ])("right after %s, in the message, an error and its stack", (_name, before) => {
    const secrets = ["sk_live_", "sk_test_", "whsec_"].map((prefix) => `${before}${prefix}hidden `);
    const text = `key${secrets.join("")}`;
    const error = Object.assign(new Error(text), { stack: `Error: ${text}\n    at ${text}` });
    const line = logged((log) => log.error({ err: error }, text));
    expect(line).not.toContain("hidden");
    const shown = text.replaceAll(/(?:sk_live_|sk_test_|whsec_)hidden/g, "[removed]");
    expect(JSON.parse(line)).toMatchObject({ msg: shown });
  });

  test("in the message itself", () => {
    const line = logged((log) => log.info("used sk_live_hidden and whsec_hidden="));
    expect(JSON.parse(line)).toMatchObject({ msg: "used [removed] and [removed]" });
  });
});

describe("what can be said is said", () => {
  test("errors with type, stack and cause", () => {
    const cause = new RangeError("inner");
    const line = logged((log) => log.error({ err: new TypeError("outer", { cause }) }, "failed"));
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      err: { type: "TypeError", message: "outer", cause: { type: "RangeError", message: "inner" } },
    });
    expect(line).toContain("logging.test.ts");
  });

  test("amounts, dates, bytes and cycles do not break a line", () => {
    const cycle: Record<string, unknown> = { amountRaw: 10n ** 20n, at: new Date(0) };
    cycle["self"] = cycle;
    cycle["bytes"] = new Uint8Array(3);
    const line = logged((log) => log.info(cycle, "message"));
    expect(JSON.parse(line)).toMatchObject({
      amountRaw: "100000000000000000000",
      at: "1970-01-01T00:00:00.000Z",
      bytes: "[3 bytes]",
    });
  });
});
