// The ways from Node to an operation and back, that of plain fetch among them.

import { start, type Running, type Setup } from "./harness.ts";

/** At once, through Hono's fetch, and as a Request and a Response that middleware looks at. */
export const ways = ["listener", "fetch", "middleware"] as const;
export type Way = (typeof ways)[number];

export async function startBy(way: Way, setup: Setup): Promise<Running> {
  if (way !== "middleware") return start(setup, way);
  const prepare: Setup["prepare"] = (app) => void app.use((_, next) => next());
  return start({ ...setup, prepare }, "fetch");
}
