// Bodies that come bit by bit: server-sent events, and JSON line by line.

import { isObject, type Json, textOf } from "../suite/json.ts";

const events = /^text\/event-stream\b/i;
const lines = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|stream\+json)\b/i;
const sequence = /^application\/(?:[\w.-]+\+)?json-seq\b/i;

export function isStream(contentType: string): boolean {
  return events.test(contentType) || lines.test(contentType) || sequence.test(contentType);
}

/** One item after the other, so many milliseconds apart; it ends when nobody reads any more. */
export function streamOf(
  contentType: string,
  items: readonly Json[],
  delayMilliseconds: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let index = 0;
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    async pull(controller) {
      if (index > 0) {
        await new Promise((resolve) => {
          timer = setTimeout(resolve, delayMilliseconds);
        });
      }
      const item = items[index++];
      if (item !== undefined) controller.enqueue(encoder.encode(itemText(contentType, item)));
      if (index >= items.length) controller.close();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
}

export function itemText(contentType: string, item: Json): string {
  if (events.test(contentType)) return eventText(item);
  // RFC 7464 begins each with a record separator
  return `${sequence.test(contentType) ? "\u001E" : ""}${JSON.stringify(item)}\n`;
}

const fields = ["event", "id", "retry", "data"];

/** An object of these fields is the event itself (OpenAPI 3.2, section 4.14.4.4); all else is its data. */
function eventText(item: Json): string {
  const isEvent =
    isObject(item) &&
    Object.hasOwn(item, "data") &&
    Object.keys(item).every((name) => fields.includes(name));
  const entries = isEvent
    ? fields.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]] as const] : []))
    : [["data", item] as const];
  const text = entries.flatMap(([name, value]) =>
    textOf(value)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}`),
  );
  return `${text.join("\n")}\n\n`;
}
