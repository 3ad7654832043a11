// Faults of SQL: a condition that is left out, a bound that is off by one, a join that drops rows, a lock that
// is not taken.

import { Node, type TaggedTemplateExpression } from "ts-morph";
import type { Edit } from "./mutant.ts";
import { tokensOf, type Token } from "./sql-tokens.ts";

/** Where an operand of `and` or `or` ends at its own depth. */
const operandEnds: ReadonlySet<string> = new Set(
  ["and", "or", "order", "group", "limit", "returning", "for", "union", "except", "when"].concat(
    ["then", "else", "end", "left", "inner", "cross", "join", "where", "having", "on", "set"],
    [",", ")", ";", "do", "window", "select", "from", "insert", "update", "delete"],
  ),
);

const opensCondition: ReadonlySet<string> = new Set(["where", "on", "having", "when", "and", "or"]);

const signs: ReadonlyMap<string, readonly string[]> = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["<>", ["="]],
  ["+", ["-"]],
  ["-", ["+"]],
  ["*", ["/"]],
]);

const words: ReadonlyMap<string, string> = new Map([
  ["min", "max"],
  ["max", "min"],
  ["greatest", "least"],
  ["least", "greatest"],
  ["desc", "asc"],
  ["first", "last"],
  ["last", "first"],
]);

/** Of all pieces of SQL in a file. */
export function sqlEdits(file: Node): Edit[] {
  const edits: Edit[] = [];
  file.forEachDescendant((node) => {
    if (!Node.isTaggedTemplateExpression(node)) return;
    if (!/^sql\b/.test(node.getTag().getText())) return;
    edits.push(...editsOfTemplate(node));
  });
  return edits;
}

function editsOfTemplate(node: TaggedTemplateExpression): readonly Edit[] {
  const template = node.getTemplate();
  const from = template.getStart() + 1;
  const text = template.getText().slice(1, -1);
  return sqlTextEdits(blanked(template, text)).map((edit) => ({
    ...edit,
    start: edit.start + from,
    end: edit.end + from,
    text: edit.text,
  }));
}

function blanked(template: Node, text: string): string {
  if (!Node.isTemplateExpression(template)) return text;
  let result = text;
  const from = template.getStart() + 1;
  for (const span of template.getTemplateSpans()) {
    const start = span.getExpression().getPos() - 2 - from;
    const end = span.getLiteral().getStart() + 1 - from;
    result = result.slice(0, start) + "§".repeat(end - start) + result.slice(end);
  }
  return result;
}

/** @param text as `tokensOf` takes it */
export function sqlTextEdits(text: string): readonly Edit[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, at) =>
    rules.flatMap((rule) => rule({ tokens, at, token, text })).map((edit) => ({ ...edit })),
  );
}

interface Spot {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly token: Token;
  readonly text: string;
}

const rules: readonly ((spot: Spot) => readonly Edit[])[] = [
  droppedConditions,
  signsAndValues,
  truths,
  joinsAndUnions,
  locks,
  bounds,
  assignments,
  defaults,
];

/** @param words from the beginning of the first to the end of the last */
function put(rule: string, [start, end]: readonly [number, number], text: string): Edit {
  return { rule: `sql ${rule}`, start, end, text };
}

/** `and x`, `or x` left out; what stands before them replaced by what makes no difference. */
function droppedConditions({ tokens, at, token }: Spot): readonly Edit[] {
  if (token.kind !== "word" || !opensCondition.has(token.text)) return [];
  if (token.text === "and" && isOfBetween(tokens, at)) return [];
  const next = tokens[at + 1];
  const last = tokens[endOfOperand(tokens, at + 1, token.depth) - 1];
  if (next === undefined || last === undefined || last.start < next.start) return [];
  if (token.text === "and" || token.text === "or") {
    const before = startOfOperand(tokens, at);
    const first = tokens[before];
    const rest = put("condition", [token.start, last.end], "");
    // What comes first of several has no word before it that would go with it.
    const isFirst = first !== undefined && tokens[before - 1]?.text === "(";
    if (!isFirst) return [rest];
    const neutral = token.text === "and" ? "true" : "false";
    return [rest, put("condition", [first.start, (tokens[at - 1] ?? first).end], neutral)];
  }
  return [put("condition", [next.start, last.end], token.text === "when" ? "false" : "true")];
}

