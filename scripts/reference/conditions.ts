// What is so of some values only (`if`, `then`), in words.

import { listOf, nodeOf, textsOf, textOf } from "./contract.ts";
import type { Node } from "./contract.ts";
import { inCode } from "./markdown.ts";

/**
 * A line for each: "- where `key` is `finality`: `parameters` has `rule`; `delivery` is null".
 *
 * @param node with its `conditions`, as `shapeOf` gives it
 */
export function conditionLines(node: Node, indent: string): readonly string[] {
  return listOf(node["conditions"]).map((one) => {
    const where = factsIn(nodeOf(one["if"])).join(" and ");
    return `${indent}- where ${where}: ${factsIn(nodeOf(one["then"])).join("; ")}`;
  });
}

/** Of each member that something is said of. */
export function factsIn(schema: Node): readonly string[] {
  const members = Object.entries(nodeOf(schema["properties"]));
  const needed = textsOf(schema["required"]).filter(
    (name) => !members.some(([one]) => one === name),
  );
  return [
    ...members.map(([name, value]) => `${inCode(name)} ${factsOf(nodeOf(value)).join(", and ")}`),
    ...(needed.length === 0 ? [] : [`there is ${codesOf(needed)}`]),
  ];
}

/** "is one of `a`, `b`", "has `c`", "is null" */
function factsOf(schema: Node): readonly string[] {
  const { const: one, enum: several, type, required, maxProperties } = schema;
  return [
    ...(one === undefined ? [] : [`is ${inCode(textOf(one))}`]),
    ...(several === undefined ? [] : [`is one of ${codesOf(textsOf(several))}`]),
    ...(type === "null" ? ["is null"] : []),
    ...(type === "object" && required === undefined ? ["is an object"] : []),
    ...(required === undefined ? [] : [`has ${codesOf(textsOf(required))}`]),
    ...(maxProperties === 0 ? ["is empty"] : []),
  ];
}

function codesOf(names: readonly string[]): string {
  return names.map(inCode).join(", ");
}
