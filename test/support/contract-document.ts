// The contract as it was written by hand, read without any of the code that is under test.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as suite from "../../generator/suite/contract.ts";
import type { Operation, Place } from "../../generator/suite/contract.ts";
import type { Json, JsonObject } from "../../generator/suite/json.ts";

export type { Operation, ParameterPlace, Place } from "../../generator/suite/contract.ts";
export { isObject, listAt, objectAt, textOf } from "../../generator/suite/json.ts";
export type { Json, JsonObject } from "../../generator/suite/json.ts";

export const documentPath = join(import.meta.dirname, "..", "..", "spec", "openapi.yaml");

/** YAML without tags, dates and anchors of its own is JSON. */
export const document = parse(readFileSync(documentPath, "utf8")) as JsonObject;

export const contract = new suite.Contract(document);

/** Every operation, in the order of the document. */
export const { operations } = contract;

export function placeAt(pointer: string): Place {
  return contract.placeAt(pointer);
}

export function below(place: Place, ...names: readonly string[]): Place {
  return contract.below(place, ...names);
}

export function members(place: Place, name: string): ReadonlyMap<string, Place> {
  return contract.members(place, name);
}

export function responseFor(operation: Operation | undefined, status: number): Place | undefined {
  return contract.responseFor(operation, status);
}

export function examplesOf(media: Place): ReadonlyMap<string, Json> {
  return suite.examplesOf(contract, media);
}
