// What is counted with every request and every statement, counted in place: the library checks the labels of each
// observation and joins them to a key, which is half of what counting costs. Here one word finds the numbers, and the
// library gets them when the text is asked for.

import { Counter } from "prom-client";
import type { Histogram, Registry } from "prom-client";

interface Counts {
  /** of each bucket what is above the bound of the one before it; at the end what is above all bounds */
  readonly inBuckets: number[];
  sum: number;
}

interface Options<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** upper bounds, ascending: what is equal to one is in its bucket */
  readonly buckets: readonly number[];
  readonly label?: Label;
  readonly registry: Registry;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** As the library's own, with one label or none. */
export class HistogramInPlace<Label extends string = never> {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly #options: Options<Label>;
  /** by the value of the label; of one that has none under the empty word */
  readonly #counts = new Map<string, Counts>();

  constructor(options: Options<Label>) {
    this.name = options.name;
    this.help = options.help;
    this.labelNames = options.label === undefined ? [] : [options.label];
    this.#options = options;
    this.reset();
    // Of what is registered it takes the name, and for the text what `get` gives; its types know its own classes only.
    options.registry.registerMetric(this as unknown as Histogram);
  }

  /**
   * @param value in the unit that the name ends with; what is no finite number is not counted
   * @param labels the value of the label, of one that has one
   */
  observe(value: number, ...labels: [Label] extends [never] ? [] : [string]): void {
    if (!Number.isFinite(value)) return;
    const [labelled = ""] = labels;
    const counts = this.#counts.get(labelled) ?? this.#begin(labelled);
    const { buckets } = this.#options;
    const found = buckets.findIndex((bound) => value <= bound);
    const at = found === -1 ? buckets.length : found;
    counts.inBuckets[at] = (counts.inBuckets[at] ?? 0) + 1;
    counts.sum += value;
  }

  reset(): void {
    this.#counts.clear();
    // There from the beginning, as the library has it.
    if (this.#options.label === undefined) this.#begin("");
  }

  get(): Promise<{ name: string; help: string; type: "histogram"; values: Sample[] }> {
    const { name, help, type } = this;
    const values = [...this.#counts].flatMap(([labelled, counts]) =>
      this.#samplesOf(labelled, counts),
    );
    return Promise.resolve({ name, help, type, values });
  }

  #begin(labelled: string): Counts {
    const inBuckets = Array.from({ length: this.#options.buckets.length + 1 }, () => 0);
    const counts = { inBuckets, sum: 0 };
    this.#counts.set(labelled, counts);
    return counts;
  }

  #samplesOf(labelled: string, { inBuckets, sum }: Counts): Sample[] {
    const { name, label, buckets } = this.#options;
    const own = label === undefined ? {} : { [label]: labelled };
    let count = 0;
    const cumulated = [...buckets, "+Inf"].map((le, index): Sample => {
      count += inBuckets[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...own }, value: count };
    });
    return [
      ...cumulated,
      { metricName: `${name}_sum`, labels: own, value: sum },
      { metricName: `${name}_count`, labels: own, value: count },
    ];
  }
}

/** A counter of two labels: the second one's count under the first one's. */
export class CounterInPlace<First extends string, Second extends string> {
  readonly #counts = new Map<string, Map<string | number, number>>();

  constructor(options: {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly [First, Second];
    readonly registry: Registry;
  }) {
    const counts = this.#counts;
    const [first, second] = options.labelNames;
    void new Counter<string>({
      name: options.name,
      help: options.help,
      labelNames: options.labelNames,
      registers: [options.registry],
      collect() {
        this.reset();
        for (const [one, under] of counts) {
          for (const [other, count] of under) this.inc({ [first]: one, [second]: other }, count);
        }
      },
    });
  }

  inc(first: string, second: string | number): void {
    const under = this.#counts.get(first) ?? new Map<string | number, number>();
    if (under.size === 0) this.#counts.set(first, under);
    under.set(second, (under.get(second) ?? 0) + 1);
  }
}
