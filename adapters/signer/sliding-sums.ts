// What was used in the last 24 hours, by name. Times are kept to ten minutes, and what is only partly
// in the window counts, so a limit is never granted early: at most ten minutes late.

const windowMilliseconds = 86_400_000;
const slotMilliseconds = 600_000;

export interface SlidingEntry<Subject> {
  readonly subject: Subject;
  /** the beginning of its ten minutes */
  readonly at: number;
  readonly sum: bigint;
}

export class SlidingSums<Subject> {
  readonly #nameOf: (subject: Subject) => string;
  readonly #known = new Map<string, { readonly subject: Subject; slots: Map<number, bigint> }>();

  constructor(nameOf: (subject: Subject) => string) {
    this.#nameOf = nameOf;
  }

  /** In the 24 hours up to then. */
  sum(subject: Subject, now: number): bigint {
    let sum = 0n;
    for (const [at, one] of this.#known.get(this.#nameOf(subject))?.slots ?? []) {
      if (isWithin(at, now)) sum += one;
    }
    return sum;
  }

  add(subject: Subject, at: number, more: bigint): void {
    if (more === 0n) return;
    const name = this.#nameOf(subject);
    const known = this.#known.get(name) ?? { subject, slots: new Map<number, bigint>() };
    const slot = at - (at % slotMilliseconds);
    known.slots.set(slot, (known.slots.get(slot) ?? 0n) + more);
    this.#known.set(name, known);
  }

  /** What no window will have any more. */
  forgetBefore(now: number): void {
    for (const [name, { slots }] of this.#known) {
      for (const at of slots.keys()) if (!isWithin(at, now)) slots.delete(at);
      if (slots.size === 0) this.#known.delete(name);
    }
  }

  /** The clock was ahead, and is not: what it counted then, counts now. */
  bringBackTo(now: number): void {
    for (const { subject, at, sum } of this.entries()) {
      if (at <= now) continue;
      this.#known.get(this.#nameOf(subject))?.slots.delete(at);
      this.add(subject, now, sum);
    }
  }

  /** Of which something was used since the last time that old ones were forgotten. */
  subjects(): readonly Subject[] {
    return Array.from(this.#known.values(), ({ subject }) => subject);
  }

  entries(): readonly SlidingEntry<Subject>[] {
    return Array.from(this.#known.values()).flatMap(({ subject, slots }) =>
      Array.from(slots, ([at, sum]) => ({ subject, at, sum })),
    );
  }
}

function isWithin(at: number, now: number): boolean {
  return at + slotMilliseconds > now - windowMilliseconds;
}
