// Which form of the page its reader wants: markup for people, or the terms for software.

/** Ranges beyond this many are not looked at. */
const rangesMax = 32;

/**
 * Our choice: JSON is for whoever prefers it to HTML (RFC 9110 section 12.5.1), or likes both as much but
 * names only JSON (as axios does: browsers name HTML, always); who names neither is taken for a person.
 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false;
  const ranges = accept.split(",").slice(0, rangesMax).map(rangeOf);
  const [software, people] = [rangeFor(ranges, "application/json"), rangeFor(ranges, "text/html")];
  const [wanted, other] = [software?.weight ?? 0, people?.weight ?? 0];
  if (wanted !== other || wanted === 0) return wanted > other;
  return software?.type !== "*/*" && people?.type === "*/*";
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((one) => one.startsWith("q="));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The most exact range decides. */
function rangeFor(ranges: readonly Range[], type: string): Range | undefined {
  const [group = ""] = type.split("/");
  for (const wanted of [type, `${group}/*`, "*/*"]) {
    const found = ranges.find((range) => range.type === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
