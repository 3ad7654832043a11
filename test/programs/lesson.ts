// A page that teaches by commands and files, as steps that a test can play.

export type Step =
  | { readonly kind: "run"; readonly commands: readonly string[] }
  /** lines that come out of the commands before, in their order */
  | { readonly kind: "expect"; readonly lines: readonly string[] }
  | { readonly kind: "edit"; readonly file: string; readonly edit: (text: string) => string };

const block = /^```(\w+)\n(.*?)^```$/gms;

/** Throws where it does not know what a block is for: a page that cannot be played is wrong. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let end = 0;
  for (const found of page.matchAll(block)) {
    const [whole, language = "", text = ""] = found;
    const prose = page.slice(end, found.index).replace("<!-- prettier-ignore -->", "").trim();
    const before = prose.split("\n\n").at(-1) ?? "";
    end = found.index + whole.length;
    const lines = text.trimEnd().split("\n");
    if (language === "sh") steps.push({ kind: "run", commands: lines });
    else if (language === "text") steps.push({ kind: "expect", lines });
    else steps.push(editOf(before.replaceAll("\n", " "), text));
  }
  return steps;
}

/** What the sentence before a block says to do with it. */
function editOf(sentence: string, block: string): Step {
  const saved = /Save this as `([^`]+)`:$/.exec(sentence);
  if (saved !== null) return { kind: "edit", file: saved[1] ?? "", edit: () => block };
  const said =
    /In `([^`]+)`, (?:put this (before|after)|(replace all from)|(replace)) `(.+)`(?: on)?(?: by this)?:$/.exec(
      sentence,
    );
  if (said === null) throw new Error(`the page does not say what to do here: ${sentence}`);
  const [, file = "", side, rest, , mark = ""] = said;
  const edit = (text: string): string => {
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.includes(mark));
    if (at === -1) throw new Error(`${file} has no ${mark}`);
    const inserted = block.trimEnd().split("\n");
    if (side === "before") return lines.toSpliced(at, 0, ...inserted).join("\n");
    if (side === "after") return lines.toSpliced(at + 1, 0, ...inserted).join("\n");
    if (rest !== undefined) return [...lines.slice(0, at), ...inserted, ""].join("\n");
    return lines.toSpliced(at, 1, ...inserted).join("\n");
  };
  return { kind: "edit", file, edit };
}
