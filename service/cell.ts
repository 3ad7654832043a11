// A cell: merchants whose keys, payments and money are in a schema of their own, beside the cells of others, and who have
// processes of their own. What they and their customers hold says which cell it is of, so that whoever stands in front of
// all cells sends them there and knows nothing else. Where there is only one, nothing says so.

/** Short, and without capitals and digits: the end of a key's id is made of nothing else. */
export const cellForm = /^[a-z]{1,12}$/;
export const cellFormInWords = "1 to 12 lower-case letters such as east";

/** Undefined: there is only one. */
export type Cell = string | undefined;

/** `mk_live_<cell><body>`. @param body capitals and digits */
export function keyIdOf(cell: Cell, environment: string, body: string): string {
  return `mk_${environment}_${cell ?? ""}${body}`;
}

/** Of any cell: `<cell>.<body>`. 128 bits in base64url, which has no point. */
export const checkoutTokenForm = /^(?:[a-z]{1,12}\.)?[\w-]{22}$/;

/** Of a checkout page, or of its files. @param body in base64url */
export function withCell(cell: Cell, body: string): string {
  return cell === undefined ? body : `${cell}.${body}`;
}

/** For people. */
export function cellInWords(cell: Cell): string {
  return cell === undefined ? "no cell" : `the cell ${cell}`;
}
