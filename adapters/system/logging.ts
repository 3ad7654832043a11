// JSON lines through pino. Secrets are taken out twice, because each way misses what the other
// finds: by the name of a field, however deep it lies, and by their form, wherever they stand in
// the finished line (a message, a stack, a path).

import { pino } from "pino";
import type { Logger as PinoLogger } from "pino";
import { isSensitiveName } from "../../service/secrets/sensitive-names.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** No `child`: pino does not clean the fields of one. A line gets its request id as a field. */
export type Logger = Pick<PinoLogger, "fatal" | "error" | "warn" | "info" | "debug" | "trace">;

export interface LogOutput {
  readonly write: (line: string) => void;
}

const removed = "[removed]";

/**
 * API secrets and webhook secrets carry their prefix so that they can be found.
 * What stands before it does not matter: in the finished line a newline is a backslash and the
 * letter n, so there would be no word boundary after it.
 */
const secretForm = /(?:sk_live_|sk_test_|whsec_)[A-Za-z0-9+/=_-]*/g;

/** Objects deeper than this are not worth reading in a log line, and cycles have to end. */
const depthMax = 6;

/** @param about more fields of a line, by the error that it tells of, if it does */
export function buildLogger(
  level: LogLevel,
  output: LogOutput,
  about?: (error: unknown) => object | undefined,
): Logger {
  return pino(
    {
      ...(about && { mixin: (line) => about("err" in line ? line.err : undefined) ?? {} }),
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are written out by cleanError already; pino's own serializer would do it again.
      serializers: { err: (value: unknown) => value },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => cleanFields(fields, 0),
      },
    },
    { write: (line: string) => output.write(line.replace(secretForm, removed)) },
  );
}

type Fields = Record<string, unknown>;

function cleanFields(fields: object, depth: number): Fields {
  const cleaned: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    cleaned[name] = isSensitiveName(name) ? removed : clean(value, depth);
  }
  return cleaned;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (depth === depthMax) return "[deeper]";
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  return cleanFields(value, depth + 1);
}

function cleanError(error: Error, depth: number): Fields {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) }),
    ...cleanFields(error, depth + 1),
  };
}
