// An operation that answers with a row of items, for tests.

import type { WireAnswer } from "../../../generator/runtime/runtime.ts";
import { host, operation, z, type Client, type Setup } from "./harness.ts";

export const events = "text/event-stream";
export const lines = "application/x-ndjson";

const item = z.looseObject({ a: z.int() });
const event = z.looseObject({ data: item, event: z.string().exactOptional() });

interface Request {
  readonly signal: AbortSignal;
}
export type Answer = (request: Request) => WireAnswer | Promise<WireAnswer>;

export function answering(
  answer: Answer,
  more: Partial<Setup> & { jsonEvents?: string[] } = {},
): Setup {
  const { jsonEvents, ...others } = more;
  const content = {
    [events]: { schema: event },
    [lines]: { schema: item },
    "application/json-seq": { schema: item },
    "application/zip": {},
  };
  const one = operation({
    id: "one",
    path: "/one",
    responses: { 200: { description: "", content } },
  });
  return {
    operations: [{ ...one, ...(jsonEvents === undefined ? {} : { jsonEvents }) }],
    handlers: { one: answer },
    ...others,
  };
}

export const ask = (client: Client): void => client.send("GET /one HTTP/1.1", host, "", "");
