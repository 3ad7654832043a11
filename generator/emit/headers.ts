// The headers of answers: their schemas, their types, and how their texts are read.

import type { JsonObject } from "../json.ts";
import type { Response, ResponseHeader } from "../model/model.ts";
import type { ParameterKind, ScalarKind } from "../runtime/runtime.ts";
import { propertyKey, typedLiteral } from "./literals.ts";
import { namedText } from "./objects.ts";
import type { Scope } from "./printing.ts";
import { printSchema } from "./zod.ts";

/** Headers as handlers give them; `unknown` when there are none. */
export function headersType(headers: readonly ResponseHeader[]): string {
  if (headers.length === 0) return "unknown";
  const members = headers.map(
    ({ name, required, kind }) => `${propertyKey(name)}${required ? "" : "?"}: ${kindType(kind)}`,
  );
  return `{ ${members.join("; ")} }`;
}

/** JSON and objects are given as text. */
function kindType(kind: ParameterKind): string {
  if (kind === "json" || "object" in kind || "tree" in kind) return "string";
  if ("scalar" in kind) return scalarType(kind.scalar);
  return `readonly (${scalarType(kind.array)})[]`;
}

function scalarType(kinds: readonly ScalarKind[]): string {
  const types = kinds.map((kind) => (kind === "integer" ? "number" : kind));
  return [...new Set(types)].join(" | ");
}

/** How the headers of answers are read that are more than text; by status, for the runtime. */
export function answerHeadersText(responses: readonly Response[]): string[] {
  const statuses = responses.flatMap(({ key, headers }) => {
    const readings = readingsOf(headers);
    return Object.keys(readings).length === 0
      ? []
      : [`${propertyKey(key)}: ${typedLiteral(readings)}`];
  });
  return statuses.length === 0 ? [] : [`answerHeaders: { ${statuses.join(", ")} }`];
}

/** Of those that are more than text, by name. */
export function readingsOf(headers: readonly ResponseHeader[]): JsonObject {
  const readings = headers.flatMap(({ name, kind, explode }) =>
    isText(kind) ? [] : [[name, { kind, explode }] as const],
  );
  // kinds are plain data
  return Object.fromEntries(readings) as unknown as JsonObject;
}

function isText(kind: ParameterKind): boolean {
  return kind !== "json" && "scalar" in kind && kind.scalar[0] === "string";
}

/** Their schemas, as `createRoute` takes them. */
export function headersText(headers: readonly ResponseHeader[], scope: Scope): string {
  return namedText(
    headers.map(({ name, required, schema, shared }) => ({
      name,
      required,
      schema: shared === undefined ? printSchema(schema, scope) : `headers.${shared}`,
    })),
  );
}
