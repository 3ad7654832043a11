import type { JsonObject } from "../../../generator/suite/json.ts";
import { newName } from "../requests.ts";

/** A report of usage that nobody has made before. */
export function usageOf(actual: string): JsonObject {
  return { actual_amount: actual, usage_id: newName(), evidence: {} };
}
