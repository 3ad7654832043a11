// How a wrong value is put into an answer.

import { isObject, type Json, textOf } from "../support/contract-document.ts";
import type { Answered } from "./value-answers.ts";

export type Planting = (one: Answered, all: readonly Answered[]) => Answered;

export interface PlantedValue {
  readonly name: string;
  /** the answer that it is planted into */
  readonly of: string;
  /** what has to notice it */
  readonly relation: string;
  readonly plant: Planting;
}

export type Wanted = Json | ((is: Json, all: readonly Answered[]) => Json);

/** Faults of one relation: by the answer and the name of each. */
export function planted(
  relation: string,
  ...faults: readonly (readonly [of: string, name: string, ...plantings: readonly Planting[]])[]
): readonly PlantedValue[] {
  return faults.map(([of, name, ...plantings]) => ({
    name: `${of}: ${name}`,
    of,
    relation,
    plant: (one, all) => plantings.reduce((answered, plant) => plant(answered, all), one),
  }));
}

/** What stands at a path of names and places. */
export function body(path: string, wanted: Wanted): Planting {
  return (one, all) => {
    const steps = path.split(" ");
    const changed = put(one.answer.body ?? null, steps, (is) =>
      typeof wanted === "function" ? wanted(is, all) : wanted,
    );
    return { ...one, answer: { ...one.answer, body: changed } };
  };
}

/** Undefined: it is gone. */
export function header(
  name: string,
  wanted: string | undefined | ((is: string, all: readonly Answered[]) => string),
): Planting {
  return (one, all) => {
    const headers = new Headers(one.answer.headers);
    const is = headers.get(name) ?? "";
    const value = typeof wanted === "function" ? wanted(is, all) : wanted;
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
    return { ...one, answer: { ...one.answer, headers } };
  };
}

function put(value: Json, [step, ...rest]: readonly string[], change: (is: Json) => Json): Json {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    if (Number(step) >= value.length) throw new Error(`there is no ${step}`);
    return value.map((one, place) => (place === Number(step) ? put(one, rest, change) : one));
  }
  if (!isObject(value)) throw new Error(`there is no ${step}`);
  return { ...value, [step]: put(value[step] ?? null, rest, change) };
}

/** What stands there in another answer. */
export function as(of: string, path: string): (is: Json, all: readonly Answered[]) => Json {
  return (_, all) => {
    const found = all.find(({ name }) => name === of);
    let value = found?.answer.body ?? null;
    for (const step of path.split(" ")) {
      value = Array.isArray(value) ? (value[Number(step)] ?? null) : member(value, step);
    }
    return value;
  };
}

function member(value: Json, name: string): Json {
  return isObject(value) ? (value[name] ?? null) : null;
}

/** So many milliseconds later. */
export function later(milliseconds: number): (is: Json) => Json {
  return (is) => new Date(Date.parse(textOf(is)) + milliseconds).toISOString();
}

export function plus(more: bigint): (is: Json) => Json {
  return (is) => String(BigInt(textOf(is)) + more);
}

export function without(name: string): (is: Json) => Json {
  return (is) => {
    if (!isObject(is)) return is;
    return Object.fromEntries(Object.entries(is).filter(([other]) => other !== name));
  };
}

export const turned = (is: Json): Json => (Array.isArray(is) ? is.toReversed() : is);
export const firstTwice = (is: Json): Json => (Array.isArray(is) ? [is[0] ?? null, ...is] : is);
export const lessOne = (is: Json): Json => (Array.isArray(is) ? is.slice(1) : is);
/** In place of the last character of an id. */
export const otherId = (is: Json): Json =>
  textOf(is).replace(/.$/, (last) => (last === "7" ? "8" : "7"));
