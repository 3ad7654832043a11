// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Server-sent events as the text that a browser reads (WHATWG HTML, section 9.2).

/** What an event may have, and every block of the stream: one without `data` no client hears of. */
interface EventFields {
  readonly data?: unknown;
  readonly event?: unknown;
  readonly id?: unknown;
  readonly retry?: unknown;
  /** lines for nobody, which keep the connection alive */
  readonly comment?: unknown;
}

const lineBreak = /\r\n|\r|\n/;

/**
 * One block with the empty line that ends it. A text stands in `data` as it is, anything else as JSON; with
 * `isJson` texts do, too. Throws a TypeError for what has no place in a stream: a name with a line break, an id with
 * NUL (which clients ignore), a time that is no number of milliseconds.
 */
export function eventText(item: unknown, isJson: boolean): string {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw new TypeError("an event is an object with data, event, id, retry or comment");
  }
  const { comment, event, id, retry, data }: EventFields = item;
  let text = "";
  if (isSaid(comment)) {
    for (const line of plainText("comment", comment).split(lineBreak)) {
      text += line === "" ? ":\n" : `: ${line}\n`;
    }
  }
  if (isSaid(event)) text += `event: ${oneLine("event", event)}\n`;
  if (isSaid(id)) {
    const line = oneLine("id", id);
    if (line.includes("\0")) throw new TypeError("the id of an event has a NUL in it");
    text += `id: ${line}\n`;
  }
  if (isSaid(retry)) {
    if (typeof retry !== "number" || !Number.isSafeInteger(retry) || retry < 0) {
      throw new TypeError("the retry of an event is no number of milliseconds");
    }
    text += `retry: ${retry}\n`;
  }
  if (data !== undefined) {
    // one space after the colon is the format's: what begins with a space keeps its own
    for (const line of dataText(data, isJson).split(lineBreak)) text += `data: ${line}\n`;
  }
  return text === "" ? ":\n\n" : `${text}\n`;
}

/** Null is nothing but in `data`. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function dataText(data: unknown, isJson: boolean): string {
  if (typeof data === "string" && !isJson) return data;
  // functions and symbols have no JSON; the declared type of stringify leaves that out
  const text = JSON.stringify(data) as string | undefined;
  if (text === undefined) throw new TypeError("the data of an event is nothing JSON can say");
  return text;
}

function plainText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw new TypeError(`the ${name} of an event is no text`);
}

function oneLine(name: string, value: unknown): string {
  const text = plainText(name, value);
  if (lineBreak.test(text)) throw new TypeError(`the ${name} of an event has a line break in it`);
  return text;
}
