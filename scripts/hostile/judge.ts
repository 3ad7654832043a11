// What the generator makes of a hostile document: it is refused with places that are there, or what is generated
// loads and serves. Anything else is a fault of the generator.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OpenAPIHono } from "@hono/zod-openapi";
import { emitFiles, readContract, type Reading } from "../../generator/generate.ts";
import { DocumentError, type Problem } from "../../generator/problems.ts";
import type { Edge, Handler } from "../../generator/runtime/runtime.ts";
import { loadApplication } from "../corpus/application.ts";

const runtimeFolder = join(import.meta.dirname, "..", "..", "generator", "runtime");

export interface Judgement {
  readonly verdict: "refused" | "generated" | "fault";
  /** of a fault: what is wrong; of a refusal: its first message */
  readonly told: string;
  /** of the processor's time, so that a busy machine says the same */
  readonly milliseconds: number;
}

/** `text` as if it stood at `path`; `folder` is one that packages are found from. */
export async function judge(text: string, path: string, folder: string): Promise<Judgement> {
  const before = process.cpuUsage();
  const ended = (verdict: Judgement["verdict"], told: string): Judgement => ({
    verdict,
    told,
    milliseconds: cpuMilliseconds(before),
  });
  const textOf = (file: string): string => (file === path ? text : readFileSync(file, "utf8"));
  try {
    const { reading, problems } = read(text, path);
    const misplaced = problems.find((problem) => !isPlaced(problem, textOf(problem.place.file)));
    if (misplaced !== undefined) {
      return ended("fault", `no such place, or nothing said: ${JSON.stringify(misplaced)}`);
    }
    if (reading === undefined) return ended("refused", problems[0]?.message ?? "");
    await load(reading, folder);
    return ended("generated", "");
  } catch (error) {
    return ended("fault", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function cpuMilliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function read(text: string, path: string) {
  const shelf = {
    read: (name: string): Uint8Array => {
      return name === path ? Buffer.from(text) : readFileSync(name);
    },
    shown: (name: string): string => name,
  };
  try {
    const reading = readContract(path, { shelf });
    return { reading, problems: reading.warnings };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { problems } = error;
    const isRefused = problems.some(({ severity }) => severity === "error");
    if (!isRefused) throw new Error("refused without an error", { cause: error });
    return { reading: undefined, problems };
  }
}

/** Whether a person finds the place, and reads what is wrong and what to do. */
function isPlaced({ place, message, advice }: Problem, text: string): boolean {
  const lines = text.split("\n");
  const line = lines[(place.line ?? 0) - 1];
  const column = place.column ?? 0;
  const isThere = line !== undefined && column >= 1 && column <= line.length + 1;
  return isThere && message !== "" && advice !== "";
}

const edge: Edge<null, null> = {
  begin: () => null,
  authenticate: () => null,
  refuse: (error) => ({ status: 500, body: String(error) }),
  headers: () => ({}),
  bodyBytesMax: 1000,
  depthMax: 10,
  checkAnswers: true,
};

/** Writes what is generated, loads it and puts it on an application: syntax, names and schemas are tried. */
async function load(reading: Reading, below: string): Promise<void> {
  const folder = mkdtempSync(join(below, "one-"));
  try {
    for (const { path, text } of emitFiles(reading, "document")) {
      if (path.startsWith("runtime/")) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(runtimeFolder, join(folder, "runtime"), "dir");
    const application = await loadApplication(folder);
    const handler: Handler = () => ({ status: 200 });
    const handlers = Object.fromEntries(
      application.operations.map(({ operationId }) => [operationId, handler]),
    );
    application.register(new OpenAPIHono(), handlers, edge);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
