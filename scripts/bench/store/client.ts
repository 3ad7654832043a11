// One contender in a process of its own, so that its processor time can be told from others'.
// Says one line of JSON: how many writes, in how long, at what cost of this process.

import { parseArgs } from "node:util";
import pg from "pg";
import { withBatching } from "../../../adapters/database/batching.ts";
import { openPglite } from "../../../adapters/database/pglite.ts";
import { openPostgres } from "../../../adapters/database/postgres.ts";
import { answer, eventData, shapes } from "./statements.ts";
import type { ShapeName, Write } from "./statements.ts";

export interface ClientResult {
  readonly writes: number;
  readonly seconds: number;
  readonly cpuMicroseconds: number;
}

interface Contender {
  readonly write: (values: Write) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const { values: options } = parseArgs({
  options: {
    mode: { type: "string", default: "" },
    place: { type: "string", default: "" },
    shape: { type: "string", default: "" },
    base: { type: "string", default: "0" },
    concurrency: { type: "string", default: "32" },
    seconds: { type: "string", default: "3" },
  },
});
// The only caller is the benchmark, which takes the name from `shapes`.
const shape = shapes[options.shape as ShapeName];
const contender = await openContender(options.mode, options.place);

let next = Number(options.base);
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const endAt = startedAt + Number(options.seconds) * 1_000;

async function writeUntilEnd(): Promise<number> {
  let writes = 0;
  while (performance.now() < endAt) {
    const n = String(next++);
    await contender.write({ n, now: new Date().toISOString(), body: answer, data: eventData });
    writes++;
  }
  return writes;
}

const counts = await Promise.all(
  Array.from({ length: Number(options.concurrency) }, () => writeUntilEnd()),
);
const cpu = process.cpuUsage(cpuBefore);
const outcome: ClientResult = {
  writes: counts.reduce((sum, count) => sum + count, 0),
  seconds: (performance.now() - startedAt) / 1_000,
  cpuMicroseconds: cpu.user + cpu.system,
};
await contender.close();
console.log(JSON.stringify(outcome));

async function openContender(mode: string, place: string): Promise<Contender> {
  const connections = Number(options.concurrency);
  if (mode === "bare") {
    // The driver and nothing else.
    const pool = new pg.Pool({ connectionString: place, max: connections });
    const write = (values: Write) =>
      pool.query({ name: shape.name, text: shape.text, values: [...shape.list(values)] });
    return { write, close: () => pool.end() };
  }
  // A part of ours is for writes that need not wait for the disk, and stays unused here.
  const isEmbedded = mode.startsWith("embedded");
  const opened = isEmbedded
    ? await openPglite({ folder: place })
    : await openPostgres({ url: place, connectionsMax: Math.ceil(connections * 1.5) });
  const database = mode.endsWith("batched") ? withBatching(opened) : opened;
  return { write: (values) => database.run(shape, values), close: () => opened.close() };
}