function isOfBetween(tokens: readonly Token[], at: number): boolean {
  const { depth } = tokens[at] ?? { depth: 0 };
  for (let before = at - 1; before >= 0; before--) {
    const one = tokens[before];
    if (one === undefined || one.depth < depth) return false;
    if (one.depth > depth) continue;
    if (one.text === "between") return true;
    if (operandEnds.has(one.text)) return false;
  }
  return false;
}

/** The place after its last word. */
function endOfOperand(tokens: readonly Token[], from: number, depth: number): number {
  let isBetween = false;
  for (let at = from; at < tokens.length; at++) {
    const one = tokens[at];
    if (one === undefined || one.depth < depth) return at;
    if (one.depth > depth || (one.text === "(" && one.depth === depth)) continue;
    if (one.text === "between") isBetween = true;
    else if (one.text === "and" && isBetween) isBetween = false;
    else if (one.text === ")" && isClosing(tokens, at, from)) continue;
    else if (operandEnds.has(one.text) && !isDistinctFrom(tokens, at)) return at;
  }
  return tokens.length;
}

/** A bracket that was opened at `from` or later. */
function isClosing(tokens: readonly Token[], at: number, from: number): boolean {
  let open = 0;
  for (const { text } of tokens.slice(from, at)) {
    if (text === "(") open += 1;
    if (text === ")") open -= 1;
  }
  return open > 0;
}

function isDistinctFrom(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === "from" && tokens[at - 1]?.text === "distinct";
}

function startOfOperand(tokens: readonly Token[], at: number): number {
  const { depth } = tokens[at] ?? { depth: 0 };
  let first = at;
  for (let before = at - 1; before >= 0; before--) {
    const one = tokens[before];
    if (one === undefined || one.depth < depth) break;
    const isOpening = one.text === "(" && one.depth === depth - 1;
    if (isOpening || (one.depth === depth && operandEnds.has(one.text) && one.text !== ")")) break;
    first = before;
  }
  return first;
}

function signsAndValues({ tokens, at, token }: Spot): readonly Edit[] {
  const { kind, text, start, end, clause } = token;
  if (kind === "number") return [put("number", [start, end], `${Number(text) + 1}`)];
  if (kind === "text") return [put("value", [start, end], `${text.slice(0, -1)}_'`)];
  if (kind !== "sign") return [];
  if (text === "=") return clause === "set" ? [] : [put("sign", [start, end], "<>")];
  // `count(*)`, and all columns
  const isStar = text === "*" && ["(", ".", "select", ","].includes(tokens[at - 1]?.text ?? "");
  if (isStar) return [];
  return (signs.get(text) ?? []).map((other) => put("sign", [start, end], other));
}

function truths({ tokens, at, token: { text, start, end } }: Spot): readonly Edit[] {
  const [next, later] = [tokens[at + 1], tokens[at + 2]];
  if (text === "is" && next?.text === "not") return [put("truth", [start, next.end], "is")];
  if (text === "is" && next !== undefined) return [put("truth", [start, end], "is not")];
  if (text === "not" && tokens[at - 1]?.text !== "is" && later !== undefined) {
    return [put("truth", [start, end], "")];
  }
  const isPlain = tokens[at - 1]?.text !== "not";
  if (isPlain && (text === "exists" || (text === "in" && next?.text === "("))) {
    return [put("truth", [start, end], `not ${text}`)];
  }
  return [];
}

