// Faults of queries that are written with Kysely: the same as those of SQL.

import { Node, SyntaxKind, type CallExpression } from "ts-morph";
import type { Edit } from "./mutant.ts";

const dropped: ReadonlySet<string> = new Set([
  "distinct",
  "forNoKeyUpdate",
  "forShare",
  "forUpdate",
  "having",
  "limit",
  "onConflict",
  "onRef",
  "orderBy",
  "skipLocked",
  "where",
  "whereRef",
]);

const operators: ReadonlyMap<string, readonly string[]> = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["=", ["<>"]],
  ["!=", ["="]],
  ["<>", ["="]],
  ["in", ["not in"]],
  ["not in", ["in"]],
  ["is", ["is not"]],
  ["is not", ["is"]],
  ["desc", ["asc"]],
  ["asc", ["desc"]],
]);

const renamed: ReadonlyMap<string, string> = new Map([
  ["leftJoin", "innerJoin"],
  ["and", "or"],
  ["or", "and"],
  ["union", "unionAll"],
  ["unionAll", "union"],
  ["exists", "notExists"],
]);

export function queryEdits(file: Node): Edit[] {
  const edits: Edit[] = [];
  file.forEachDescendant((node) => {
    if (Node.isCallExpression(node)) edits.push(...editsOfCall(node));
  });
  return edits;
}

function editsOfCall(call: CallExpression): readonly Edit[] {
  const values = editsOfWords(call);
  const callee = call.getExpression();
  if (!Node.isPropertyAccessExpression(callee)) return values;
  const name = callee.getName();
  const found: Edit[] = [...values];
  if (dropped.has(name)) found.push(put(`without ${name}`, call, callee.getExpression().getText()));
  const other = renamed.get(name);
  if (other !== undefined) found.push(put("joint", callee.getNameNode(), other));
  if (name === "set") found.push(...editsOfSet(call));
  return found;
}

/** Operators, and values that stand in the query itself. */
function editsOfWords(call: CallExpression): readonly Edit[] {
  return call.getArguments().flatMap((argument, place) => {
    if (!Node.isStringLiteral(argument)) return [];
    const text = argument.getLiteralText();
    const others = operators.get(text);
    if (others !== undefined) {
      return others.map((one) => put("operator", argument, JSON.stringify(one)));
    }
    const isValue = place === 2 && call.getArguments().length === 3;
    return isValue ? [put("value", argument, JSON.stringify(`${text}_`))] : [];
  });
}

/** One of the columns that are set. */
function editsOfSet(call: CallExpression): readonly Edit[] {
  const [values] = call.getArguments();
  if (!Node.isObjectLiteralExpression(values)) return [];
  const parts = values.getProperties();
  return parts.length < 2
    ? []
    : parts.map((part) => {
        const comma = part.getNextSiblingIfKind(SyntaxKind.CommaToken);
        return { ...put("column", part, ""), end: comma?.getEnd() ?? part.getEnd() };
      });
}

function put(rule: string, node: Node, text: string): Edit {
  return { rule: `query ${rule}`, start: node.getStart(), end: node.getEnd(), text };
}
