// The validation that was generated of a document, held against another one of the same document, on values that
// it shows, on values drawn from its schemas, and on both with single faults.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { check } from "../../generator/runtime/checking.ts";
import { Contract } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import { isObject, type Json, type JsonObject } from "../../generator/suite/json.ts";
import { convert, type Side } from "./convert.ts";
import { buildOracle, type Oracle } from "./oracle.ts";
import type { Agreement } from "./outcome.ts";
import { isSetAside } from "./set-aside.ts";
import { type Generated, type Target, targetsOf } from "./targets.ts";
import { picked, valuesFor } from "./values.ts";

const depth = 4;
const shownMax = 5;

export interface Sampling {
  readonly seed: number;
  /** of more schemas so many are drawn by the seed */
  readonly schemasMax: number;
}

interface Wish extends Generated, Sampling {
  readonly path: string;
  readonly allowed: readonly string[];
}

export function compare({ path, allowed, seed, schemasMax, ...generated }: Wish): Agreement {
  const { reading } = generated;
  // a copy: Ajv and the drawing share nothing with what was generated
  const document = structuredClone(reading.bundled);
  if (allowed.length === 0 && reading.files.length === 1) assertAsWritten(document, path);
  const sides = new Sides(document);
  const all = targetsOf(sides.of(undefined).contract, generated);
  const targets = picked(all, schemasMax, new Dice(seed));
  const disagreements: string[] = [];
  const uncompiled: string[] = [];
  const counts = { values: 0, setAside: 0 };
  for (const target of targets) {
    try {
      compareBy(target, { sides, seed, counts, disagreements });
    } catch (error) {
      // Ajv compiles at the first value; what it refuses is told
      if (!(error instanceof Error)) throw error;
      uncompiled.push(`${target.name}: ${error.message}`);
    }
  }
  return { schemas: targets.length, schemasAll: all.length, ...counts, uncompiled, disagreements };
}

interface Comparing {
  readonly sides: Sides;
  readonly seed: number;
  readonly counts: { values: number; setAside: number };
  readonly disagreements: string[];
}

function compareBy(target: Target, { sides, seed, counts, disagreements }: Comparing): void {
  const { oracle, drawing } = sides.of(target.side);
  const accepts = oracle.accepts(target.pointer);
  const { valid, problems } = check(target.schema);
  let shown = 0;
  for (const value of valuesFor(target, drawing, new Dice(seed))) {
    if (isSetAside(value)) {
      counts.setAside += 1;
      continue;
    }
    counts.values += 1;
    const theirs = accepts(value);
    const ours = valid(value);
    const told = problems(value);
    if (ours === theirs && ours === (told.length === 0)) continue;
    if (shown++ >= shownMax) continue;
    const findings = oracle.judgeAt(target.pointer)(value).slice(0, 3);
    const said = { ours, theirs, told: told.slice(0, 3), findings, value };
    disagreements.push(`${target.name} ${target.pointer}: ${JSON.stringify(said).slice(0, 1500)}`);
  }
}

interface Sided {
  readonly contract: Contract;
  readonly oracle: Oracle;
  readonly drawing: Drawing;
}

/** The document as requests see it, as answers see it, and as it is written: each made when it is asked for. */
class Sides {
  readonly #document: JsonObject;
  readonly #known = new Map<Side | undefined, Sided>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  of(side: Side | undefined): Sided {
    const known = this.#known.get(side);
    if (known !== undefined) return known;
    const converted = convert(this.#document, side);
    const contract = new Contract(converted);
    const oracle = buildOracle(converted);
    const made = { contract, oracle, drawing: new Drawing(contract, oracle, { depth }) };
    this.#known.set(side, made);
    return made;
  }
}

/**
 * The bundled document is what the file says, read by another reader, but for the targets of a mapping, which it
 * writes out. Of Swagger 2.0 it is a translation.
 */
function assertAsWritten(document: JsonObject, path: string): void {
  const text = readFileSync(path, "utf8");
  const written = (
    path.endsWith(".json") ? JSON.parse(text) : parse(text, { merge: true })
  ) as Json;
  if (isObject(written) && written["swagger"] !== undefined) return;
  if (!isDeepStrictEqual(plain(written), plain(document)))
    throw new Error(`${path}: the document in one piece is not what was written`);
}

/** With objects of one prototype. */
function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value, (name, one: unknown) => (name === "mapping" ? {} : one)));
}
