// Where values stand in a text, by the offset of what they are in.

export interface Member {
  /** offset of the name's first character; of an item, of its value */
  readonly key: number;
  /** offset of the value */
  readonly value: number;
}

/** Of an object or a list, by name or index. */
export type Members = ReadonlyMap<string, Member>;

/**
 * The offset of a value, or of the closest one around it that is there.
 *
 * @param root offset of the outermost value
 * @param membersAt of what begins at an offset
 */
export function offsetOfMember(
  [tokens, what]: readonly [tokens: readonly string[], what: "value" | "key"],
  root: number,
  membersAt: (offset: number) => Members | undefined,
): number {
  let offset = root;
  for (const [index, token] of tokens.entries()) {
    const member = membersAt(offset)?.get(token);
    if (member === undefined) return offset;
    const isLast = index === tokens.length - 1;
    offset = isLast && what === "key" ? member.key : member.value;
  }
  return offset;
}
