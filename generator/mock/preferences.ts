// What a caller prefers of an answer: the header `Prefer` (RFC 7240), with the words that Prism has for it, and
// some of our own.

/** Everything that may be asked of one answer. */
export interface Preferences {
  /** the status */
  readonly code: number | undefined;
  /** the name of an example */
  readonly example: string | undefined;
  /** values that are drawn, whatever examples there are */
  readonly isDynamic: boolean | undefined;
  readonly latencyMilliseconds: number | undefined;
  readonly fault: Fault | undefined;
}

export const faults = ["reset", "truncated", "500", "503"] as const;
export type Fault = (typeof faults)[number];

/** The request asks for what cannot be had; it is answered 400 with what there is. */
export class PreferenceError extends Error {
  readonly available: readonly string[];

  constructor(message: string, available: readonly string[] = []) {
    super(message);
    this.name = "PreferenceError";
    this.available = available;
  }
}

export const latencyMillisecondsMax = 60_000;

/** Words of a standard that mean something else are let pass: whoever does not know one ignores it (section 2). */
export function readPreferences(header: string | undefined): Preferences {
  const words = wordsOf(header ?? "");
  const code = words.get("code");
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) {
    throw new PreferenceError(`Prefer: code=${shown(code)} is no status of an answer`, []);
  }
  const latency = words.get("latency");
  const milliseconds = Number(latency ?? 0);
  if (!(milliseconds >= 0 && milliseconds <= latencyMillisecondsMax)) {
    const range = `0 to ${latencyMillisecondsMax} milliseconds`;
    throw new PreferenceError(`Prefer: latency is ${range}`, []);
  }
  const dynamic = words.get("dynamic");
  return {
    code: code === undefined ? undefined : Number(code),
    example: words.get("example"),
    isDynamic: dynamic === undefined ? undefined : dynamic !== "false",
    latencyMilliseconds: latency === undefined ? undefined : milliseconds,
    fault: faultOf(words.get("fault")),
  };
}

function faultOf(text: string | undefined): Fault | undefined {
  const fault = faults.find((one) => one === text);
  if (text !== undefined && fault === undefined) {
    throw new PreferenceError(`Prefer: fault=${shown(text)} is none of the faults`, faults);
  }
  return fault;
}

const shownMax = 40;
const shown = (text: string): string => text.slice(0, shownMax);

/** token [ "=" word ], between commas or semicolons; the first of a name counts (section 2). */
const preference = /([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s",;]*))?\s*(?:[,;]|$)/g;

function wordsOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", word = ""] of header.matchAll(preference)) {
    const text = word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word;
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, text);
  }
  return found;
}
