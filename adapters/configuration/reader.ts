// Reads variables of the environment one by one, and collects what is wrong with them.

import { readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Rule {
  readonly fits: (text: string) => boolean;
  /** what to write instead */
  readonly instead: string;
  /** the message must not repeat it */
  readonly isSecret?: boolean;
}

const isPath = (text: string): boolean => !text.includes("\0");

export class Reader {
  readonly #environment: Environment;
  readonly #mistakes: string[];

  constructor(environment: Environment, mistakes: string[]) {
    this.#environment = environment;
    this.#mistakes = mistakes;
  }

  text(name: string, standard: string, rule: Rule): string {
    return this.#checked(name, rule, `leave it out for ${standard}`) ?? standard;
  }

  optional(name: string, rule: Rule): string | undefined {
    return this.#checked(name, rule, "leave it out");
  }

  /** The same, or a file with it, which `NAME_FILE` names: as orchestrators hand secrets in. */
  secret(name: string, rule: Omit<Rule, "isSecret">): string | undefined {
    const fileName = `${name}_FILE`;
    const path = this.optional(fileName, { fits: isPath, instead: "the path of a file" });
    if (path === undefined) return this.optional(name, { ...rule, isSecret: true });
    if (this.optional(name, { fits: () => true, instead: "" }) !== undefined) {
      this.#mistakes.push(`${name} and ${fileName} are both given; leave one of them out`);
      return undefined;
    }
    const text = this.#contentOf(fileName, path);
    if (text === undefined || rule.fits(text)) return text;
    this.#mistakes.push(
      `${fileName} names a file of the wrong form; write ${rule.instead} into it`,
    );
    return undefined;
  }

  #contentOf(fileName: string, path: string): string | undefined {
    try {
      return readFileSync(path, "utf8").trim();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      this.#mistakes.push(
        `${fileName} cannot be read (${reason}); name a file that this user may read`,
      );
      return undefined;
    }
  }

  /** Values with commas between them. */
  list(name: string, rule: Rule): readonly string[] {
    const split = (text: string): string[] =>
      text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
    const fits = (text: string): boolean => {
      const values = split(text);
      return values.length > 0 && values.every((one) => rule.fits(one));
    };
    const given = this.#checked(name, { ...rule, fits }, "leave it out");
    return given === undefined ? [] : split(given);
  }

  isGiven(name: string): boolean {
    return (this.#environment[name]?.trim() ?? "") !== "";
  }

  /** An empty variable counts as absent: compose files and CI systems pass unset ones that way. */
  #checked(name: string, rule: Rule, orElse: string): string | undefined {
    const given = this.#environment[name]?.trim();
    if (given === undefined || given === "") return undefined;
    if (rule.fits(given)) return given;
    const shown = rule.isSecret === true ? "of the wrong form" : JSON.stringify(given);
    this.#mistakes.push(`${name} is ${shown}; write ${rule.instead}, or ${orElse}`);
    return undefined;
  }

  choice<Value extends string>(name: string, standard: Value, values: readonly Value[]): Value {
    const rule = {
      fits: (text: string) => values.some((value) => value === text),
      instead: `one of ${values.join(", ")}`,
    };
    const text = this.text(name, standard, rule);
    return values.find((value) => value === text) ?? standard;
  }
}
