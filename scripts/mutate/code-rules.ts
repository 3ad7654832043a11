// Faults of TypeScript: the slips that are made by hand, each as small as it can be.

import { Node, SyntaxKind, type BinaryExpression, type CallExpression } from "ts-morph";
import type { Edit } from "./mutant.ts";

type Rule = (node: Node) => readonly Edit[];

const neighbours: ReadonlyMap<string, readonly string[]> = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["&&", ["||"]],
  ["||", ["&&"]],
  ["+", ["-"]],
  ["-", ["+"]],
  ["*", ["/"]],
  ["/", ["*"]],
  ["%", ["*"]],
  ["+=", ["-="]],
  ["-=", ["+="]],
  ["??=", ["="]],
]);

/** Calls that may be left out: what they are called on is the value then. */
const stepsWithin: ReadonlySet<string> = new Set([
  "filter",
  "slice",
  "toLowerCase",
  "toReversed",
  "toSorted",
  "toUpperCase",
  "trim",
]);

const twins: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["min", "max"],
  ["max", "min"],
  ["padStart", "padEnd"],
  ["padEnd", "padStart"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["trunc", "ceil"],
]);

/** What is said to people, or what builds queries: see `queryEdits` for those. */
const wordsOnly = /(?:Error|Problem|alarm|logger|complain|describe|print)\b/;

export function codeEdits(file: Node): Edit[] {
  const edits: Edit[] = [];
  file.forEachDescendant((node, traversal) => {
    if (Node.isImportDeclaration(node) || Node.isTypeNode(node) || Node.isExportDeclaration(node)) {
      traversal.skip();
      return;
    }
    for (const rule of rules) edits.push(...rule(node));
  });
  return edits;
}

const rules: readonly Rule[] = [
  operators,
  operands,
  conditions,
  branches,
  negations,
  numbers,
  booleans,
  strings,
  statements,
  methods,
  elements,
  steps,
];

function put(rule: string, node: Node, text: string): Edit {
  return { rule, start: node.getStart(), end: node.getEnd(), text };
}

function operators(node: Node): readonly Edit[] {
  if (!Node.isBinaryExpression(node)) return [];
  const token = node.getOperatorToken();
  const sign = token.getText();
  if ((sign === "+" || sign === "+=") && joinsText(node)) return [];
  return (neighbours.get(sign) ?? []).map((other) => put("operator", token, other));
}

/** `a && b`: a alone, b alone; `a ?? b`: b alone. */
function operands(node: Node): readonly Edit[] {
  if (!Node.isBinaryExpression(node)) return [];
  const sign = node.getOperatorToken().getText();
  const [left, right] = [node.getLeft().getText(), node.getRight().getText()];
  if (sign === "??") return [put("fallback", node, `(${right})`)];
  if (sign !== "&&" && sign !== "||") return [];
  return [put("operand", node, left), put("operand", node, right)];
}

function conditions(node: Node): readonly Edit[] {
  if (Node.isIfStatement(node)) {
    const condition = node.getExpression();
    return [put("condition", condition, "true"), put("condition", condition, "false")];
  }
  if (Node.isWhileStatement(node)) return [put("condition", node.getExpression(), "false")];
  return [];
}

/** Either branch alone. */
function branches(node: Node): readonly Edit[] {
  if (!Node.isConditionalExpression(node)) return [];
  const both = [node.getWhenTrue(), node.getWhenFalse()];
  return both.map((branch) => put("branch", node, `(${branch.getText()})`));
}

function negations(node: Node): readonly Edit[] {
  if (!Node.isPrefixUnaryExpression(node)) return [];
  const sign = node.getOperatorToken();
  if (sign !== SyntaxKind.ExclamationToken && sign !== SyntaxKind.MinusToken) return [];
  return [put("negation", node, node.getOperand().getText())];
}

