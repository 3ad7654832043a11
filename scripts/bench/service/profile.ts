// Reads a profile of V8: where the time of a window was spent, each moment counted for the innermost
// function of the service, or of a package or module of Node that ran.
//
// What V8 and Node do in C++ has no script, and counts for its caller: a write to a socket for the module
// of Node that asked for it, JSON.stringify for whoever calls it (the profile says no more). So does code
// that was compiled from a text, and what a Buffer does.

import type { Profiler } from "node:inspector";
import { isForCaller, metaPart, partOf, pathOf } from "./profile-parts.ts";

export interface Share {
  readonly name: string;
  readonly microseconds: number;
}

export interface ReadProfile {
  /** the longest first; together all of the time */
  readonly parts: readonly Share[];
  /** the same by function, without what V8 does beside them */
  readonly functions: readonly Share[];
  /** of all parts */
  readonly microseconds: number;
}

interface Place {
  readonly part: string;
  /** undefined: there is no function */
  readonly functionName: string | undefined;
}

/** The profiler itself is left out: its beginning and its end are no work of the service. */
const profiler = "node:inspector";

export function readProfile(profile: Profiler.Profile): ReadProfile {
  const places = placesOf(profile.nodes);
  const [parts, functions] = [new Map<string, number>(), new Map<string, number>()];
  let microseconds = 0;
  for (const [id, spent] of selfTimes(profile)) {
    const place = places.get(id);
    if (place === undefined) continue;
    microseconds += spent;
    add(parts, place.part, spent);
    if (place.functionName !== undefined) add(functions, place.functionName, spent);
  }
  return { parts: longestFirst(parts), functions: longestFirst(functions), microseconds };
}

/** What is not in it belongs to the profiler. */
function placesOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, Place> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(
    nodes.flatMap(({ id, children }) => (children ?? []).map((child) => [child, byId.get(id)])),
  );
  const found = new Map<number, Place>();
  for (const node of nodes) {
    const place = placeOf(node, callers);
    if (place !== undefined) found.set(node.id, place);
  }
  return found;
}

function placeOf(
  { id, callFrame }: Profiler.ProfileNode,
  callers: ReadonlyMap<number, Profiler.ProfileNode | undefined>,
): Place | undefined {
  const meta = metaPart(callFrame.functionName);
  if (meta !== undefined) return { part: meta, functionName: undefined };
  let frame: Profiler.ProfileNode["callFrame"] | undefined = callFrame;
  for (let at = id; frame !== undefined && isForCaller(frame.url);) {
    const caller = callers.get(at);
    at = caller?.id ?? at;
    frame = caller?.callFrame;
  }
  // Of the root itself, or of what the loop calls without any function of ours.
  if (frame === undefined) return { part: partOf("node:"), functionName: undefined };
  if (frame.url === profiler) return undefined;
  const path = pathOf(frame.url);
  const name = callFrame.functionName || "(anonymous)";
  const within = frame === callFrame ? "" : ` in ${frame.functionName || "(anonymous)"}`;
  return { part: partOf(path), functionName: `${name}${within}, ${path}` };
}

/** A sample holds until the next one. */
function selfTimes({ samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile) {
  const times = new Map<number, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    const next = timeDeltas[index + 1] ?? endTime - at;
    // V8 may tell two of them in the wrong order.
    add(times, id, Math.max(0, next));
  }
  return times;
}

function add<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function longestFirst(sums: ReadonlyMap<string, number>): readonly Share[] {
  return Array.from(sums, ([name, microseconds]) => ({ name, microseconds })).toSorted(
    (one, other) => other.microseconds - one.microseconds,
  );
}
