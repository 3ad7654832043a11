// An operator's command says once which words it takes. From that come the usage, the reading of what
// was typed, and the types of what the command gets.

import { parseArgs } from "node:util";
import { confirmations } from "./confirmations.ts";
import type { Result } from "./results.ts";

/** Wrong words, as opposed to a wish that cannot be granted. */
export class UsageError extends Error {}

export interface AdminFile {
  readonly name: string;
  readonly text: string;
}

export interface Word<Value> {
  /** place: it stands by its position, and all others behind `--` and their name */
  readonly form: "place" | "needed" | "optional" | "repeated" | "flag";
  /** what is typed there */
  readonly shown: string;
  readonly says: string;
  /** all that may be typed, where these are few */
  readonly choices?: readonly string[];
  /** Throws `UsageError`. */
  readonly read: (texts: readonly string[], name: string) => Value;
}

export function word<Value>(
  shown: string,
  says: string,
  read: (text: string, name: string) => Value,
): Word<Value> {
  const readNeeded: Word<Value>["read"] = ([text = ""], name) => {
    if (text.trim() === "") throw new UsageError(`--${name} is missing.`);
    return read(text, name);
  };
  return { form: "needed", shown, says, read: readNeeded };
}

export const text = (shown: string, says = ""): Word<string> => word(shown, says, (given) => given);

export const place = (shown: string): Word<string> => ({ ...text(shown), form: "place" });

export const wholeNumber = (shown: string, says = ""): Word<bigint> =>
  word(shown, says, (given, name) => {
    if (/^\d{1,18}$/.test(given)) return BigInt(given);
    throw new UsageError(`--${name} is a whole number.`);
  });

export const oneOf = <const Choices extends readonly string[]>(
  choices: Choices,
  says = "",
): Word<Choices[number]> => ({
  ...word(choices.join("|"), says, (given, name): Choices[number] => {
    const found = choices.find((choice) => choice === given);
    if (found !== undefined) return found;
    const listed = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
    throw new UsageError(`--${name} is ${listed}.`);
  }),
  choices,
});

export const optional = <Value>(needed: Word<Value>): Word<Value | undefined> => ({
  ...needed,
  form: "optional",
  read: (texts, name) => (texts.length === 0 ? undefined : needed.read(texts, name)),
});

export const repeated = (shown: string, says: string): Word<readonly string[]> => ({
  form: "repeated",
  shown,
  says,
  read: (texts) => texts,
});

export const flag = (says = ""): Word<boolean> => ({
  form: "flag",
  shown: "",
  says,
  read: (texts) => texts.length > 0,
});

type Words = Readonly<Record<string, Word<unknown>>>;
type Values<Taken extends Words> = {
  readonly [Name in keyof Taken]: ReturnType<Taken[Name]["read"]>;
};
type Typed = ReadonlyMap<string, readonly string[]>;

/** `Operator`: what it works on. */
export interface Command<Operator> {
  readonly name: string;
  readonly says: string;
  readonly words: Words;
  readonly run: Run<Typed, Operator>;
  /** It changes something, and can be tried: in a transaction that is taken back, or by its own way. */
  readonly dryRun: "rehearsal" | Run<Typed, Operator> | undefined;
}

type Run<Given, Operator> = (given: Given, operator: Operator, file?: AdminFile) => Promise<Result>;

interface CommandParts<Taken extends Words, Operator> {
  readonly says?: string;
  readonly words: Taken;
  readonly run: Run<Values<Taken>, Operator>;
  /** left out: it changes nothing */
  readonly dryRun?: "rehearsal" | Run<Values<Taken>, Operator>;
}

/** What every command takes that changes something. */
export const ofChanges = {
  "dry-run": flag("checks and says all that it would do, and changes nothing"),
};

/** What every command takes that asks before it does it. */
export const ofAsking = {
  yes: flag("does it without asking, as scripts have to say"),
};

/** What every command takes. */
export const everywhere = {
  json: flag("one JSON object in place of text, also for what went wrong"),
};

/** @param name two words */
export function command<Taken extends Words, Operator>(
  name: string,
  { says = "", words, run, dryRun }: CommandParts<Taken, Operator>,
): Command<Operator> {
  const reading = (own: Run<Values<Taken>, Operator>): Run<Typed, Operator> => {
    return async (typed, operator, file) => {
      const values = Object.fromEntries(
        Object.entries(words).map(([key, { read }]) => [key, read(typed.get(key) ?? [], key)]),
      );
      // Each was read by its own word.
      return await own(values as Values<Taken>, operator, file);
    };
  };
  return {
    name,
    says,
    words: {
      ...words,
      ...(dryRun === undefined ? {} : ofChanges),
      ...(Object.hasOwn(confirmations, name) ? ofAsking : {}),
      ...everywhere,
    },
    run: reading(run),
    dryRun: typeof dryRun === "function" ? reading(dryRun) : dryRun,
  };
}

/** What was typed behind the command's name. Throws `UsageError`. */
export function readWords(
  { name, words }: Pick<Command<never>, "name" | "words">,
  args: readonly string[],
): Typed {
  const entries = Object.entries(words);
  const places = entries.filter(([, { form }]) => form === "place");
  const options = Object.fromEntries(
    entries
      .filter(([, { form }]) => form !== "place")
      .map(([key, { form }]) => {
        return [key, { type: form === "flag" ? "boolean" : "string", multiple: true }] as const;
      }),
  );
  const loose = { args: [...args], options, allowPositionals: true } as const;
  const foreign = parseArgs({ ...loose, strict: false, tokens: true }).tokens.flatMap((token) =>
    token.kind === "option" && !Object.hasOwn(options, token.name) ? [token.rawName] : [],
  );
  if (foreign.length > 0) throw new UsageError(`"${name}" takes no ${foreign.join(", ")}.`);
  const { values, positionals } = parseStrictly(loose);
  if (positionals.length !== places.length) {
    const wanted = places.map(([, { shown }]) => shown).join(" ") || "nothing more";
    throw new UsageError(`"${name}" takes ${wanted}.`);
  }
  return new Map([
    ...Object.entries(values).map(([key, list]) => [key, [list].flat().map(String)] as const),
    ...places.map(([key], at) => [key, positionals.slice(at, at + 1)] as const),
  ]);
}

function parseStrictly(loose: Parameters<typeof parseArgs>[0]) {
  try {
    return parseArgs(loose);
  } catch (error) {
    const isOurs = error instanceof Error && "code" in error;
    if (!isOurs || !String(error.code).startsWith("ERR_PARSE_ARGS_")) throw error;
    throw new UsageError(error.message);
  }
}
