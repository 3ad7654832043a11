// The cells of a contract: every answer that a document promises, by operation, status and code, beside
// what was met. Plain lists in, a plain table out: it knows neither the service nor who asked it.

export interface Cell {
  readonly operation: string;
  readonly status: number;
  /** of an error; undefined: the answer has none */
  readonly code?: string | undefined;
}

/** An answer that somebody got. */
export interface Met extends Cell {
  /** who got it: a test, or a step of a check */
  readonly by: string;
  /** what is wrong with it; left out: it is what the document promises */
  readonly problem?: string | undefined;
  /** commands that make it come again, for people to paste */
  readonly repeat?: string | undefined;
}

export interface DocumentedOperation {
  readonly operation: string;
  /** "POST /v1/things" */
  readonly title: string;
  readonly cells: readonly Cell[];
}

/**
 * An empty one was promised and met by nobody, an untried one is known to be out of reach, and an
 * undocumented one was met and never promised.
 */
export type CellState = "met" | "failed" | "empty" | "untried" | "undocumented";

export interface JudgedCell extends Cell {
  readonly state: CellState;
  /** why it was not tried */
  readonly reason?: string | undefined;
  /** those with a problem first, by who got them */
  readonly met: readonly Met[];
}

export interface MatrixRow {
  readonly operation: string;
  readonly title: string;
  readonly cells: readonly JudgedCell[];
}

export interface Matrix {
  readonly rows: readonly MatrixRow[];
  /** of all rows, in order */
  readonly statuses: readonly number[];
}

export interface MatrixWish {
  /** only a part was asked for: what nobody met is left out */
  readonly isPartial?: boolean;
  /** why a cell that nobody met was not tried; undefined: it should have been met */
  readonly whyUntried?: (cell: Cell) => string | undefined;
}

export function nameOf({ operation, status, code }: Cell): string {
  return code === undefined ? `${operation} ${status}` : `${operation} ${status} ${code}`;
}

/** The same for the same lists, in whatever order the answers came. */
export function buildMatrix(
  documented: readonly DocumentedOperation[],
  met: readonly Met[],
  { isPartial = false, whyUntried = () => undefined }: MatrixWish = {},
): Matrix {
  const known = new Set(documented.map(({ operation }) => operation));
  const strange = new Set(met.map(({ operation }) => operation).filter((one) => !known.has(one)));
  const others = [...strange].toSorted().map((operation) => ({ operation, title: "", cells: [] }));
  const rows = [...documented, ...others].map(({ operation, title, cells }) => {
    const own = met.filter((one) => one.operation === operation);
    const judged = judgeCells(cells, own).map((cell) => withReason(cell, whyUntried));
    const shown = judged.filter(({ state }) => !isPartial || state !== "empty");
    return { operation, title, cells: shown };
  });
  const statuses = new Set(rows.flatMap(({ cells }) => cells.map(({ status }) => status)));
  return {
    rows: rows.filter(({ cells }) => cells.length > 0),
    statuses: [...statuses].toSorted((one, other) => one - other),
  };
}

function withReason(cell: JudgedCell, why: NonNullable<MatrixWish["whyUntried"]>): JudgedCell {
  const reason = cell.state === "empty" ? why(cell) : undefined;
  return reason === undefined ? cell : { ...cell, state: "untried", reason };
}

/** By status; within one in the order of the document, and then what it does not have. */
function judgeCells(promised: readonly Cell[], met: readonly Met[]): readonly JudgedCell[] {
  const found = Map.groupBy(met, nameOf);
  const names = new Set(promised.map(nameOf));
  const others = [...found]
    .filter(([name]) => !names.has(name))
    .toSorted(([one], [other]) => compare(one, other))
    .flatMap(([, [first]]) => first ?? []);
  const judged = [
    ...promised.map((cell) => judgeCell(cell, found.get(nameOf(cell)) ?? [], "met")),
    ...others.map((cell) => judgeCell(cell, found.get(nameOf(cell)) ?? [], "undocumented")),
  ];
  return judged.toSorted((one, other) => one.status - other.status);
}

function judgeCell(
  { operation, status, code }: Cell,
  met: readonly Met[],
  ifSound: "met" | "undocumented",
): JudgedCell {
  const hasFailed = ifSound === "met" && met.some(({ problem }) => problem !== undefined);
  const state = met.length === 0 ? "empty" : hasFailed ? "failed" : ifSound;
  const place = ({ by, problem, repeat }: Met): string =>
    JSON.stringify([problem === undefined ? 1 : 0, by, problem, repeat]);
  const sorted = met.toSorted((one, other) => compare(place(one), place(other)));
  return { operation, status, code, state, met: sorted };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function cellsOf({ rows }: Matrix, state?: CellState): readonly JudgedCell[] {
  return rows
    .flatMap(({ cells }) => cells)
    .filter((cell) => state === undefined || cell.state === state);
}

/** Every promised answer that was in reach was met, is what was promised, and there was no other one. */
export function isSound(matrix: Matrix): boolean {
  return cellsOf(matrix).every(({ state }) => state === "met" || state === "untried");
}
