// What a process holds, as the system shows it: its memory, its environment, its open files.

import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";

const chunkBytes = 4_194_304;

/**
 * The names of those needles that stand anywhere in its memory. Undefined: this user may not look
 * (it takes root, or a system that lets parents trace their children).
 */
export function findInMemory(
  pid: number,
  needles: Readonly<Record<string, Buffer>>,
): ReadonlySet<string> | undefined {
  const memory = openMemory(pid);
  if (memory === undefined) return undefined;
  const found = new Set<string>();
  const overlap = Math.max(...Object.values(needles).map(({ length }) => length));
  const chunk = Buffer.alloc(chunkBytes + overlap);
  try {
    for (const { start, end } of regionsOf(pid)) {
      for (let at = start; at < end; at += chunkBytes) {
        const bytes = readAt(memory, chunk.subarray(0, Math.min(chunk.length, end - at)), at);
        for (const [name, needle] of Object.entries(needles)) {
          if (!found.has(name) && bytes.includes(needle)) found.add(name);
        }
      }
    }
  } finally {
    closeSync(memory);
  }
  return found;
}

function openMemory(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/mem`, "r");
  } catch {
    return undefined;
  }
}

/** Everything that is readable, but what the kernel itself puts there. */
function regionsOf(pid: number): readonly { readonly start: number; readonly end: number }[] {
  const regions = [];
  for (const line of readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")) {
    const [, start = "", end = ""] = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line) ?? [];
    if (start === "" || /\[v(?:var|syscall|dso)/.test(line)) continue;
    regions.push({ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) });
  }
  return regions;
}

/** Short where the process has given a part back since. */
function readAt(memory: number, into: Buffer, at: number): Buffer {
  try {
    return into.subarray(0, readSync(memory, into, 0, into.length, at));
  } catch {
    return into.subarray(0, 0);
  }
}

export function environmentOf(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, "utf8");
}

export function openFilesOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return "closed meanwhile";
    }
  });
}
