// Rows that a statement does not put in any order come as the plan of the day has them, which another database, or the
// same one after its statistics were counted again, does not share. Here they come in an order that the seed decides:
// the same seed is the same life, and another one finds who relies on an order that nobody has promised.

import type { Database, Statement } from "../../service/ports/database.ts";

export function orderedBy(seed: number, real: Database): Database {
  return {
    run: async (statement, values) => {
      const rows = await real.run(statement, values);
      return rows.length < 2 || saysOrder(statement) ? rows : sorted(rows, seed);
    },
    transaction: (work, joint) =>
      real.transaction((inside) => work(orderedBy(seed, inside)), joint),
  };
}

const known = new Map<string, boolean>();

/** At the end of the whole statement: what is inside of parentheses is put in order for somebody else. */
function saysOrder({ text }: Pick<Statement<unknown, unknown>, "text">): boolean {
  const found = known.get(text);
  if (found !== undefined) return found;
  let outermost = text.replaceAll(/--.*$/gm, "").replaceAll(/'[^']*'/g, "");
  for (let before = ""; before !== outermost;) {
    before = outermost;
    outermost = outermost.replaceAll(/\([^()]*\)/g, "");
  }
  const says = /\border\s+by\b/i.test(outermost);
  known.set(text, says);
  return says;
}

function sorted<Row>(rows: readonly Row[], seed: number): readonly Row[] {
  const placed = rows.map((row) => {
    const text = JSON.stringify(row, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    return { row, text, place: hashOf(text, seed) };
  });
  placed.sort((one, other) => one.place - other.place || (one.text < other.text ? -1 : 1));
  return placed.map(({ row }) => row);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
