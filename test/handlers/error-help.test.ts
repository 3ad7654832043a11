// The table of help is complete, and says of a code nothing that the contract does not have.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorHelp, helpSections } from "../../handlers/error-help/help.ts";
import { readCodePlaces } from "../../handlers/error-help/where.ts";
import { answeredTo } from "../../handlers/error-help/words.ts";
import { statusByCode } from "../../handlers/errors.ts";
import { renderErrorsPage } from "../../scripts/errors-page.ts";
import { serviceErrorCodes } from "../../service/errors.ts";
import {
  document,
  documentPath,
  isObject,
  type Json,
  listAt,
  objectAt,
  placeAt,
  responseFor,
  operations,
  textOf,
} from "../support/contract-document.ts";

const helped = Object.keys(errorHelp).toSorted();
const contractText = readFileSync(documentPath, "utf8");

/** Every list of codes, wherever it stands. */
function listedCodes(node: Json): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((one) => listedCodes(one));
  if (!isObject(node)) return [];
  const own = listAt(node, "x-error-codes").map(textOf);
  return [...own, ...Object.values(node).flatMap((one) => listedCodes(one))];
}

/** The form of the errors that have this code. */
function formOf(code: string) {
  const forms = listAt(placeAt("/components/schemas/ApiError").node, "oneOf").map((one) => {
    const reference = isObject(one) ? textOf(one["$ref"]) : "";
    return objectAt(placeAt(reference.slice(1)).node, "properties");
  });
  return forms.find((form) => listAt(objectAt(form, "code"), "enum").includes(code));
}

function detailsOf(code: string): readonly string[] {
  const form = formOf(code);
  if (form === undefined) throw new Error(`no form has ${code}`);
  return Object.keys(objectAt(objectAt(form, "details"), "properties"));
}

describe("the codes of the table are exactly those", () => {
  test("that the contract lists", () => {
    expect(helped).toEqual([...new Set(listedCodes(document))].toSorted());
  });

  test("that refusals are made of, with all that the rules throw", () => {
    expect(helped).toEqual(Object.keys(statusByCode).toSorted());
    expect(helped).toEqual(expect.arrayContaining([...serviceErrorCodes]));
  });

  test("of the sections of the page, each in one of them", () => {
    const inSections = helpSections.flatMap(([, help]) => Object.keys(help));
    expect(inSections.toSorted()).toEqual(helped);
  });
});

test("docs/errors.md says what the table says; after a change: npm run errors", async () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "errors.md"), "utf8");
  expect(await renderErrorsPage()).toBe(page);
});

describe.each(Object.entries(errorHelp))("%s", (code, { cause, remedy, again }) => {
  const names = Array.from(`${cause} ${remedy}`.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);

  test("is one sentence of cause and one of remedy", () => {
    for (const text of [cause, remedy]) {
      expect(text).toMatch(/^(?:[A-Z]|`)[^\n]*\.$/);
      expect(text).not.toMatch(/[.?!] [A-Z]/);
      expect(text.split("`").length % 2).toBe(1);
    }
  });

  test("names what the contract names, and of details what this code has", () => {
    const unknown = names.filter((name) =>
      name.startsWith("details.")
        ? !detailsOf(code).includes(name.slice("details.".length))
        : !isNamed(name),
    );
    expect(unknown).toEqual([]);
  });

  test("has no number that the contract does not have", () => {
    const numbers = `${cause} ${remedy}`.match(/\d{2,}/g) ?? [];
    expect(numbers.filter((one) => !contractText.includes(one))).toEqual([]);
  });

  test("is passing where the answer says when to come back", () => {
    const needing = listAt(objectAt(headers, "RetryAfterOfDefault"), "x-required-with");
    if (needing.includes(code)) expect(again).toBe("later");
    if (remedy.includes("`Retry-After`")) expect(needing).toContain(code);
  });
});

const headers = placeAt("/components/headers").node;

/** An operation, or a word of the contract as a whole. */
function isNamed(name: string): boolean {
  const [method = "", path] = name.split(" ");
  if (path !== undefined) {
    return operations.some((one) => one.method === method && one.path === path);
  }
  const word = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`).test(contractText);
}

test("where a code comes from is what the operations say, each status with its codes", () => {
  const { byCode } = readCodePlaces();
  for (const [code, { status, operations: named }] of byCode) {
    const answering = operations.filter((one) => {
      const response = responseFor(one, status);
      return response !== undefined && listAt(response.node, "x-error-codes").includes(code);
    });
    const wanted = answering.map(({ method, path }) => `${method} ${path}`);
    expect({ code, named }).toEqual({ code, named: wanted });
  }
});

test.each([
  ["order_already_exists", "409, to `POST /v1/payments`."],
  ["nonce_reused", "401, to every operation."],
  ["method_not_allowed", "405, to what belongs to no operation."],
  ["invalid_header", "400, to every operation, and to what belongs to no operation."],
  [
    "idempotency_in_progress",
    "409, to every operation but `GET /v1/webhook-endpoints/{id}`, `GET /v1/webhook-deliveries`, " +
      "`GET /v1/payout-schedules`, `GET /v1/currencies`, `GET /v1/currencies/{id}`.",
  ],
])("%s is said to be answered with %s", (code, words) => {
  expect(answeredTo(code, readCodePlaces())).toBe(words);
});

test("a code that the contract lost is noticed", () => {
  const places = { byCode: new Map<string, never>(), operations: [] };
  expect(() => answeredTo("not_found", places)).toThrow("the contract does not have not_found");
});
