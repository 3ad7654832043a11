// Remembers for every object and array of the data where it was written, through all rewriting.

import type { Json, JsonObject } from "../json.ts";
import { escapeToken } from "../json.ts";
import { type Code, consequenceOf, type ErrorCode } from "../diagnostics/codes.ts";
import type { WarningCode } from "../diagnostics/codes.ts";
import { ofReferences, type Place, type Problem, problemAt, type Said } from "../problems.ts";
import type { Source } from "./source.ts";

interface Origin {
  readonly source: Source;
  readonly pointer: string;
}

export class Origins {
  readonly #origins = new Map<object, Origin>();

  /** Notes the origin of every object and array of a file. */
  note(source: Source, value: Json = source.data, pointer = ""): void {
    if (typeof value !== "object" || value === null || this.#origins.has(value)) return;
    this.#origins.set(value, { source, pointer });
    for (const [name, item] of Object.entries(value)) {
      // a leaf's place is found through its parent
      if (typeof item === "object") this.note(source, item, `${pointer}/${escapeToken(name)}`);
    }
  }

  /** A rewritten node stands where its original stood. */
  copy<T extends Json[] | JsonObject>(from: object, to: T): T {
    const origin = this.#origins.get(from);
    if (origin !== undefined) this.#origins.set(to, origin);
    return to;
  }

  sourceOf(node: object): Source | undefined {
    return this.#origins.get(node)?.source;
  }

  pointerOf(node: object): string | undefined {
    return this.#origins.get(node)?.pointer;
  }

  /** The place of a node, or of one of its properties (`of: "key"` points at the name). */
  place(node: object, name?: string | number, of: "value" | "key" = "value"): Place {
    const origin = this.#origins.get(node);
    if (origin === undefined) return { file: "(document)", pointer: "" };
    const pointer =
      name === undefined ? origin.pointer : `${origin.pointer}/${escapeToken(String(name))}`;
    return origin.source.place(pointer, of);
  }
}

/** Collects problems of one document; every stage adds to the same list. */
export class Report {
  readonly problems: Problem[] = [];
  readonly origins: Origins;
  readonly #known = new Set<string>();
  readonly #allowed: ReadonlySet<Code>;

  /** `allowed`: errors that are to be warnings, and warnings that are not to be said. */
  constructor(origins: Origins, allowed: ReadonlySet<Code> = new Set()) {
    this.origins = origins;
    this.#allowed = allowed;
  }

  allows(code: Code): boolean {
    return this.#allowed.has(code);
  }

  /** What was found before there were origins. */
  take(problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (!this.allows(problem.code)) this.problems.push(problem);
      else if (problem.severity === "error") {
        const allowed = consequenceOf(problem.code);
        this.problems.push(
          allowed === undefined ? problem : { ...problem, severity: "warning", allowed },
        );
      }
    }
  }

  error(code: ErrorCode, where: Where, said: Said): void {
    this.#add(code, where, said);
  }

  warning(code: WarningCode, where: Where, said: Said): void {
    this.#add(code, where, said);
  }

  get failed(): boolean {
    return this.problems.some((problem) => problem.severity === "error");
  }

  #add(code: Code, [node, name, of]: Where, said: Said): void {
    const place = this.origins.place(node, name, of);
    // the same shared part may be reached along several ways, and a reference of Swagger 2.0 in the words of 3.0, too
    const what = ofReferences.has(code) ? "a reference" : said[0];
    const word = JSON.stringify([place.file, place.pointer, what]);
    if (this.#known.has(word)) return;
    this.#known.add(word);
    this.take([problemAt(code, place, said)]);
  }
}

/** A node, and optionally which of its properties is meant, and whether its value or its name. */
export type Where = readonly [node: object, name?: string | number, of?: "value" | "key"];
