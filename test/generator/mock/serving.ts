// A mock on a port of its own, for one test.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Line } from "../../../generator/mock/mock.ts";
import { type Running, type ServerOptions, startMock } from "../../../generator/mock/server.ts";
import type { JsonObject } from "../../../generator/suite/json.ts";

export interface Serving extends Running {
  readonly lines: readonly Line[];
}

const usual = {
  copies: new Map<string, string>(),
  allow: new Set<never>(),
  basePath: undefined,
  host: "127.0.0.1",
  port: 0,
  seed: 1,
  isDynamic: false,
  hasState: false,
  explains: false,
  troubles: { latencyMilliseconds: [0, 0], faultPercent: 0 },
  streamDelayMilliseconds: 0,
  cors: undefined,
} as const;

/** Of a file, or of a document. */
export async function serve(
  contract: string | JsonObject,
  options: Partial<ServerOptions> = {},
): Promise<Serving> {
  const lines: Line[] = [];
  const answered = (line: Line): void => void lines.push(line);
  if (typeof contract === "string") {
    return { ...(await startMock({ ...usual, answered, spec: contract, ...options })), lines };
  }
  const folder = mkdtempSync(join(tmpdir(), "mock-"));
  const spec = join(folder, "openapi.json");
  writeFileSync(spec, JSON.stringify(contract));
  const running = await startMock({ ...usual, answered, spec, ...options });
  return {
    ...running,
    lines,
    close: async () => {
      await running.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A document of some paths, and of components. */
export function documentOf(paths: JsonObject, components: JsonObject = {}): JsonObject {
  return { openapi: "3.1.0", info: { title: "Small", version: "1" }, paths, components };
}
