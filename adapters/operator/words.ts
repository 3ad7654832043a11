// What several files of the operator's commands need: reading words, and answering.

/** Wrong words, as opposed to a wish that cannot be granted. */
export class UsageError extends Error {}

export interface AdminAnswer {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
  readonly errors: string;
}

export function done(output: string, errors = ""): AdminAnswer {
  return { exitCode: 0, output, errors };
}

export function given(value: string | undefined, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new UsageError(`--${name} is missing.`);
}

export function wholeNumber(text: string | undefined, name: string): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new UsageError(`--${name} is a whole number.`);
}
