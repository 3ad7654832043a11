// What the migrations say of tables and columns: the comment in front of each.

export interface TableComments {
  readonly about: string;
  readonly columns: ReadonlyMap<string, string>;
}

export interface SqlComments {
  /** the comment that the file begins with, if it is not a table's */
  readonly about: string;
  /** tables and views, in their order */
  readonly tables: ReadonlyMap<string, TableComments>;
  /** of columns that tables of other files get, by table */
  readonly added: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const comment = /^\s*-- ?(.*)$/;
/** What a file says to those who apply it. */
const forAppliers = /^-- (?:compatible from \d+|before: .*|contracts: .*)$/;
const begin = /^create (?:table|view) (\w+)/;
const change = /^alter table (\w+)/;
const addition = /\badd column (\w+) /;
const columnLine = /^ {2}([a-z_][a-z_0-9]*) [a-z]/;
/** Released migrations name files that have moved since: the sentence does without. */
const filePath = / \((?:see )?service\/\S+\.ts\)|service\/\S+\.ts: /g;
/** What begins like a column and is none. */
const others = new Set(["constraint", "primary", "unique", "foreign", "check", "select", "from"]);

export function sqlComments(sql: string): SqlComments {
  const lines = sql.split("\n");
  const tables = new Map<string, { about: string; columns: Map<string, string> }>();
  let about: string | undefined;
  let said: string[] = [];
  let open: { columns: Map<string, string> } | undefined;
  const added = new Map<string, Map<string, string>>();
  let changed: Map<string, string> | undefined;
  for (const line of lines.filter((one) => !forAppliers.test(one))) {
    const text = comment.exec(line)?.[1];
    if (text !== undefined) {
      said.push(text.replaceAll(filePath, "").trim());
      continue;
    }
    const altered = change.exec(line)?.[1];
    if (altered !== undefined) {
      open = undefined;
      changed = added.get(altered) ?? new Map();
      added.set(altered, changed);
    }
    const addedColumn = addition.exec(line)?.[1];
    if (addedColumn !== undefined && said.length > 0) changed?.set(addedColumn, said.join(" "));
    const name = begin.exec(line)?.[1];
    if (name === undefined && said.length > 0) about ??= said.join(" ");
    else if (line !== "") about ??= "";
    const column = columnLine.exec(line)?.[1] ?? "";
    if (name !== undefined) {
      open = { columns: new Map() };
      tables.set(name, { about: said.join(" "), ...open });
    } else if (line.startsWith(")")) {
      open = undefined;
    } else if (open !== undefined && !others.has(column) && column !== "" && said.length > 0) {
      open.columns.set(column, said.join(" "));
    }
    said = [];
  }
  return { about: about ?? "", tables, added };
}
