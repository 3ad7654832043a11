// What the guides name is there: codes, events, statuses, members and operations of the contract, pictures, and links
// from where a reader begins.

import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { endpointsMax } from "../../../service/database/words.ts";
import { overlapMillisecondsMax } from "../../../service/merchants/api-keys.ts";
import { graceMilliseconds, openSecondsMax } from "../../../service/payments/rules.ts";
import { pastDueDaysMax } from "../../../service/subscriptions/biller.ts";
import {
  attemptDelaysSeconds,
  failingMaxMilliseconds,
  keptMilliseconds,
  resendableMilliseconds,
  resumableMilliseconds,
} from "../../../service/webhooks/delivery-rules.ts";
import { projectRoot } from "../../programs/child.ts";
import { document, listAt, objectAt, textOf } from "../../support/contract-document.ts";
import { programsOf, readGuide } from "./guide.ts";

const guides = globSync("docs/guides/*.md", { cwd: projectRoot })
  .map((path) => basename(path, ".md"))
  .toSorted();
const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const contract = read("spec/openapi.yaml");
const schemas = objectAt(objectAt(document, "components"), "schemas");
const errors = read("docs/errors.md");

/** Code in sentences and tables, without the programs. */
function spansOf(guide: string): readonly string[] {
  const prose = readGuide(guide).replaceAll(/^```.*?^```$/gms, "");
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, span = ""]) => span);
}

/** Words of the contract: `snake_case`, `object.event`. */
const inContract =
  /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$|^(?:payment|withdrawal|withdraw_address|payout_schedule|subscription|split_consent|webhook_endpoint|currency_acceptance|x402)\.[a-z_]+$/;
/** What others than the contract name. */
const elsewhere = new Set([
  // of x402 (protocol) and of the catalog's file
  "unexpected_settle_error",
]);

test("there is one for each task", () => {
  expect(guides).toEqual([
    "going-live",
    "pay-out",
    "sell-an-api-by-x402",
    "split-a-payment",
    "subscriptions",
    "take-a-payment",
    "webhooks",
  ]);
});

describe.each(guides)("%s", (guide) => {
  const text = readGuide(guide);

  test("is short, begins with the shortest path, and ends with a checklist", () => {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(215);
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect([headings[0], ...headings.slice(-2)]).toEqual([
      "The shortest path",
      "Errors you meet here",
      "Checklist",
    ]);
    expect(text.split("## Checklist\n")[1]?.match(/^- \[ \] /gm)?.length).toBeGreaterThan(3);
  });

  test("has programs, each of them in one guide only", () => {
    const own = [...programsOf(guide).keys()];
    expect(own.length).toBeGreaterThan(0);
    for (const other of guides.filter((one) => one !== guide)) {
      expect(own.filter((name) => programsOf(other).has(name))).toEqual([]);
    }
  });

  test("links each code to its entry, and names none that is none", () => {
    const section = text.split("## Errors you meet here")[1]?.split("\n## ")[0] ?? "";
    const codes = Array.from(section.matchAll(/^\| \[`(\w+)`\]\((\S+)\)/gm));
    expect(codes.length).toBeGreaterThan(3);
    for (const [, code = "", target] of codes) {
      expect(target).toBe(`../errors.md#${code}`);
      expect(errors).toContain(`\n### ${code}\n`);
    }
  });

  test("names events, statuses and members as the contract has them", () => {
    const named = spansOf(guide).filter((span) => inContract.test(span));
    expect(named.length).toBeGreaterThan(5);
    const unknown = named.filter((one) => !elsewhere.has(one) && !knows(one));
    expect(unknown).toEqual([]);
  });
});

/** As a value, the name of a member, or in a sentence of the contract. */
function knows(word: string): boolean {
  return new RegExp(`(?<![\\w.])${word.replaceAll(".", String.raw`\.`)}(?![\\w])`).test(contract);
}

test.each(["payment.unknown", "unknown_member"])(
  "that %s is not in the contract is seen",
  (word) => {
    expect([inContract.test(word), knows(word)]).toEqual([true, false]);
  },
);

test("the statuses in tables are those of the contract", () => {
  const statusesOf = (guide: string) =>
    Array.from(readGuide(guide).matchAll(/^\| `([a-z_]+)` /gm), ([, one]) => one ?? "").filter(
      (one) => one !== "status",
    );
  const known = (schema: string) => listAt(objectAt(schemas, schema), "x-known-values").map(textOf);
  for (const [guide, schema] of [
    ["take-a-payment", "PaymentStatus"],
    ["pay-out", "WithdrawalStatus"],
    ["subscriptions", "SubscriptionStatus"],
  ] as const) {
    expect(new Set(statusesOf(guide))).toEqual(new Set(known(schema)));
  }
});

