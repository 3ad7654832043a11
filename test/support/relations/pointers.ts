// JSON Pointers into the body of a request (RFC 6901).

import type { Json, JsonObject } from "../../../generator/suite/json.ts";
import { textOf } from "../../../generator/suite/json.ts";
import { objectOf } from "./relation.ts";

export function tokensOf(pointer: Json | undefined): readonly string[] {
  const tokens = textOf(pointer).split("/").slice(1);
  return tokens.map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands there; undefined: nothing. */
export function valueAt(body: JsonObject, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = body;
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[Number(token)];
    else value = Object.hasOwn(objectOf(value), token) ? objectOf(value)[token] : undefined;
  }
  return value;
}
