// The two texts that Prometheus reads: its own, and OpenMetrics 1.0. Of the same numbers they differ in little.

export type MetricsFormat = "prometheus" | "openmetrics";

export const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** As the header Accept wants it; Prometheus' own where it says nothing of either. */
export function formatFor(accept: string | undefined): MetricsFormat {
  return accept?.includes("application/openmetrics-text") === true ? "openmetrics" : "prometheus";
}

const suffix = "_total";

/**
 * A counter is named without its suffix there, and the text has an end. The library has that form, too, but whoever has
 * asked it for it once gets wrong names in the other one from then on.
 */
export function openMetricsOf(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const counters = new Set(lines.map((line) => /^# TYPE (\S+) counter$/.exec(line)?.[1]));
  const renamed = lines.map((line) => {
    const [, head, name, rest] = /^(# (?:HELP|TYPE) )(\S+)( .*)$/.exec(line) ?? [];
    if (name === undefined || !counters.has(name) || !name.endsWith(suffix)) return line;
    return `${head}${name.slice(0, -suffix.length)}${rest}`;
  });
  return `${renamed.join("\n")}\n# EOF\n`;
}
