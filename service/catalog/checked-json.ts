// Reading a hand-written JSON file: every problem is noted with its place and with what to write
// instead, and reading goes on. After a problem the returned value only stands in, so whoever reads
// must throw everything away once there is a problem.

export interface JsonProblem {
  /** RFC 6901 */
  readonly pointer: string;
  readonly message: string;
}

/** A value inside the file. */
export class Place {
  readonly value: unknown;
  readonly pointer: string;
  readonly problems: JsonProblem[];

  constructor(value: unknown, pointer: string, problems: JsonProblem[]) {
    this.value = value;
    this.pointer = pointer;
    this.problems = problems;
  }

  refuse(message: string): void {
    this.problems.push({ pointer: this.pointer, message });
  }

  /** Whether `read` finds nothing to refuse; what depends on several values is checked only then. */
  isSound(read: () => void): boolean {
    const before = this.problems.length;
    read();
    return this.problems.length === before;
  }

  /** The members of an object: all of `required`, and of the others only `optional` ones. */
  members(required: readonly string[], optional: readonly string[] = []): void {
    if (!isObject(this.value)) {
      this.refuse("must be an object");
      return;
    }
    for (const name of required) {
      if (!Object.hasOwn(this.value, name)) this.member(name).refuse("is missing");
    }
    const known = new Set([...required, ...optional]);
    for (const name of Object.keys(this.value)) {
      if (known.has(name)) continue;
      this.member(name).refuse(`is not known here; there are ${[...known].join(", ")}`);
    }
  }

  /** A value that is missing has been refused by `members`. */
  get isMissing(): boolean {
    return this.value === undefined;
  }

  member(name: string): Place {
    const value = isObject(this.value) ? this.value[name] : undefined;
    const token = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return new Place(value, `${this.pointer}/${token}`, this.problems);
  }

  items(): readonly Place[] {
    if (!Array.isArray(this.value)) {
      if (!this.isMissing) this.refuse("must be a list");
      return [];
    }
    return this.value.map(
      (value: unknown, index) => new Place(value, `${this.pointer}/${index}`, this.problems),
    );
  }

  text(form: RegExp, hint: string): string {
    if (typeof this.value === "string" && form.test(this.value)) return this.value;
    if (!this.isMissing) this.refuse(`must be ${hint}`);
    return "";
  }

  oneOf<Value extends string>(values: readonly [Value, ...Value[]]): Value {
    const found = values.find((value) => value === this.value);
    if (found === undefined && !this.isMissing) this.refuse(`must be one of ${values.join(", ")}`);
    return found ?? values[0];
  }

  flag(): boolean {
    if (typeof this.value === "boolean") return this.value;
    if (!this.isMissing) this.refuse("must be true or false");
    return false;
  }

  integer(least: number, most: number): number {
    if (
      typeof this.value === "number" &&
      Number.isInteger(this.value) &&
      this.value >= least &&
      this.value <= most
    ) {
      return this.value;
    }
    if (!this.isMissing) this.refuse(`must be a whole number from ${least} to ${most}`);
    return least;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
