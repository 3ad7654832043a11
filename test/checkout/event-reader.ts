// Reads a stream of events as a browser does, and does not wait for ever.

import { patienceMilliseconds } from "../support/patience.ts";

export interface ReadSnapshot {
  readonly id: string;
  readonly status: string;
  readonly is_over: boolean;
  readonly server_time: string;
  readonly title: string;
  readonly regions: Readonly<Record<string, string>>;
}

export async function readEvents(
  url: string,
  lastEventId?: string,
  more: Readonly<Record<string, string>> = {},
) {
  const stop = new AbortController();
  const seen = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
  const headers = { ...more, ...seen };
  const answer = await fetch(url, { headers, signal: stop.signal });
  if (answer.status !== 200 || answer.body === null) throw new Error(`status ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let count = 0;
  const readMore = async (): Promise<boolean> => {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("the stream says nothing")));
    });
    const { value, done } = await Promise.race([reader.read(), late]);
    text += value ?? "";
    return !done;
  };
  /** Up to the next empty line. */
  const block = async (): Promise<readonly string[]> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end === -1) {
        if (!(await readMore())) throw new Error("the stream has ended");
        continue;
      }
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      return lines;
    }
  };
  return {
    /** events that were read */
    get count() {
      return count;
    },
    next: async (): Promise<ReadSnapshot> => {
      for (;;) {
        const lines = await block();
        const data = lines.find((line) => line.startsWith("data: "));
        if (data === undefined) continue;
        count += 1;
        // What the server says is what the test looks at.
        return JSON.parse(data.slice("data: ".length)) as ReadSnapshot;
      }
    },
    /** A line for nobody, which keeps the connection alive. */
    heartbeat: async (): Promise<void> => {
      while (!(await block()).includes(":"));
    },
    ended: async (): Promise<void> => {
      while (await readMore());
    },
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return Promise.resolve();
    },
  };
}
