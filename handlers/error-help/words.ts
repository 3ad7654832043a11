// Where a code comes from, in the words of both pages.

import type { CodePlaces } from "./where.ts";

/** "409, to `POST /v1/payments`." Of more than half of the operations, those are named that do not have it. */
export function answeredTo(code: string, { byCode, operations: all }: CodePlaces): string {
  const where = byCode.get(code);
  if (where === undefined) throw new Error(`the contract does not have ${code}`);
  const { status, operations, isOutside } = where;
  const others = all.filter((name) => !operations.includes(name));
  const isMost = others.length < operations.length;
  const list = (isMost ? others : operations).map((name) => `\`${name}\``).join(", ");
  const most = others.length === 0 ? "every operation" : `every operation but ${list}`;
  const places = [
    ...(operations.length === 0 ? [] : [isMost ? most : list]),
    ...(isOutside ? ["what belongs to no operation"] : []),
  ];
  return `${status}, to ${places.join(", and to ")}.`;
}
