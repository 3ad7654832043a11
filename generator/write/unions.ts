// Unions as prettier has them. It leaves out the first bar where the whole union fits on the line below its name;
// oxfmt, which otherwise writes the same, does not.

export interface Widths {
  /** columns of a line */
  readonly printWidth: number;
  /** columns of a tab */
  readonly tabWidth: number;
}

/** @param text formatted TypeScript, without templates over several lines whose lines look like unions */
export function withShortUnions(text: string, widths: Widths): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    kept.push(line);
    if (!opening.test(line)) continue;
    const members = membersAfter(lines, at);
    const joined = joinedOf(members, lines[at + 1 + members.length] ?? "");
    if (joined === undefined || columnsOf(joined, widths.tabWidth) > widths.printWidth) continue;
    kept.push(joined);
    at += members.length;
  }
  return kept.join("\n");
}

/** What a union may stand below: an alias, a property or a parameter with a type, or the bracket of a list of it. */
const opening = /[=:(]$/;
const member = /^([ \t]+)\| (.+)$/;

function membersAfter(lines: readonly string[], at: number): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (let next = at + 1; ; next += 1) {
    const one = member.exec(lines[next] ?? "");
    if (one === null || (found[0] !== undefined && found[0][1] !== one[1])) return found;
    found.push(one);
  }
}

/** One line of them all; undefined where one of them goes on over several. */
function joinedOf(members: readonly RegExpExecArray[], next: string): string | undefined {
  const [indent] = members.map(([, spaces = ""]) => spaces);
  if (indent === undefined || next.startsWith(indent)) return undefined;
  return indent + members.map(([, , text = ""]) => text).join(" | ");
}

function columnsOf(line: string, tabWidth: number): number {
  const [tabs = ""] = /^\t*/.exec(line) ?? [];
  return tabs.length * tabWidth + line.length - tabs.length;
}
