// One request of the check, and what has to come of it.

import type { Answer } from "../../generator/suite/answer-judge.ts";
import type { Operation } from "../../generator/suite/contract.ts";
import type { PlainRequest } from "../../test/support/contract-requests.ts";

export interface Expected {
  readonly status: number;
  readonly code?: string;
}

export interface Step {
  /** what is sent, for people */
  readonly name: string;
  /** undefined: none is met */
  readonly operation: Operation | undefined;
  readonly request: PlainRequest;
  /** any of these is right; the first is what is meant */
  readonly expected: readonly [Expected, ...Expected[]];
  /** false: it is refused before it is known who asks */
  readonly isKnown?: boolean;
  /** `in pointer rule`, which a 400 has to name */
  readonly violation?: string;
  /** what the answer has to say beyond its schema: each problem, with its place in front */
  readonly check?: (answer: Answer) => readonly string[];
}

export function textOfExpected({ status, code }: Expected): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}
