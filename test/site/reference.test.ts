// The pages of docs/reference are what the contract says, and each of them is found.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readContract } from "../../scripts/reference/contract.ts";
import type { Node } from "../../scripts/reference/contract.ts";
import { boundWords, fieldList, shapeOf, typeWords } from "../../scripts/reference/fields.ts";
import { inCode, prose, slugOf } from "../../scripts/reference/markdown.ts";
import { renderReference } from "../../scripts/reference/pages.ts";
import { referenceFolder } from "../../scripts/reference/write.ts";

const contract = readContract();
const pages = await renderReference(contract);

test("the pages are as `npm run docs` writes them", () => {
  const kept = readdirSync(referenceFolder).map((name) => [
    name,
    readFileSync(join(referenceFolder, name), "utf8"),
  ]);
  expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(pages));
});

test.each(
  contract.subjects.flatMap(({ name, operations }) =>
    operations.map((one) => [one.id, name, one] as const),
  ),
)("%s is on the page of %s with all that the contract says of it", (_id, name, operation) => {
  const page = pages.get(`${name}.md`) ?? "";
  const section =
    page.split(/^(?=## )/m).find((one) => one.startsWith(`## ${operation.summary}\n`)) ?? "";
  const told = section.replaceAll(/\s+/g, " ");
  const codes = new Set(operation.answers.flatMap((one) => one.codes));
  const missing = [
    `\`${operation.method} ${operation.path}\``,
    `\`${operation.id}\``,
    `**Scope** of the key: \`${operation.scope}\``,
    ...operation.events.map((event) => `[\`${event}\`](events.md#${slugOf(event)})`),
    ...Array.from(codes, (code) => `[\`${code}\`](../errors.md#${code})`),
    ...operation.answers.map(({ status, codes: ofStatus }) =>
      ofStatus.length === 0 ? `**Answer ${status}**:` : `- **${status}**:`,
    ),
  ].filter((one) => !told.includes(one));
  expect(missing).toEqual([]);
  expect(pages.get("index.md")).toContain(`(${name}.md#${slugOf(operation.summary)})`);
});

test("every event has its place, and an example of its own", () => {
  const page = pages.get("events.md") ?? "";
  const examples = contract.webhook.body?.examples ?? [];
  const types = examples.map(({ value }) => String((value as Node)["type"])); // an event of the contract
  expect(types.length).toBeGreaterThan(30);
  for (const type of new Set(types)) {
    const section = page.split(/^(?=###? )/m).find((one) => one.startsWith(`### ${type}\n`)) ?? "";
    expect(section).toContain(`"type": "${type}"`);
  }
});

describe("a field in words", () => {
  const root: Node = {
    components: { schemas: { Amount: { type: "string", description: "How much.", maxLength: 5 } } },
  };
  const amount = { $ref: "#/components/schemas/Amount" };

  test.each<[string, Node, string]>([
    ["string", { type: "string" }, "string"],
    ["nullable", { type: ["integer", "null"] }, "integer or null"],
    ["one of two and null", { oneOf: [amount, { type: "null" }] }, "string or null"],
    ["list", { type: "array", items: amount }, "list of strings"],
    ["map", { type: "object", additionalProperties: amount }, "map to strings"],
    ["time", { type: "string", format: "date-time" }, "time (RFC 3339)"],
    ["all of", { allOf: [amount, { minLength: 1 }] }, "string"],
  ])("%s", (_name, schema, words) => {
    expect(typeWords(root, schema)).toBe(words);
  });

  test.each<[Node, readonly string[]]>([
    [{ type: "string", minLength: 1, maxLength: 3 }, ["1 to 3 characters"]],
    [{ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, ["at least 1"]],
    [{ type: "array", minItems: 1, uniqueItems: true }, ["at least 1 entry", "each once"]],
    [{ enum: ["a", "b"] }, ["one of `a`, `b`"]],
    [{ enum: ["a"] }, ["always `a`"]],
    [{ type: "string", pattern: "^a|b$" }, ["matches `^a|b$`"]],
    [{ type: "array", items: amount }, ["each at most 5 characters"]],
  ])("bounds of %j", (schema, words) => {
    expect(boundWords(root, shapeOf(root, schema).node)).toEqual(words);
  });

  test("objects in objects are lists in lists", () => {
    const inner = { type: "object", required: ["amount"], properties: { amount } };
    const schema = { type: "object", properties: { prices: { type: "array", items: inner } } };
    expect(fieldList(root, schema)).toEqual([
      "- `prices` (list of objects, optional)",
      "  - `amount` (string, required, at most 5 characters): How much.",
    ]);
  });
});

test("what HTML or Markdown would take for its own stays text", () => {
  expect(prose("a <b> and `<c>`, {{ d }}")).toBe("a \\<b> and `<c>`, {{ d }}");
  expect(inCode("a`b")).toBe("`` a`b ``");
});
