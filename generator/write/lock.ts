// One run at a time for a folder of output: another one waits until it has ended.

import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, isUnwritable } from "./failures.ts";

const lookMilliseconds = 25;

/** Far longer than any run takes. */
const waitMilliseconds = 120_000;

/** A file that is being made has nobody's number in it for a moment. */
const emptyMilliseconds = 2_000;

/** Another run holds the folder, and does not end. */
export class LockError extends Error {}

/** Runs `work` while nobody else does who names the same file. Throws `LockError`. */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + waitMilliseconds;
  for (;;) {
    const taken = take(file);
    if (taken === "unwritable") return work();
    if (taken === "ours") break;
    const holder = holderOf(file);
    if (holder === undefined) continue;
    if (!isAlive(holder, file)) {
      takeAway(file, holder);
      continue;
    }
    if (Date.now() > until) {
      const [pid] = holder.split(" ");
      throw new LockError(
        `process ${pid} has been generating into this folder for two minutes: wait for it, or end it`,
      );
    }
    await new Promise((resume) => setTimeout(resume, lookMilliseconds));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): "ours" | "another's" | "unwritable" {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${process.pid} ${randomUUID()}`, { flag: "wx" });
    return "ours";
  } catch (error) {
    if (codeOf(error) === "EEXIST") return "another's";
    // and then nobody else writes there either
    if (isUnwritable(error)) return "unwritable";
    throw error;
  }
}

/** Undefined: it has just gone. */
function holderOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A process that was killed takes its lock along: its number is nobody's any more. */
function isAlive(holder: string, file: string): boolean {
  const pid = Number(holder.split(" ")[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return Date.now() - made < emptyMilliseconds;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Of several that wait, one moves it away; what it moved must be what it saw, or it goes back. */
function takeAway(file: string, holder: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if (readFileSync(aside, "utf8") === holder) rmSync(aside, { force: true });
  else renameSync(aside, file);
}
