import { expect } from "vitest";

/** It is refused with this code; with these details, where they are named. */
export async function expectRefusal(
  work: Promise<unknown>,
  code: string,
  details?: Readonly<Record<string, unknown>>,
): Promise<void> {
  await expect(work).rejects.toMatchObject(details === undefined ? { code } : { code, details });
}
