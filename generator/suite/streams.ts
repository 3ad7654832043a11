// Answers that are a row of items, and may never end: server-sent events (WHATWG HTML, section 9.2), JSON lines, and
// sequences (RFC 7464). What comes by a while is read, and held against the document item by item.

import { type Contract, isJson, type Place } from "./contract.ts";
import { isObject, type Json, listAt, objectAt } from "./json.ts";

export type RowFormat = "events" | "lines" | "sequence";

export function rowFormat(contentType: string): RowFormat | undefined {
  const type = contentType.replace(/\s*;.*$/s, "").toLowerCase();
  if (type === "text/event-stream") return "events";
  if (/^(?:application|text)\/(?:x-)?(?:jsonl|ndjson|json-?lines)$/.test(type)) return "lines";
  return /^application\/(?:.+\+)?json-seq$/.test(type) ? "sequence" : undefined;
}

/** Enough to know what comes. */
const charactersMax = 100_000;
/** Of a stream that goes on and says nothing. */
const silenceMilliseconds = 1_000;
/** Of one that never stops talking. */
const patienceMilliseconds = 2_000;

export interface ReadText {
  readonly text: string;
  /** false: it goes on, and nobody has waited for the rest */
  readonly isWhole: boolean;
  /** why it has ended in the middle */
  readonly broken?: string;
}

/** All of a body of JSON, and of any other what comes at first: nobody says that it ends. */
export async function readText(response: Response): Promise<ReadText> {
  const { body } = response;
  const isJsonText = isJson(response.headers.get("content-type") ?? "");
  if (isJsonText || body === null) return { text: await response.text(), isWhole: true };
  const until = performance.now() + patienceMilliseconds;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    while (text.length < charactersMax && performance.now() < until) {
      const next = await soon(reader.read());
      if (next === undefined) break;
      if (next.done) return { text, isWhole: true };
      text += next.value;
    }
  } catch (error) {
    return { text, isWhole: false, broken: error instanceof Error ? error.message : String(error) };
  }
  // the server hears that nobody listens any more; what it says to that comes too late
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}

/** Undefined: nothing comes. */
async function soon<T>(reading: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silenceMilliseconds);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Row {
  readonly format: RowFormat;
  /** events with `data` as the text that was sent */
  readonly items: readonly Json[];
  /** why one of them cannot be read */
  readonly unreadable: string | undefined;
}

export function rowOf(format: RowFormat, { text, isWhole, broken }: ReadText): Row {
  const unreadable = broken === undefined ? undefined : `it breaks off: ${broken}`;
  if (format === "events") return { format, items: eventsOf(text), unreadable };
  const pieces = format === "lines" ? text.split("\n") : text.split("\u{1e}");
  // what stands behind the last separator may not be whole yet
  if (!isWhole) pieces.pop();
  if (format === "sequence" && pieces.shift()?.trim() !== "") {
    return { format, items: [], unreadable: "it does not begin with a separator" };
  }
  const items: Json[] = [];
  for (const piece of pieces) {
    if (piece.trim() === "") continue;
    try {
      items.push(JSON.parse(piece) as Json);
    } catch {
      return { format, items, unreadable: `item ${items.length + 1} is no JSON` };
    }
  }
  return { format, items, unreadable };
}

/** Those that a client hears of: a block without data is none. */
function eventsOf(text: string): readonly Json[] {
  // the last block is whole only when its empty line is there
  const blocks = text.replace(/\r\n?/g, "\n").split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const event: Record<string, Json> = {};
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") data.push(value);
      else if (name === "event" || name === "id") event[name] = value;
      // any other one is no retry to a client
      else if (name === "retry" && /^\d+$/.test(value)) event[name] = Number(value);
    }
    return data.length === 0 ? [] : [{ ...event, data: data.join("\n") }];
  });
}

// ---------------------------------------------------------------------------------------------
// What the document says of an item

export interface ItemPlace {
  /** of the schema */
  readonly pointer: string;
  /** of an event, whether the schema is that of its data */
  readonly isOfData: boolean;
}

/** Undefined: it says nothing of them. */
export function itemPlace(contract: Contract, media: Place): ItemPlace | undefined {
  const { itemSchema, schema } = media.node;
  if (itemSchema !== undefined) {
    return placeOf(contract, `${media.pointer}/itemSchema`, true);
  }
  if (schema === undefined) return undefined;
  const pointer = meantBy(contract, `${media.pointer}/schema`);
  const { type, items } = contract.placeAt(pointer).node;
  if (type === "array") {
    return items === undefined ? undefined : placeOf(contract, `${pointer}/items`, false);
  }
  return type === "string" ? undefined : placeOf(contract, pointer, false);
}

const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry"]);

/** An event has no other members than these; what has is its data. */
function placeOf(contract: Contract, pointer: string, isItemSchema: boolean): ItemPlace {
  const names = namesIn(contract, pointer);
  const areFields = [...names].every((name) => eventFields.has(name));
  const isEvent = areFields && (names.has("data") || (isItemSchema && names.size > 0));
  return { pointer, isOfData: !isEvent };
}

function namesIn(contract: Contract, pointer: string, depth = 0): ReadonlySet<string> {
  const meant = meantBy(contract, pointer);
  const { node } = contract.placeAt(meant);
  const names = new Set(Object.keys(objectAt(node, "properties")));
  if (depth > circlesMax) return names;
  for (const list of ["allOf", "anyOf", "oneOf"]) {
    for (const index of listAt(node, list).keys()) {
      for (const name of namesIn(contract, `${meant}/${list}/${index}`, depth + 1)) names.add(name);
    }
  }
  return names;
}

const circlesMax = 10;

/** Where the schema stands that a schema refers to. */
export function meantBy(contract: Contract, pointer: string): string {
  const place = contract.placeAt(pointer);
  const reference = place.node["$ref"];
  return typeof reference === "string" ? meantBy(contract, reference.slice(1)) : place.pointer;
}

/** What an item may stand for: the data of an event is a text, and may be the JSON that it holds. */
export function readingsOf({ format }: Row, item: Json, { isOfData }: ItemPlace): readonly Json[] {
  if (format !== "events" || !isObject(item)) return [item];
  const text = item["data"] ?? "";
  const held = typeof text === "string" ? parsed(text) : [];
  return [...held, text].map((data) => (isOfData ? data : { ...item, data }));
}

function parsed(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}
