// The texts that Prometheus reads: names and helps as its conventions want them, the same numbers in both forms.

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { contentTypes, formatFor, openMetricsOf } from "../../adapters/metrics/formats.ts";
import { Metrics } from "../../adapters/metrics/metrics.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { familiesOf, namingProblems, samplesOf } from "./exposition.ts";

const warnings: unknown[] = [];
const log = { warn: (fields: object) => void warnings.push(fields) };
const metrics = new Metrics({ clock: systemClock, log });
metrics.requests.onAnswered({
  operationId: "createPayment",
  isCheckout: false,
  status: 429,
  code: "rate_limited",
  milliseconds: 3,
});
metrics.chains.observerOf("eip155:1").onCall(2, "eth_call")("node_error");

describe("names", () => {
  test("and helps of ours follow the conventions", async () => {
    const families = familiesOf(await metrics.text("prometheus"));
    const ours = families.filter(({ name }) => name.startsWith("pay_"));
    expect(ours.length).toBeGreaterThan(50);
    const problems = ours.map((family) => [family.name, namingProblems(family)]);
    expect(problems.filter(([, list]) => list?.length !== 0)).toEqual([]);
  });

  test("of the library's are no others than those that OpenMetrics allows", async () => {
    const families = familiesOf(await metrics.text("prometheus"));
    const others = families.filter(({ name }) => !name.startsWith("pay_"));
    expect(others.length).toBeGreaterThan(10);
    const wrong = others.filter(
      ({ name, type }) => name.endsWith("_total") !== (type === "counter"),
    );
    expect(wrong).toEqual([]);
  });

  test("would be seen if they did not", () => {
    const wrong = (name: string, type: string, help = "x") => namingProblems({ name, type, help });
    expect(wrong("pay_things", "counter")).toEqual(["a counter ends in _total"]);
    expect(wrong("pay_things_total", "gauge")).toEqual(["only a counter ends in _total"]);
    expect(wrong("pay_wait_milliseconds", "gauge")).toEqual(["has no base unit"]);
    expect(wrong("pay_things_count", "gauge")).toEqual(["has a suffix that means something"]);
    expect(wrong("pay_Things", "gauge", " ")).toEqual(["has no help", "is no snake_case"]);
  });

  test("please promtool, where there is one (Debian: apt-get install prometheus)", async () => {
    const input = await metrics.text("prometheus");
    const checked = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
    const verdict = checked.error === undefined ? `${checked.stdout}${checked.stderr}` : "";
    expect(verdict).toBe("");
  });
});

describe("OpenMetrics", () => {
  test("is asked for by Accept, as Prometheus does", () => {
    const asked =
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    expect(formatFor(asked)).toBe("openmetrics");
    expect([undefined, "*/*", "text/plain"].map(formatFor)).toEqual(Array(3).fill("prometheus"));
    expect(contentTypes.openmetrics).toBe(
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    );
    expect(contentTypes.prometheus).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  test("has the same samples, counters named without their suffix, no empty line, and an end", async () => {
    const plain = await metrics.text("prometheus");
    const open = await metrics.text("openmetrics");
    expect(open).toMatch(/# TYPE pay_http_requests counter\n/);
    expect(open).toMatch(/# HELP pay_http_requests \S/);
    expect(open).toContain('pay_http_requests_total{operation="createPayment",status="429"} 1\n');
    expect(open.endsWith("\n# EOF\n")).toBe(true);
    expect(open).not.toContain("\n\n");
    const names = (text: string) =>
      [...samplesOf(text).keys()].filter((one) => one.startsWith("pay_"));
    expect(names(open)).toEqual(names(plain));
    // The one form has not changed the other.
    expect(await metrics.text("prometheus")).toMatch(/# TYPE pay_http_requests_total counter\n/);
  });

  test("leaves alone what only looks like a counter", () => {
    const text = "# HELP a_total x\n# TYPE a_total gauge\na_total 1\n";
    expect(openMetricsOf(text)).toBe(`${text}# EOF\n`);
  });
});
