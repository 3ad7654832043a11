// Each keyword, alone and combined: the generated validation and Ajv agree on every value.

import { describe, expect, test } from "vitest";
import { agreementOn, checkAgreement } from "./agreement.ts";
import { collectionKeywords } from "./collection-keywords.ts";
import { combinedKeywords } from "./combined-keywords.ts";
import { scalarKeywords } from "./scalar-keywords.ts";

const keywordTable = [...scalarKeywords, ...collectionKeywords, ...combinedKeywords];
const runs = 200;

describe("the generated validation agrees with Ajv", () => {
  test.each(keywordTable)("$name", (row) => {
    const agrees = agreementOn(row);
    expect(row.fits?.filter((value) => !agrees(value)) ?? []).toEqual([]);
    const seen = checkAgreement(row, runs);
    // a row whose values all go one way would prove little
    if (row.always !== "valid") expect(seen.invalid).toBeGreaterThan(0);
    const fitting = seen.valid + (row.fits?.length ?? 0);
    if (row.always !== "invalid") expect(fitting).toBeGreaterThan(0);
    if (row.always !== undefined) expect(row.always === "valid" ? seen.invalid : fitting).toBe(0);
  });
});
