// What stands in a text for Prometheus, read by a reader of our own: lines, names, and the rules that promtool has for
// names (https://prometheus.io/docs/practices/naming).

/** By the sample as it stands there, name and labels. */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
    if (samples.has(name)) throw new Error(`twice: ${name}`);
    samples.set(name, value === "+Inf" ? Infinity : Number(value));
  }
  return samples;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

export function familiesOf(text: string): readonly Family[] {
  const helps = new Map(
    Array.from(text.matchAll(/^# HELP (\w+) (.*)$/gm), ([, name = "", help = ""]) => [name, help]),
  );
  return Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = "", type = ""]) => {
    return { name, type, help: helps.get(name) ?? "" };
  });
}

/** Units that are not the base ones, which Prometheus wants. */
const otherUnits = /_(?:ms|milliseconds|minutes|hours|days|kb|kilobytes|megabytes|percent)(?:_|$)/;

/** What is wrong with the name of a family. */
export function namingProblems({ name, type, help }: Family): readonly string[] {
  const problems: string[] = [];
  if (help.trim() === "") problems.push("has no help");
  if (type === "counter" && !name.endsWith("_total")) problems.push("a counter ends in _total");
  if (type !== "counter" && name.endsWith("_total")) problems.push("only a counter ends in _total");
  if (/_(?:count|sum|bucket|info)$/.test(name)) problems.push("has a suffix that means something");
  if (otherUnits.test(name)) problems.push("has no base unit");
  if (/[A-Z]|:/.test(name)) problems.push("is no snake_case");
  return problems;
}
