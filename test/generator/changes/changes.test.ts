// What breaks clients is found by its rule and at its place, and nothing else is said to break them.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Change, compareRevisions } from "../../../generator/changes/compare.ts";
import type { Party } from "../../../generator/changes/judgement.ts";
import { rules } from "../../../generator/changes/rules.ts";
import { readRevision, type Revision } from "../../../generator/changes/revision.ts";
import type { Json, JsonObject } from "../../../generator/json.ts";
import { extensions } from "../../../scripts/contract/promises.ts";
import { add, change, type Edit, isDocument, remove } from "./edits.ts";
import { ownBreaking, ownHarmless } from "./planted-own.ts";
import { smallBreaking, smallHarmless } from "./planted-small.ts";
import { smallServed, smallServers } from "./planted-servers.ts";
import { smallTold } from "./planted-told.ts";
import { contractOf, schemaPairs } from "./schema-pairs.ts";
import { smallContract } from "./small-contract.ts";

const notice = { today: "2026-07-01", months: 12 };

function revisionOf(document: JsonObject): Revision {
  const text = JSON.stringify(document);
  return readRevision("/contract.json", {
    read: () => Buffer.from(text),
    shown: () => "contract.json",
  });
}

function changesBy(edit: Edit, document: JsonObject, base: Revision): readonly Change[] {
  const copy = structuredClone(document);
  edit(copy);
  return compareRevisions({ base, head: revisionOf(copy) }, { extensions, notice });
}

const breaking = (changes: readonly Change[], party: Party = "clients") =>
  changes
    .filter(({ [party]: one }) => one.severity === "breaking")
    .map(({ rule, place }) => `${rule} ${place.pointer}`);

const own = isDocument(parse(readFileSync("spec/openapi.yaml", "utf8")) as Json);
const small = isDocument(structuredClone(smallContract) as Json);

const contracts = [
  { name: "our contract", document: own, broken: ownBreaking, harmless: ownHarmless, told: [] },
  {
    name: "a small contract",
    document: small,
    broken: smallBreaking,
    harmless: smallHarmless,
    told: smallTold,
  },
];

describe.each(contracts)("$name", ({ document, broken, harmless }) => {
  const base = revisionOf(document);

  test.each(broken)("breaks clients: %s", (...[, edit, rule, pointer]) => {
    expect(breaking(changesBy(edit, document, base))).toEqual([`${rule} ${pointer}`]);
  });

  test.each(harmless)("harms nobody: %s", (_what, edit) => {
    const changes = changesBy(edit, document, base);
    expect(breaking(changes)).toEqual([]);
  });

  test("has no change against itself", () => {
    expect(changesBy(() => undefined, document, base)).toEqual([]);
  });
});

describe("servers of a small contract", () => {
  const base = revisionOf(small);

  test.each(smallServers)("are broken by %s", (...[, edit, rule, pointer]) => {
    const found = breaking(changesBy(edit, small, base), "servers");
    expect(found).toEqual([`${rule} ${pointer}`]);
  });

  test.each(smallServed)("live with %s", (_what, edit) => {
    const changes = changesBy(edit, small, base);
    expect(changes.length).toBeGreaterThan(0);
    expect(breaking(changes, "servers")).toEqual([]);
  });
});

test("every change has its place in both revisions, or in what it would stand in", () => {
  const base = revisionOf(small);
  const places = (edit: Edit) =>
    changesBy(edit, small, base).map(({ place, places: { base: before, head: after } }) => {
      expect(place.line).toBeGreaterThan(0);
      return [before.pointer, after.pointer];
    });
  const pet = "/paths/~1pets~1{id}";
  expect(places(change("/components/schemas/Born/properties/id/maxLength", 20))).toEqual([
    Array(2).fill("/components/schemas/Born/properties/id/maxLength"),
  ]);
  expect(places(remove(`${pet}/get/parameters/0`))).toEqual([
    [`${pet}/get/parameters/0`, `${pet}/get`],
  ]);
  expect(places(add("/paths/~1news", { get: {} }))).toEqual([["/paths", "/paths/~1news/get"]]);
  expect(places(remove("/components/schemas/Born/properties/id"))).toEqual([
    ["/components/schemas/Born/properties/id", "/components/schemas/Born"],
  ]);
  expect(places(remove("/webhooks/left"))).toEqual([["/webhooks/left/post", ""]]);
});

/** Of every change that is planted, and of taking it back: whatever is said of it. */
function* said(): Iterable<readonly [what: string, base: Revision, head: Revision]> {
  for (const { name, document, broken, harmless, told } of contracts) {
    const base = revisionOf(document);
    for (const [what, edit] of [...broken, ...harmless, ...told]) {
      const copy = structuredClone(document);
      edit(copy);
      yield [`${name}: ${what}`, base, revisionOf(copy)];
    }
  }
  for (const [what, one, other] of schemaPairs) {
    yield [`a schema: ${what}`, revisionOf(contractOf(one)), revisionOf(contractOf(other))];
  }
}

function linesOf(base: Revision, head: Revision): readonly string[] {
  const changes = compareRevisions({ base, head }, { extensions, notice });
  return changes.flatMap(({ clients, servers, rule, place, message }) => [
    `  ${clients.severity} ${servers.severity} ${rule} ${place.pointer}`,
    `    ${message}`,
  ]);
}

test("what is said of each change is in the list that people have read (-u writes it), by every rule", async () => {
  const lines = [...said()].flatMap(([what, base, head]) => [
    what,
    ...linesOf(base, head),
    "  and back",
    ...linesOf(head, base),
  ]);
  const text = lines.join("\n");
  await expect(`${text}\n`).toMatchFileSnapshot("found-changes.txt");
  expect([...rules.keys()].filter((rule) => !text.includes(` ${rule} `))).toEqual([]);
});

test("there are at least 40 that break and 20 that do not", () => {
  expect(ownBreaking.length + smallBreaking.length).toBeGreaterThanOrEqual(40);
  expect(ownHarmless.length + smallHarmless.length).toBeGreaterThanOrEqual(20);
});
