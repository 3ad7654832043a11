// The statuses of a response as a type, which servers and clients name alike.

import type { Response } from "../model/model.ts";

const ranges: Readonly<Record<string, string>> = {
  "1XX": "statuses.InformationalStatus",
  "2XX": "statuses.SuccessStatus",
  "3XX": "statuses.RedirectStatus",
  "4XX": "statuses.ClientErrorStatus",
  "5XX": "statuses.ServerErrorStatus",
};

/**
 * The statuses a response stands for: those that no more exact one speaks of; undefined: none.
 * @param besides types of statuses that `default` does not stand for, either
 */
export function statusType(
  response: Response,
  all: readonly Response[],
  besides: readonly string[] = [],
): string | undefined {
  if (/^[0-9]+$/.test(response.key)) return response.key;
  if (response.statuses !== undefined) return response.statuses.join(" | ") || undefined;
  const exact = all.map((other) => other.key).filter((key) => /^[0-9]+$/.test(key));
  if (response.key !== "default") return exclude(ranges[response.key] ?? "never", exact);
  const covered = all.flatMap((other) => ranges[other.key] ?? []);
  return exclude("statuses.AnyStatus", [...new Set([...exact, ...covered, ...besides])]);
}

function exclude(from: string, names: readonly string[]): string {
  return names.length === 0 ? from : `Exclude<${from}, ${names.join(" | ")}>`;
}
