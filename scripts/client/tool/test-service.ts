// The service, for commands that call it.

import { type Client, merchantPayments } from "../merchant-payments.ts";
import { type Given, keysOf, serviceUrl } from "./command.ts";
import { UsageError } from "./failures.ts";

export interface Service {
  readonly client: Client;
  readonly url: string;
  readonly key: string;
}

/**
 * The service, by a key of the test half of a merchant.
 *
 * @throws {UsageError} there is no key, or it is a live one
 */
export function testService(given: Given): Service {
  const { key, secret } = keysOf(given);
  if (!key.startsWith("mk_test_")) {
    throw new UsageError(
      "this is no test key: what is done here is for tries, so take one that begins with mk_test_",
    );
  }
  const url = serviceUrl(given);
  try {
    return { client: merchantPayments({ url, key, secret }), url, key };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
