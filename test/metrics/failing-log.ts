// What counts and cannot fails the test, where the service only logs it.

import { harmless } from "../../adapters/metrics/harmless.ts";

export const safely = harmless({
  warn: (fields, message) => {
    throw new Error(message, { cause: fields });
  },
});
