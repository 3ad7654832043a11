// The words of a piece of SQL, with how deep in brackets each is and which clause it belongs to. What the
// program puts in (`${…}`) is one word.

export interface Token {
  readonly kind: "word" | "text" | "number" | "sign";
  /** words in lower case */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** brackets that are open around it; of a bracket itself: around both */
  readonly depth: number;
  /** the last of `clauses` before it at its depth; empty: none */
  readonly clause: string;
}

const clauses: ReadonlySet<string> = new Set(
  [
    "select",
    "from",
    "where",
    "on",
    "having",
    "set",
    "returning",
    "values",
    "group",
    "order",
  ].concat(
    ["limit", "when", "then", "else", "end", "union", "join", "left", "inner", "cross", "with"],
    ["using", "conflict", "for", "insert", "update", "delete", "as", "over", "filter"],
  ),
);

const pattern =
  /(?<space>\s+)|(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?\b)|(?<word>(?:[\w.]|§)+|"[^"]*")|(?<sign><=|>=|<>|!=|\|\||::|->>|->|=>|.)/gsu;

/** @param text with as many § as it has characters in place of each `${…}` */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const clauseAt: string[] = [""];
  let depth = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = kindOf(match.groups ?? {});
    if (kind === undefined) continue;
    const found = kind === "word" ? match[0].toLowerCase() : match[0];
    if (found === ")") depth = Math.max(0, depth - 1);
    if (kind === "word" && clauses.has(found)) clauseAt[depth] = found;
    const start = match.index;
    const clause = clauseAt[depth] ?? "";
    tokens.push({ kind, text: found, start, end: start + match[0].length, depth, clause });
    if (found === "(") {
      depth += 1;
      clauseAt[depth] = "";
    }
  }
  return tokens;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): Token["kind"] | undefined {
  if (groups["text"] !== undefined) return "text";
  if (groups["number"] !== undefined) return "number";
  if (groups["word"] !== undefined) return "word";
  return groups["sign"] === undefined ? undefined : "sign";
}
