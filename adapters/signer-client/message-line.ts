// A message as a line of JSON, both ways by one schema: on the line its members have names in snake
// case, in the program in camel case.

import type { z } from "zod";

/** What was sent is none; the message names places and never repeats a value. */
export class ProtocolError extends Error {
  /** of the message, where it could be read */
  readonly id: number | null;
  constructor(message: string, id: number | null) {
    super(message);
    this.name = "ProtocolError";
    this.id = id;
  }
}

type CamelName<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name;

type Camel<Value> = Value extends Uint8Array | bigint | number | string | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Camel<Item>[]
    : { readonly [Name in keyof Value as CamelName<Name>]: Camel<Value[Name]> };

/** `print` and `parse` throw `ProtocolError`. */
export function messageLine<Schema extends z.ZodType>(schema: Schema) {
  return {
    print: (message: Camel<z.output<Schema>>): string => {
      // The names are the schema's again, and `Camel` has checked all the rest.
      const named = renamed(message, snake) as z.output<Schema>;
      const { data, error } = schema.safeEncode(named, { error: problemOf });
      if (error !== undefined) throw protocolError(error, named);
      return JSON.stringify(data);
    },
    parse: (line: string): Camel<z.output<Schema>> => {
      const value = jsonOf(line);
      const { data, error } = schema.safeParse(value, { error: problemOf });
      if (error !== undefined) throw protocolError(error, value);
      // What `renamed` does is what `Camel` says.
      return renamed(data, camel) as Camel<z.output<Schema>>;
    },
  };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new ProtocolError("that is not JSON", null);
  }
}

/** Every name of a message is one, and none of its values has a name that is data. */
function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]),
  );
}

const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function problemOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be of type ${issue.expected}`;
    case "invalid_format":
      return `must be ${issue.format}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_union":
      return `must be one of ${Array.isArray(issue.options) ? issue.options.join(", ") : "several"}`;
    case "too_big":
      return "is too large";
    case "too_small":
      return "is too small";
    default:
      return "is not what it has to be";
  }
}

function protocolError({ issues }: z.core.$ZodError, value: unknown): ProtocolError {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  const isId = typeof id === "number" && Number.isSafeInteger(id) && id >= 0;
  const problems = issues.flatMap((issue) => problemsOf(issue, "")).join("; ");
  // A hostile line may have thousands of unknown members: the beginning says enough.
  return new ProtocolError(problems.slice(0, 500).replaceAll(/\p{Cc}/gu, "?"), isId ? id : null);
}

function problemsOf(issue: z.core.$ZodIssue, above: string): readonly string[] {
  const place = [above, ...issue.path].join("/");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => `${place}/${name} is not known here`);
  }
  if (issue.code !== "invalid_union" || issue.errors.length === 0) {
    return [`${place} ${issue.message}`.trim()];
  }
  // The message that was meant is the one that knows all members.
  const knows = ({ code }: z.core.$ZodIssue): boolean => code !== "unrecognized_keys";
  const meant = issue.errors.find((issues) => issues.every(knows)) ?? issue.errors[0] ?? [];
  return meant.flatMap((inner) => problemsOf(inner, place));
}
