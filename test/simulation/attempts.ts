// A transaction that lost against another one is undone and run again. A life must be the same with and without: what
// an attempt draws, the next one draws, too.

interface Kept<One> {
  /** what was asked for */
  readonly what: string | number;
  readonly drawn: One;
}

/** Of one kind of draws; turns are taken, so that one transaction runs at a time. */
export class Draws<One> {
  #kept: Kept<One>[] | undefined;
  #next = 0;

  /** What the same draw of the attempt before has given, if there is one. */
  take(what: string | number, draw: () => One): One {
    if (this.#kept === undefined) return draw();
    const kept = this.#kept[this.#next] ?? { what, drawn: draw() };
    if (kept.what !== what) throw new Error(`another attempt wants ${what}, not ${kept.what}`);
    this.#kept[this.#next] = kept;
    this.#next += 1;
    return kept.drawn;
  }

  /** The first attempt at something begins. */
  open(): void {
    if (this.#kept !== undefined) throw new Error("another transaction is under way");
    this.#kept = [];
  }

  /** An attempt begins. */
  begin(): void {
    this.#next = 0;
  }

  /** What comes now is drawn anew. */
  close(): void {
    this.#kept = undefined;
  }
}
