// What each statement decides by, found out by asking it. While a life is played, a statement is run again after one
// column of its rows has got another value (each word it may have, null, what a parameter or another column says,
// one less and one more), and after one parameter has got another one. Everything is rolled back.

import type { Database } from "../../service/ports/database.ts";
import {
  effectsOf,
  isNothing,
  ordersOf,
  type Outcome,
  type Row,
  saidOf,
  type Verdict,
  verdictOf,
} from "./decision-outcomes.ts";
import {
  type Asked,
  type Candidate,
  change,
  focusOf,
  isMentioned,
  nearFor,
  othersOf,
  wordsFor,
} from "./decision-values.ts";
import { back, isNamed, type Looker, type Parameters, type Table, type Wish } from "./looking.ts";
import { withChanges } from "./row-changes.ts";

/** Looks at a statement that had something to do; the second one at more rows than two, which have an order. */
const looksMax = 2;
/** How often one is asked whether it has something to do. */
const asksMax = 40;

/** By what was changed: which values of it lead where. */
type Decided = Map<string, Map<string, Set<Verdict>>>;

interface Case {
  readonly wish: Wish;
  readonly own: Outcome;
  readonly tables: readonly Table[];
}

export class Decisions implements Looker {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #looks = new Map<string, number>();
  readonly #asks = new Map<string, number>();
  readonly #decided = new Map<string, Decided>();
  readonly #orders = new Map<string, ReadonlySet<string>>();
  readonly #effects = new Map<string, Set<string>>();
  trials = 0;

  readonly #names: ReadonlySet<string>;

  /** @param names of the statements that are asked */
  constructor(tables: ReadonlyMap<string, Table>, names: readonly string[]) {
    this.#tables = tables;
    this.#names = new Set(names);
  }

  isDone = (name: string): boolean => this.#looks.has(name);

  isWanted = (name: string): boolean =>
    this.#names.has(name) &&
    (this.#looks.get(name) ?? 0) < looksMax &&
    (this.#asks.get(name) ?? 0) < asksMax;

  look = async (database: Database, wish: Wish): Promise<void> => {
    const { name, text } = wish;
    const looks = this.#looks.get(name) ?? 0;
    if (looks >= looksMax) return;
    this.#asks.set(name, (this.#asks.get(name) ?? 0) + 1);
    const tables = [...this.#tables.values()].filter((one) => isNamed(one, text));
    const own = await this.#run(database, { wish, tables });
    await back(database);
    if (own === undefined || isNothing(own) || (looks > 0 && own.rows.length <= 2)) return;
    this.#looks.set(name, looks + 1);
    this.#noteOrder(wish, own.rows);
    const effects = this.#effects.get(name) ?? new Set();
    this.#effects.set(name, effects);
    for (const change of own.changes) {
      for (const line of effectsOf(change, wish)) effects.add(line);
    }
    const found = { wish, own, tables };
    for (const table of tables) await this.#byColumns(database, found, table);
    await this.#byParameters(database, found);
  };

  /** What was found of a statement; empty: it never had something to do. */
  linesOf(name: string): readonly string[] {
    if (!this.#looks.has(name)) return [];
    const decided = [...(this.#decided.get(name) ?? [])].flatMap(([key, values]) => {
      const said = saidOf(values);
      return said === undefined ? [] : [`  ${key}: ${said}`];
    });
    const orders = [...(this.#orders.get(name) ?? [])].map((order) => `  in the order of ${order}`);
    const effects = [...(this.#effects.get(name) ?? [])].map((effect) => `  ${effect}`);
    return [name, ...decided.toSorted(), ...orders.toSorted(), ...effects.toSorted()];
  }

  async #byColumns(database: Database, found: Case, table: Table): Promise<void> {
    const { wish } = found;
    const focus = await focusOf(database, table, wish);
    for (const column of table.columns) {
      if (!isMentioned(column, wish.text)) continue;
      const asked = { table, column, wish, focus };
      const words = await wordsFor(database, asked);
      const isDeciding = await this.#try(database, found, asked, words);
      // What is far off and makes no difference is compared with nothing.
      if (isDeciding) await this.#try(database, found, asked, nearFor(asked));
    }
  }

  /** @returns whether one of them makes a difference */
  async #try(
    database: Database,
    found: Case,
    ...[{ table, column, focus }, candidates]: readonly [
      Asked & { readonly focus: string },
      readonly Candidate[],
    ]
  ): Promise<boolean> {
    const seen = new Set<Verdict>();
    for (const { label, value } of candidates) {
      if (await change(database, { table, column, value, focus })) {
        const outcome = await this.#run(database, found);
        const verdict = verdictOf(outcome, found.own, column.name);
        this.#note(found.wish.name, [`${table.name}.${column.name}`, label], verdict);
        seen.add(verdict);
      }
      await back(database);
    }
    return seen.size > (seen.has("same") ? 1 : 0);
  }

  async #byParameters(database: Database, found: Case): Promise<void> {
    const { wish, own } = found;
    for (const [place, value] of wish.given.entries()) {
      const name = String(wish.names[place]);
      if (wish.names[place] === value) continue;
      for (const [label, other] of othersOf(name, value, own.rows.length)) {
        const given = wish.given.map((one, index) => (index === place ? other : one));
        const outcome = await this.#run(database, { ...found, wish: { ...wish, given } });
        await back(database);
        this.#note(wish.name, [`:${name}`, label], verdictOf(outcome, own, ""));
      }
    }
  }

  #note(name: string, [key, label]: readonly [key: string, label: string], verdict: Verdict): void {
    const decided: Decided = this.#decided.get(name) ?? new Map();
    const values = decided.get(key) ?? new Map<string, Set<Verdict>>();
    this.#decided.set(name, decided.set(key, values));
    values.set(label, (values.get(label) ?? new Set()).add(verdict));
  }

  #noteOrder({ name, text }: Wish, rows: readonly Row[]): void {
    if (rows.length < 3) return;
    const orders = new Set(ordersOf(rows, text));
    const known = this.#orders.get(name) ?? orders;
    this.#orders.set(name, new Set([...known].filter((one) => orders.has(one))));
  }

  /** Undefined: refused. */
  async #run(
    database: Database,
    { wish, tables }: Pick<Case, "wish" | "tables">,
  ): Promise<Outcome | undefined> {
    this.trials += 1;
    const written = tables.filter((table) => isWritten(table, wish.text));
    // by its name: the plan of a long one takes longer than to run it
    const { name, text, given } = wish;
    const statement = { name, text, list: (list: Parameters) => list };
    const work = () => database.run<Parameters, Row>(statement, given);
    const done = await withChanges(database, written, work);
    return done && { rows: done[0], changes: done[1] };
  }
}

function isWritten({ name }: Table, text: string): boolean {
  return new RegExp(`\\b(?:insert into|update|delete from)\\s+"?${name}\\b`).test(text);
}
