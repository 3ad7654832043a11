// Bodies that come bit by bit: server-sent events, and JSON line by line.

import { eventText } from "../runtime/events.ts";
import { isObject, type Json } from "../suite/json.ts";
import { rowFormat } from "../suite/streams.ts";

export interface Stream {
  readonly contentType: string;
  readonly items: readonly Json[];
  /** of events: each item is the data of one, and not the event itself */
  readonly isOfData: boolean;
  readonly delayMilliseconds: number;
}

/** One item after the other; it ends when nobody reads any more. */
export function streamOf(stream: Stream): ReadableStream<Uint8Array> {
  const { items, delayMilliseconds } = stream;
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
      if (item !== undefined) controller.enqueue(encoder.encode(itemText(item, stream)));
      if (index >= items.length) controller.close();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
}

function itemText(item: Json, { contentType, isOfData }: Stream): string {
  const format = rowFormat(contentType);
  if (format === "events") {
    return eventText(isOfData || !isObject(item) ? { data: item } : sendable(item), false);
  }
  // RFC 7464 begins each with a record separator
  return `${format === "sequence" ? "\u001E" : ""}${JSON.stringify(item)}\n`;
}

/** Schemas seldom say that names and ids are one line, which is all that the format has for them. */
function sendable(event: { readonly [name: string]: Json }): object {
  const said = Object.entries(event).map(([name, value]) => {
    const isLine = typeof value === "string" && (name === "id" || name === "event");
    return [name, isLine ? value.replaceAll(/[\r\n\0]/g, " ") : value] as const;
  });
  return Object.fromEntries(said);
}
