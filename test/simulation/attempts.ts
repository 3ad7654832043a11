// A transaction that lost against another one is undone and run again. Where others have the same server, that happens
// also to one that nobody is in the way of: PostgreSQL cannot always tell who was there at the same time. A life must
// be the same with and without: what an attempt draws, the next one draws, too.

/** Of one kind of draws. */
export class Draws<One> {
  #kept: One[] | undefined;
  #next = 0;

  /** What the same draw of the attempt before has given, if there is one. */
  take(draw: () => One): One {
    if (this.#kept === undefined) return draw();
    const kept = this.#kept[this.#next];
    const drawn = kept ?? draw();
    if (kept === undefined) this.#kept.push(drawn);
    this.#next += 1;
    return drawn;
  }

  /** An attempt begins: the first one, or the next. */
  begin(): void {
    this.#kept ??= [];
    this.#next = 0;
  }

  /** What comes now is drawn anew. */
  end(): void {
    this.#kept = undefined;
  }
}
