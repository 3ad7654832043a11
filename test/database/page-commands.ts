// The SQL of a page, run as it stands there: what somebody types who does what the page says.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { expect } from "vitest";
import { projectRoot } from "../programs/child.ts";
import { patienceMilliseconds } from "../support/patience.ts";

export interface PageBlock {
  /** the first word of its first comment: on which server */
  readonly side: string;
  /** it is asked again until it answers this */
  readonly until: string | undefined;
  readonly statements: readonly string[];
}

const blockForm = /^```sql\n-- (?<side>\w+)(?<more>.*)\n(?<text>[^`]+)```$/gm;

/** Below a heading, up to the next one. */
export function blocksOf(page: string, heading: string): readonly PageBlock[] {
  const text = readFileSync(join(projectRoot, page), "utf8");
  const [, below = ""] = text.split(`\n### ${heading}\n`);
  const [section = ""] = below.split(/^#{2,3} /m);
  return Array.from(section.matchAll(blockForm), ({ groups = {} }) => ({
    side: groups["side"] ?? "",
    until: /until this is (\w+)/.exec(groups["more"] ?? "")?.[1],
    statements: statementsOf(groups["text"] ?? ""),
  }));
}

/** As psql sends them: one by one, also where a body in dollars has semicolons. */
function statementsOf(text: string): readonly string[] {
  const plain = text.replaceAll(/^--.*\n/gm, "");
  const parts = plain.match(/(?:\$\$[\s\S]*?\$\$|[^;])+;/g) ?? [];
  return parts.map((part) => part.trim());
}

/** @param change of what the page says in the reader's place, such as an address */
export async function runBlock(
  client: pg.Client,
  { statements, until }: PageBlock,
  change: (statement: string) => string = (statement) => statement,
): Promise<void> {
  if (until === undefined) {
    for (const statement of statements) await client.query(change(statement));
    return;
  }
  const [statement = ""] = statements;
  const answer = async (): Promise<string> => {
    const { rows } = await client.query<Readonly<Record<string, unknown>>>(statement);
    return String(Object.values(rows[0] ?? {})[0]);
  };
  await expect.poll(answer, { timeout: patienceMilliseconds, interval: 100 }).toBe(until);
}
