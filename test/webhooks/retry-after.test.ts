// When a receiver wants to be asked again.

import { expect, test } from "vitest";
import { parseRetryAfter } from "../../service/webhooks/retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00.250Z");

test.each([
  ["0", 0],
  ["120", 120],
  [" 120 ", 120],
  ["999999999", 999_999_999],
  ["1000000000", undefined],
  ["-1", undefined],
  ["+1", undefined],
  ["1.5", undefined],
  ["1 2", undefined],
  ["12s", undefined],
  ["s12", undefined],
  ["", undefined],
  ["soon", undefined],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60],
  [" Thu, 01 Jan 2026 00:01:00 GMT ", 60],
  ["Thu, 01 Jan 2026 00:00:01 GMT", 1],
  ["Thu, 01 Jan 2026 00:00:00 GMT", 0],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["Thu, 99 Jan 2026 00:01:00 GMT", undefined],
  ["Thu, 01 Jan 2026 00:01:00 CET", undefined],
  ["from Thu, 01 Jan 2026 00:01:00 GMT", undefined],
  ["Thu, 01 Jan 2026 00:01:00 GMT or so", undefined],
  ["2026-01-01T00:01:00Z", undefined],
])("%j is %s seconds from now", (text, seconds) => {
  expect(parseRetryAfter(text, now)).toBe(seconds);
});
