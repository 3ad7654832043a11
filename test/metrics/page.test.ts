// The page about the numbers, the alerts and the dashboard, held against what is really counted.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ChainMetrics } from "../../adapters/metrics/chains.ts";
import { DatabaseMetrics } from "../../adapters/metrics/database.ts";
import { DepositMetrics } from "../../adapters/metrics/deposits.ts";
import { harmless } from "../../adapters/metrics/harmless.ts";
import { RequestMetrics } from "../../adapters/metrics/requests.ts";
import { ReserveMetrics } from "../../adapters/metrics/reserve.ts";
import { SendingMetrics } from "../../adapters/metrics/sending.ts";
import { SignerLimitMetrics } from "../../adapters/metrics/signer-limits.ts";
import { StateMetrics } from "../../adapters/metrics/state.ts";
import { WorkMetrics } from "../../adapters/metrics/work.ts";
import { systemClock as clock } from "../../adapters/system/clock.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "running");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const page = read("monitoring.md");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface RuleTest {
  readonly name: string;
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

// Files of our own: what is read here stands in them.
const { groups } = parse(read("monitoring/alerts.yaml")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { tests } = parse(read("monitoring/alerts.test.yaml")) as {
  readonly tests: readonly RuleTest[];
};

/** What the library does not tell its users by types. */
interface Instrument {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

const registry = new Registry();
const log = { warn: () => undefined };
const safely = harmless(log);
void [
  new RequestMetrics(registry),
  new DatabaseMetrics(registry, clock),
  new ChainMetrics(registry, clock),
  new SendingMetrics(registry, clock, safely),
  new SignerLimitMetrics(registry, clock),
  new DepositMetrics(registry, safely),
  new WorkMetrics(registry, clock, safely),
  new ReserveMetrics(registry, clock),
  new StateMetrics(registry, { clock, log }),
];
const instruments = (registry.getMetricsAsArray() as unknown as readonly Instrument[]).map(
  ({ name, help, type, labelNames }) => ({ name, type, labels: labelNames.join(" "), help }),
);

/** What an expression looks at, without what Prometheus makes of a histogram. */
function metricsIn(expr: string): readonly string[] {
  const names = expr.match(/\b(?:pay|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
}

/** Of each metric of ours with a condition on its labels: its name, and the label. */
function labelsIn(text: string): readonly (readonly [metric: string, label: string])[] {
  return Array.from(text.matchAll(/\b(pay_\w+)\{([^}]*)\}/g)).flatMap(
    ([, metric = "", inside = ""]) =>
      Array.from(
        inside.matchAll(/(\w+)(?:=~|!~|!=|=)"/g),
        ([, label = ""]) => [metric, label] as const,
      ),
  );
}

/** What Prometheus adds to all of them; `cell`: what a server does that has one; `le`: what a histogram does. */
const everywhere = new Set(["job", "instance", "cell"]);

function isUnknownLabel([metric, label]: readonly [string, string]): boolean {
  const [name = ""] = metricsIn(metric);
  const labels = instruments.find((one) => one.name === name)?.labels.split(" ") ?? [];
  const isBound = label === "le" && metric.endsWith("_bucket");
  return !everywhere.has(label) && !isBound && !labels.includes(label);
}

const known = new Set(instruments.map(({ name }) => name));

test("every metric stands in the page, with its labels and what it means, and no other", () => {
  const rows = Array.from(
    page.matchAll(/^\| `(pay_\w+)` *\| (\w+) *\| (.*?) *\| (.*?) *\|$/gm),
  ).map(([, name, type, labels = "", help]) => {
    return { name, type, labels: labels.replaceAll("`", ""), help };
  });
  expect(rows).toEqual(instruments);
});

describe("alerts", () => {
  test("are explained in the page, in their order", () => {
    const headings = Array.from(page.matchAll(/^### (Pay\w+)$/gm), ([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/running/monitoring.md#${alert.toLowerCase()}`);
      expect(page).toContain(`### ${alert}\n\n${annotations.summary}`);
    }
  });

  test("look at what is there", () => {
    const named = rules
      .flatMap(({ expr }) => metricsIn(expr))
      .filter((one) => one.startsWith("pay_"));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(metricsIn("rate(pay_gone_bucket[5m])").filter((name) => !known.has(name))).toEqual([
      "pay_gone",
    ]);
  });

  test("ask for labels that are there, in their tests as well", () => {
    const series = tests.flatMap(({ input_series: all }) => all.map(({ series: one }) => one));
    const texts = [...rules.map(({ expr }) => expr), ...series];
    const asked = texts.flatMap((text) => labelsIn(text));
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter(isUnknownLabel)).toEqual([]);
    expect(labelsIn('rate(pay_rpc_calls_total{chain="x"}[5m])').filter(isUnknownLabel)).toEqual([
      ["pay_rpc_calls_total", "chain"],
    ]);
  });

  test("have each a test that makes it fire, and one in which it is silent", () => {
    const outcomes = tests.flatMap(({ alert_rule_test: all }) => all);
    const fired = outcomes.filter(({ exp_alerts: expected }) => expected.length > 0);
    const names = rules.map(({ alert }) => alert);
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(new Set(names));
    const ordinary = tests.find(({ name }) => name === "an ordinary hour")?.alert_rule_test ?? [];
    expect(new Set(ordinary.map(({ alertname }) => alertname))).toEqual(new Set(names));
    expect(ordinary.flatMap(({ exp_alerts: expected }) => expected)).toEqual([]);
  });

  test("know their severities", () => {
    const severities = new Set(rules.map(({ labels }) => labels.severity));
    expect(severities).toEqual(new Set(["page", "ticket"]));
  });

  test("please promtool, where there is one (Debian: apt-get install prometheus)", () => {
    const options = { cwd: join(folder, "monitoring"), encoding: "utf8" } as const;
    for (const words of [
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ]) {
      const { error, status, stdout, stderr } = spawnSync("promtool", words, options);
      if (error === undefined)
        expect([status, `${stdout}${stderr}`]).toEqual([0, expect.any(String)]);
    }
  });
});

test("the dashboard looks at what is there, each panel at something", () => {
  interface Panel {
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }
  // A file of our own, too.
  const { panels } = JSON.parse(read("monitoring/dashboard.json")) as {
    readonly panels: readonly Panel[];
  };
  const shown = panels.filter(({ type }) => type !== "row");
  expect(shown.length).toBeGreaterThan(20);
  for (const { title, targets = [] } of shown) {
    const names = targets.flatMap(({ expr }) => metricsIn(expr));
    expect([title, names.length > 0]).toEqual([title, true]);
    const unknown = names.filter((name) => name.startsWith("pay_") && !known.has(name));
    expect([title, unknown]).toEqual([title, []]);
  }
});