test("the guide of webhooks has the waits of the service", () => {
  const row = /^ *\| after the one before it +\|(.+)\|$/m.exec(readGuide("webhooks"))?.[1] ?? "";
  const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };
  const waits = row.split("|").map((cell) => {
    const [number, unit = ""] = cell.trim().split(" ");
    return number === "at" ? 0 : Number(number) * (units[unit] ?? Number.NaN);
  });
  expect(waits).toEqual(attemptDelaysSeconds);
});

describe("times and bounds are those of the service", () => {
  const [hours, days] = [3_600_000, 86_400_000];

  test.each([
    { guide: "take-a-payment", real: openSecondsMax, said: 604_800, words: "(a week at most)" },
    {
      guide: "take-a-payment",
      real: graceMilliseconds / days,
      said: 7,
      words: "the end, within 7 days",
    },
    { guide: "take-a-payment", real: graceMilliseconds / days, said: 7, words: "over 7 days late" },
    {
      guide: "split-a-payment",
      real: graceMilliseconds / days,
      said: 7,
      words: "(over 7 days late",
    },
    {
      guide: "webhooks",
      real: resumableMilliseconds / hours,
      said: 72,
      words: "less than 72 hours",
    },
    {
      guide: "webhooks",
      real: resendableMilliseconds / days,
      said: 26,
      words: "says so, for 26 days",
    },
    {
      guide: "webhooks",
      real: failingMaxMilliseconds / hours,
      said: 120,
      words: "failed for 120 hours",
    },
    { guide: "webhooks", real: endpointsMax, said: 20, words: "20 in each half, live and test" },
    { guide: "subscriptions", real: pastDueDaysMax, said: 14, words: "or 14 days past due" },
    { guide: "going-live", real: keptMilliseconds / days, said: 30, words: "of the last 30 days" },
    { guide: "going-live", real: overlapMillisecondsMax / days, said: 7, words: "7 days at most" },
    // reconcile.ts: a day more, for the time that a payment is open
    { guide: "going-live", real: graceMilliseconds / days, said: 8 - 1, words: "'-8 days'" },
  ])("$guide: $words", ({ guide, real, said, words }) => {
    expect(real).toBe(said);
    expect(readGuide(guide).replaceAll(/\s+/g, " ")).toContain(words);
  });
});

test("the guide about going live says when the shipped catalog calls USDC final", () => {
  // Our own file: what is read here stands in it.
  const { currencies } = JSON.parse(read("adapters/catalog/catalog.json")) as ShippedCatalog;
  const usdc = currencies.find(({ id }) => id === "cur_usdc")?.deployments ?? [];
  const rules = usdc.flatMap(({ id, is_test_network: isTest, capabilities }) =>
    isTest ? [] : [[id, capabilities.find(({ key }) => key === "finality")?.parameters["rule"]]],
  );
  expect(Object.fromEntries(rules)).toEqual({
    dep_usdc_ethereum: "finalized",
    dep_usdc_polygon: "finalized",
    dep_usdc_base: "safe",
    dep_usdc_arbitrum: "safe",
    dep_usdc_optimism: "safe",
  });
  expect(readGuide("going-live").replaceAll(/\s+/g, " ")).toContain(
    "`finalized` on Ethereum and Polygon, and `safe` on Base, Arbitrum and Optimism",
  );
});

interface ShippedCatalog {
  readonly currencies: readonly {
    readonly id: string;
    readonly deployments: readonly {
      readonly id: string;
      readonly is_test_network: boolean;
      readonly capabilities: readonly {
        readonly key: string;
        readonly parameters: Readonly<Record<string, unknown>>;
      }[];
    }[];
  }[];
}

describe("pictures", () => {
  const shown = guides.flatMap((guide) =>
    Array.from(readGuide(guide).matchAll(/src="\.\.\/images\/([\w-]+)\.png"/g), ([, name]) => name),
  );

  test("of the page as it waits, goes on and is paid", () => {
    expect(shown).toEqual(["checkout-waiting", "checkout-part", "checkout-paid"]);
  });

  test("are made by one command, and small", () => {
    const script = read("scripts/screenshots.ts");
    for (const name of shown) {
      expect(script).toContain(`"${name}"`);
      const path = join(projectRoot, "docs", "images", `${name}.png`);
      expect(readFileSync(path).subarray(1, 4).toString()).toBe("PNG");
      expect(statSync(path).size).toBeLessThan(120_000);
    }
  });
});

test("README.md and docs/client.md lead to them", () => {
  for (const guide of guides) expect(read("docs/client.md")).toContain(`(guides/${guide}.md)`);
  expect(read("README.md")).toContain("(docs/guides/take-a-payment.md)");
});
