// What the benchmarks say of a profile: each moment once, for the part that had it.

import { hash } from "node:crypto";
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { partOf, pathOf } from "../../scripts/bench/service/profile-parts.ts";
import { readProfile } from "../../scripts/bench/service/profile.ts";
import type { Share } from "../../scripts/bench/service/profile.ts";

const root = join(import.meta.dirname, "..", "..");
const urlOf = (path: string): string => pathToFileURL(join(root, path)).href;

interface Frame {
  readonly name: string;
  readonly url?: string;
  readonly calls?: readonly Frame[];
}

/** Nodes in the order of the tree, with ids from 1 on. */
function nodesOf(frame: Frame): Profiler.ProfileNode[] {
  const nodes: Profiler.ProfileNode[] = [];
  const place = ({ name, url = "", calls = [] }: Frame): number => {
    const id = nodes.length + 1;
    const callFrame = { functionName: name, url, scriptId: "0", lineNumber: 0, columnNumber: 0 };
    const node: Profiler.ProfileNode = { id, callFrame };
    nodes.push(node);
    node.children = calls.map((call) => place(call));
    return id;
  };
  place(frame);
  return nodes;
}

/** Samples by the name of their node, each with how long it lasts. */
function profileOf(root: Frame, samples: readonly (readonly [string, number])[]): Profiler.Profile {
  const nodes = nodesOf(root);
  const ids = samples.map(([name]) => {
    const node = nodes.find(({ callFrame }) => callFrame.functionName === name);
    if (node === undefined) throw new Error(`there is no ${name}`);
    return node.id;
  });
  const lengths = samples.map(([, length]) => length);
  const startTime = 1_000;
  const timeDeltas = [0, ...lengths.slice(0, -1)];
  const endTime = startTime + lengths.reduce((sum, length) => sum + length, 0);
  return { nodes, startTime, endTime, samples: ids, timeDeltas };
}

function named(shares: readonly Share[]): Readonly<Record<string, number>> {
  return Object.fromEntries(shares.map(({ name, microseconds }) => [name, microseconds]));
}

const calls: Frame = {
  name: "(root)",
  calls: [
    { name: "(idle)" },
    { name: "(program)" },
    { name: "(garbage collector)" },
    { name: "runMicrotasks" },
    {
      name: "create",
      url: urlOf("service/payments/payments.ts"),
      calls: [
        { name: "stringify" },
        { name: "toString", url: "node:buffer", calls: [{ name: "hexSlice" }] },
        {
          name: "query",
          url: "file:///elsewhere/node_modules/pg/lib/client.js",
          calls: [{ name: "writeGeneric", url: "node:net", calls: [{ name: "writev" }] }],
        },
      ],
    },
    { name: "post", url: "node:inspector", calls: [{ name: "dispatch" }] },
  ],
};

test("a sample lasts until the next one, and what the profiler does is left out", () => {
  const profile = profileOf(calls, [
    ["(idle)", 100],
    ["create", 10],
    ["query", 20],
    ["(garbage collector)", 3],
    ["post", 1_000],
    ["dispatch", 1_000],
    ["(program)", 4],
    ["(idle)", 50],
  ]);
  const { parts, microseconds } = readProfile(profile);
  expect(parts.map(({ name }) => name)).toEqual([
    "idle",
    "pg, the driver",
    "service rooms",
    "(program): outside of JavaScript",
    "garbage collection",
  ]);
  expect(parts.map((part) => part.microseconds)).toEqual([150, 20, 10, 4, 3]);
  expect(microseconds).toBe(187);
});

test("what has no script counts for its caller, and so does what a Buffer does", () => {
  const profile = profileOf(calls, [
    ["stringify", 1],
    ["hexSlice", 2],
    ["toString", 4],
    ["writev", 8],
    ["runMicrotasks", 16],
  ]);
  const { parts, functions } = readProfile(profile);
  expect(named(parts)).toEqual({ "service rooms": 7, sockets: 8, "node internals": 16 });
  expect(named(functions)).toEqual({
    "stringify in create, service/payments/payments.ts": 1,
    "hexSlice in create, service/payments/payments.ts": 2,
    "toString in create, service/payments/payments.ts": 4,
    "writev in writeGeneric, node:net": 8,
  });
});

test.each([
  ["node:internal/stream_base_commons", "sockets"],
  ["node:_http_server", "HTTP of Node"],
  ["node:internal/crypto/hash", "crypto and signatures"],
  [urlOf("service/merchants/request-signature.ts"), "crypto and signatures"],
  ["node:internal/process/task_queues", "node internals"],
  ["node:fs", "pino, the log"],
  [urlOf("node_modules/pino/lib/tools.js"), "pino, the log"],
  [urlOf("adapters/system/logging.ts"), "pino, the log"],
  [urlOf("node_modules/pg-protocol/dist/serializer.js"), "pg, the driver"],
  [urlOf("adapters/database/batching.ts"), "adapters: database"],
  [urlOf("adapters/http/server.ts"), "adapters: the others"],
  [urlOf("adapters/http/rate-limits.ts"), "rate limits"],
  [urlOf("service/canonical-json.ts"), "JSON and canonical JSON"],
  [urlOf("generated/runtime/json.ts"), "JSON and canonical JSON"],
  [urlOf("generated/runtime/json-body.ts"), "JSON and canonical JSON"],
  [urlOf("generated/runtime/writing.ts"), "JSON and canonical JSON"],
  [urlOf("generated/runtime/checking.ts"), "validation, generated"],
  [urlOf("node_modules/zod/v4/core/parse.js"), "validation, generated"],
  [urlOf("node_modules/@hono/node-server/dist/index.mjs"), "Hono"],
  [urlOf("node_modules/ipaddr.js/lib/ipaddr.js"), "other packages"],
  [urlOf("handlers/payments.ts"), "handlers"],
  [urlOf("service/amounts.ts"), "service rooms"],
  [urlOf("scripts/bench/service/server.ts"), "elsewhere"],
])("%s belongs to %s", (url, part) => {
  expect(partOf(pathOf(url))).toBe(part);
});

test("a profile that V8 has recorded", async () => {
  const bytes = new Uint8Array(1_000_000);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  for (let count = 0; count < 200; count++) hash("sha256", bytes);
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const { parts, microseconds } = readProfile(profile);
  expect(named(parts)["crypto and signatures"]).toBeGreaterThan(microseconds / 2);
  const sum = parts.reduce((total, part) => total + part.microseconds, 0);
  expect(sum).toBe(microseconds);
});