function joinsAndUnions({ tokens, at, token: { text, start, end } }: Spot): readonly Edit[] {
  const next = tokens[at + 1];
  if (text === "left" && next?.text === "join") return [put("join", [start, next.end], "join")];
  if (text === "distinct" && next?.text !== "from" && next?.text !== "on") {
    return [put("distinct", [start, end], "")];
  }
  if (text !== "union") return [];
  return next?.text === "all"
    ? [put("union", [start, next.end], "union")]
    : [put("union", [start, end], "union all")];
}

function locks({ tokens, at, token: { text, start, end } }: Spot): readonly Edit[] {
  const next = tokens[at + 1];
  if (text === "skip" && next?.text === "locked") return [put("lock", [start, next.end], "")];
  if (text !== "for" || next === undefined) return [];
  const kinds = tokens.slice(at + 1, at + 4).map((one) => one.text);
  const strength = kinds.findIndex((one) => one === "update" || one === "share");
  if (strength === -1 || kinds.slice(0, strength).some((one) => one !== "no" && one !== "key")) {
    return [];
  }
  let last = at + 1 + strength;
  const textAt = (place: number): string => tokens[place]?.text ?? "";
  if (textAt(last + 1) === "of") last += 2;
  if (textAt(last + 1) === "skip") last += 2;
  else if (textAt(last + 1) === "nowait") last += 1;
  return [put("lock", [start, tokens[last]?.end ?? end], "")];
}

/** `limit`, and the order of rows. */
function bounds({ tokens, at, token: { text, start, end, depth } }: Spot): readonly Edit[] {
  const next = tokens[at + 1];
  const twin = words.get(text);
  const isOrder = text === "first" || text === "last";
  if (twin !== undefined && (!isOrder || tokens[at - 1]?.text === "nulls")) {
    return [put("order", [start, end], twin)];
  }
  if (text === "limit" && next !== undefined) {
    const last = tokens[endOfOperand(tokens, at + 1, depth) - 1] ?? next;
    return [put("limit", [start, last.end], "")];
  }
  if (text !== "order" || next?.text !== "by") return [];
  const items = itemsOf(tokens, at + 2, depth);
  return items.flatMap(([, last]) => {
    const isTold = ["desc", "asc", "first", "last"].includes(last.text);
    return isTold ? [] : [put("order", [last.end, last.end], " desc")];
  });
}

/** What commas part, at one depth: the place of the first word, and the last word. */
function itemsOf(
  tokens: readonly Token[],
  from: number,
  depth: number,
): readonly (readonly [number, Token])[] {
  const items: (readonly [number, Token])[] = [];
  let first = from;
  while (first < tokens.length) {
    const after = endOfOperand(tokens, first, depth);
    const last = tokens[after - 1];
    if (last === undefined || after <= first) break;
    items.push([first - 1, last]);
    if (tokens[after]?.text !== ",") break;
    first = after + 1;
  }
  return items;
}

/** One of the columns that an update sets. */
function assignments({ tokens, at, token: { text, depth } }: Spot): readonly Edit[] {
  if (text !== "set") return [];
  const items = itemsOf(tokens, at + 1, depth);
  if (items.length < 2) return [];
  return items.map(([before, last], place) => {
    const first = tokens[before + 1] ?? last;
    const comma = tokens[tokens.indexOf(last) + 1];
    const isLast = place === items.length - 1;
    const start = isLast ? (tokens[before]?.start ?? first.start) : first.start;
    return put("assignment", [start, isLast ? last.end : (comma?.end ?? last.end)], "");
  });
}

/** `coalesce(a, b)`: a alone. */
function defaults({ tokens, at, token: { text: name, start }, text }: Spot): readonly Edit[] {
  const open = tokens[at + 1];
  if (name !== "coalesce" || open?.text !== "(") return [];
  const items = itemsOf(tokens, at + 2, open.depth + 1);
  const [first] = items;
  const close = tokens.findIndex(
    (one, place) => place > at && one.text === ")" && one.depth === open.depth,
  );
  const end = tokens[close]?.end;
  if (first === undefined || end === undefined) return [];
  return [put("default", [start, end], `(${text.slice(open.end, first[1].end)})`)];
}
