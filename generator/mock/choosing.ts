// Which of its answers an operation gives, and as which media type.

import type { Contract, Operation, Place } from "../suite/contract.ts";
import { accepted } from "./acceptance.ts";
import { PreferenceError } from "./preferences.ts";

export interface Chosen {
  readonly status: number;
  readonly response: Place;
}

/** Nothing that the contract has here is what the caller takes. */
export class NotAcceptableError extends Error {
  readonly available: readonly string[];

  constructor(available: readonly string[]) {
    super(`this is answered as ${available.join(", ")} only`);
    this.name = "NotAcceptableError";
    this.available = available;
  }
}

/** Some documents have only what goes wrong: everything else is 200, without a body. */
const unsaid: Chosen = { status: 200, response: { node: {}, pointer: "" } };

/**
 * The lowest success, else what `default` stands for, else what leads on; or the one that is asked for.
 * Throws `PreferenceError` where the contract promises other ones.
 */
export function chooseStatus(
  contract: Contract,
  operation: Operation,
  code: number | undefined,
): Chosen {
  if (code !== undefined) {
    const response = contract.responseFor(operation, code);
    if (response !== undefined) return { status: code, response };
    const { operationId } = operation;
    throw new PreferenceError(
      `the contract promises no ${code} of ${operationId}`,
      promised(operation),
    );
  }
  const [usual] = [...statusesOf(operation)].toSorted(
    (one, other) => Number(one >= 300) - Number(other >= 300) || one - other,
  );
  const response = usual === undefined ? undefined : contract.responseFor(operation, usual);
  return usual === undefined || response === undefined ? unsaid : { status: usual, response };
}

/** As the contract writes them. */
export function promised({ responses, defaultStatuses }: Operation): readonly string[] {
  const named = [...responses.keys()].filter((key) => !key.startsWith("x-"));
  const own = named.filter((key) => key !== "default" || defaultStatuses.length === 0);
  return [...new Set([...own, ...defaultStatuses.map(String)])];
}

/** Of success and of what leads on, one of each range. An answer that is final begins at 200. */
function statusesOf(operation: Operation): ReadonlySet<number> {
  const keys = promised(operation);
  const hasSuccess = keys.some((key) => key.startsWith("2"));
  const found = keys.flatMap((key) => {
    if (key === "default") return hasSuccess ? [] : [200];
    const status = Number(key.toUpperCase().replace("XX", "00"));
    return status >= 200 && status < 400 ? [status] : [];
  });
  return new Set(found);
}

/** Undefined: there is no body. Errors are told in any case. */
export function chooseMediaType(
  contract: Contract,
  { status, response }: Chosen,
  accept: string | undefined,
): string | undefined {
  const mediaTypes = [...contract.members(response, "content").keys()];
  if (mediaTypes.length === 0) return undefined;
  const found = accepted(mediaTypes, accept);
  if (found !== undefined) return found;
  if (status < 400) throw new NotAcceptableError(mediaTypes);
  return accepted(mediaTypes, undefined);
}