function numbers(node: Node): readonly Edit[] {
  if (!Node.isNumericLiteral(node) && !Node.isBigIntLiteral(node)) return [];
  const unit = Node.isBigIntLiteral(node) ? "n" : "";
  const value = BigInt(Math.trunc(Number(node.getText().replaceAll("_", "").replace("n", ""))));
  return [put("number", node, `${value + 1n}${unit}`)];
}

function booleans(node: Node): readonly Edit[] {
  if (Node.isTrueLiteral(node)) return [put("boolean", node, "false")];
  return Node.isFalseLiteral(node) ? [put("boolean", node, "true")] : [];
}

/** One word: a name that programs compare. Sentences are for people. */
function strings(node: Node): readonly Edit[] {
  if (!Node.isStringLiteral(node)) return [];
  const text = node.getLiteralText();
  const parent = node.getParent();
  const isName = Node.isPropertyAssignment(parent) && parent.getNameNode() === node;
  if (isName || !/^[\w.:/-]+$/.test(text) || isWording(node)) return [];
  return [put("string", node, JSON.stringify(`${text}_`))];
}

function isWording(node: Node): boolean {
  const call = node.getFirstAncestor(
    (one) => Node.isCallExpression(one) || Node.isNewExpression(one),
  );
  if (!Node.isCallExpression(call) && !Node.isNewExpression(call)) return false;
  return wordsOnly.test(call.getExpression().getText());
}

/** A call whose result nobody wants, a throw, an assignment: left out. */
function statements(node: Node): readonly Edit[] {
  if (Node.isThrowStatement(node)) return [put("statement", node, ";")];
  if (Node.isDeleteExpression(node)) return [put("statement", node, "true")];
  if (!Node.isExpressionStatement(node)) return [];
  return isWording(node.getExpression()) || isLogging(node) ? [] : [put("statement", node, ";")];
}

function isLogging(node: Node): boolean {
  return /^(?:await )?(?:[\w.#]*\.)?(?:logger|log|console)\.\w+\(/.test(node.getText());
}

function methods(node: Node): readonly Edit[] {
  if (!Node.isCallExpression(node)) return [];
  const callee = node.getExpression();
  if (!Node.isPropertyAccessExpression(callee)) return [];
  const name = callee.getNameNode();
  const twin = twins.get(name.getText());
  const found = twin === undefined ? [] : [put("method", name, twin)];
  return stepsWithin.has(name.getText()) ? [...found, dropped(node)] : found;
}

function dropped(call: CallExpression): Edit {
  const callee = call.getExpressionIfKindOrThrow(SyntaxKind.PropertyAccessExpression);
  return put("step", call, callee.getExpression().getText());
}

/** One of several elements of a list, or one set of properties that is spread into an object. */
function elements(node: Node): readonly Edit[] {
  if (Node.isSpreadAssignment(node)) return [put("spread", node, "...{}")];
  if (!Node.isArrayLiteralExpression(node)) return [];
  const parts = node.getElements();
  if (parts.length < 2) return [];
  return parts.map((part) => {
    const rest = parts.filter((one) => one !== part).map((one) => one.getText());
    return put("element", node, `[${rest.join(", ")}]`);
  });
}

/** `continue`, `break` and a bare `return` left out; `i++` the other way. */
function steps(node: Node): readonly Edit[] {
  if (Node.isContinueStatement(node) || Node.isBreakStatement(node)) {
    return [put("jump", node, ";")];
  }
  if (Node.isReturnStatement(node) && node.getExpression() === undefined) {
    return [put("jump", node, ";")];
  }
  if (!Node.isPostfixUnaryExpression(node)) return [];
  const isUp = node.getOperatorToken() === SyntaxKind.PlusPlusToken;
  return [put("operator", node, `${node.getOperand().getText()}${isUp ? "--" : "++"}`)];
}

function joinsText(node: BinaryExpression): boolean {
  return [node.getLeft(), node.getRight()].some(
    (side) =>
      Node.isStringLiteral(side) ||
      Node.isTemplateExpression(side) ||
      Node.isNoSubstitutionTemplateLiteral(side) ||
      (Node.isBinaryExpression(side) && joinsText(side)),
  );
}
