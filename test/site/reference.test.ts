// The pages of docs/reference are what the contract says, and each of them is found.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  isObject,
  type Json,
  type JsonObject,
  placeAt,
  textOf,
} from "../support/contract-document.ts";
import { operationBy } from "../support/contract-resources.ts";
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
)("%s is on the page of %s with all that the contract says of it", (id, name, operation) => {
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
      ofStatus.length === 0 ? `### Answer ${status}` : `- **${status}**:`,
    ),
  ].filter((one) => !told.includes(one));
  expect(missing).toEqual([]);
  const lines = linesOf(section);
  const untold = saidOf(id).filter(({ name, words }) => {
    const own = lines.filter((one) => one.startsWith(`- \`${name}\` (`));
    return !own.some((one) => words.every((word) => one.includes(word)));
  });
  expect(untold).toEqual([]);
  expect(pages.get("index.md")).toContain(`(${name}.md#${slugOf(operation.summary)})`);
});

/** Each entry of a list in one line, wherever it was broken. */
function linesOf(section: string): readonly string[] {
  return section
    .replaceAll(/\n +(?![ -])/g, " ")
    .split("\n")
    .map((one) => one.trim());
}

interface Said {
  readonly name: string;
  /** that have to stand beside the name */
  readonly words: readonly string[];
}

const signature = new Set(["X-Api-Key", "X-Signature", "X-Timestamp", "X-Nonce"]);

/** Read from the document once more, without any of the writer's own ways. */
function saidOf(operationId: string): readonly Said[] {
  const { parameters, node } = operationBy(operationId);
  const { requestBody, responses } = node;
  const own = parameters
    .filter((one) => !signature.has(one.name))
    .map((one) => saidOfOne(one.name, one.node["schema"], one.required));
  const successes = Object.entries(objectOf(responses)).filter(([status]) =>
    status.startsWith("2"),
  );
  const bodies = [requestBody, ...successes.map(([, response]) => response)];
  return [...own, ...bodies.flatMap((one) => membersOf(jsonOf(one)))];
}

function jsonOf(body: Json | undefined): Json | undefined {
  const content = objectOf(objectOf(followed(body))["content"]);
  return objectOf(content["application/json"])["schema"];
}

/** Of the schema, and of all that is in it. */
function membersOf(schema: Json | undefined, isPart = false): readonly Said[] {
  if (schema === undefined) return [];
  const { properties, required, allOf, oneOf, items, additionalProperties } = objectOf(
    followed(schema),
  );
  const names = Array.isArray(required) ? required : [];
  const members = Object.entries(objectOf(properties)).flatMap(([name, value]) => [
    // Of a part, another part may require it.
    saidOfOne(name, value, names.includes(name) || (isPart ? undefined : false)),
    ...membersOf(value),
  ]);
  const listed = (list: Json | undefined) => (Array.isArray(list) ? list : []);
  const parts = listed(allOf).flatMap((one) => membersOf(one, true));
  const inside = [...listed(oneOf), items, additionalProperties];
  return [...members, ...parts, ...inside.flatMap((one) => membersOf(one))];
}

function saidOfOne(name: string, schema: Json | undefined, isRequired: boolean | undefined): Said {
  const node = objectOf(followed(schema));
  const values = Array.isArray(node["enum"]) ? node["enum"].filter((one) => one !== null) : [];
  const bounds = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"]
    .map((keyword) => node[keyword])
    .filter((bound) => typeof bound === "number" && bound !== 0)
    .filter((bound) => Math.abs(Number(bound)) < Number.MAX_SAFE_INTEGER);
  const words = [
    ...(isRequired === undefined ? [] : [isRequired ? "required" : "optional"]),
    ...values.map((one) => `\`${textOf(one)}\``),
    ...bounds.map(String),
    ...(node["default"] === undefined
      ? []
      : [`\`${JSON.stringify(node["default"])}\` when left out`]),
  ];
  return { name, words };
}

function followed(value: Json | undefined): Json | undefined {
  const { $ref: reference, ...beside } = objectOf(value);
  if (typeof reference !== "string") return value;
  return { ...objectOf(followed(placeAt(reference.slice(1)).node)), ...beside };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

test("a keyword that the reference does not tell stops it", () => {
  const schema = { type: "integer", multipleOf: 5 };
  expect(() => fieldList({}, { properties: { a: schema } })).toThrow(
    "the reference does not tell what multipleOf says: teach it in scripts/reference",
  );
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
    [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: 5 }, ["at most 5"]],
    [{ type: "integer", default: 20 }, ["`20` when left out"]],
    [{ enum: ["a", null] }, ["always `a`"]],
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
