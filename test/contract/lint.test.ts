// Our rules for the document: each finds what was planted for it, and the document itself is clean.

import { lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { contractRuleset } from "../../scripts/contract-rules.ts";
import {
  document,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
} from "../support/contract-document.ts";

/** The object at a JSON Pointer of a copy, to be broken. */
function objectIn(copy: JsonObject, pointer: string): JsonObject {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((node: JsonObject, name) => {
      const below: Json | undefined = node[name];
      if (!isObject(below)) throw new Error(`there is no ${pointer}`);
      return below;
    }, copy);
}

async function problemsOf(copy: JsonObject): Promise<readonly (readonly [string, string])[]> {
  const config = await contractRuleset();
  const problems = await lintFromString({ source: JSON.stringify(copy), config });
  return problems.map(({ ruleId, message }) => [ruleId, message]);
}

const settle = "/paths/~1v1~1x402~1settle/post";

interface Planted {
  readonly rule: string;
  readonly at: string;
  readonly plant: (node: JsonObject) => void;
  readonly message: RegExp;
}

const planted: readonly Planted[] = [
  {
    rule: "bounded-values",
    at: "/components/schemas/RequestId",
    plant: (node) => delete node["pattern"],
    message: /a string one of pattern/,
  },
  {
    rule: "bounded-values",
    at: "/components/schemas/Decimals",
    plant: (node) => delete node["maximum"],
    message: /a number minimum and maximum/,
  },
  {
    rule: "open-objects",
    at: "/components/schemas/ReportX402UsageRequest/properties/evidence",
    plant: (node) => delete node["x-open-reason"],
    message: /x-open-reason/,
  },
  {
    rule: "header-forms",
    at: "/components/headers/Link/schema",
    plant: (node) => delete node["pattern"],
    message: /give the header a pattern/,
  },
  {
    rule: "header-forms",
    at: "/components/headers/ETag",
    plant: (node) => delete node["example"],
    message: /show an example/,
  },
  {
    rule: "shown-examples",
    at: `${settle}/responses/202/content/application~1json`,
    plant: (node) => delete node["examples"],
    message: /at least one example/,
  },
  {
    rule: "shown-examples",
    at: "/components/parameters/Cursor",
    plant: (node) => delete node["example"],
    message: /show an example/,
  },
  {
    rule: "default-responses",
    at: `${settle}/x-default-responses`,
    plant: (node) => delete node["429"],
    message: /must describe 403, 404, 413, 415, 422, 429, 500, 503/,
  },
  {
    rule: "error-responses",
    at: "/components/responses/KeyReused",
    plant: (node) => delete node["x-error-codes"],
    message: /must list the codes/,
  },
  {
    rule: "error-responses",
    at: "/components/responses/KeyReused/headers",
    plant: (node) => delete node["X-Request-Id"],
    message: /carries X-Request-Id/,
  },
  {
    rule: "error-responses",
    at: "/components/responses/KeyReused/headers",
    plant: (node) => delete node["Link"],
    message: /carries Link/,
  },
  {
    rule: "error-codes",
    at: "/components/responses/KeyReused",
    plant: (node) => (node["x-error-codes"] = ["idempotency_key_reused", "teapot"]),
    message: /teapot is listed, and no alternative has it/,
  },
  {
    rule: "error-codes",
    at: "/components/schemas/ClockError/properties/code",
    plant: (node) => (node["enum"] = ["timestamp_out_of_range", "clock_stopped"]),
    message: /clock_stopped has a form, and no response lists it/,
  },
  {
    rule: "error-codes",
    at: `${settle}/responses/402/content/application~1json/examples`,
    plant: (node) => delete node["x402_not_yet_valid"],
    message: /x402_not_yet_valid is listed, and no example shows it/,
  },
  {
    rule: "used-components",
    at: "/components/schemas",
    plant: (node) => (node["Spare"] = { type: "boolean" }),
    message: /nothing refers to Spare/,
  },
];

test("the document is clean", async () => {
  expect(await problemsOf(document)).toEqual([]);
});

test.each(planted)("$rule finds what was planted at $at", async ({ rule, at, plant, message }) => {
  const copy = structuredClone(document);
  plant(objectIn(copy, at));
  const found = (await problemsOf(copy)).filter(([ruleId]) => ruleId === `contract/${rule}`);
  expect(found.map(([, text]) => text).join("\n")).toMatch(message);
});

test("every rule of ours has something planted for it", async () => {
  const { rules } = objectOf(await contractRuleset());
  const ours = Object.keys(rules).filter((name) => name.startsWith("contract/"));
  expect([...new Set(planted.map(({ rule }) => `contract/${rule}`))].toSorted()).toEqual(
    ours.toSorted(),
  );
});

/** The settings of OpenAPI 3.1, as Redocly keeps them. */
function objectOf(config: Awaited<ReturnType<typeof contractRuleset>>): { rules: JsonObject } {
  const kept = JSON.parse(JSON.stringify(config.rules)) as JsonObject;
  return { rules: objectAt(kept, "oas3_1") };
}
