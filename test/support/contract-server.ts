// The whole service on a real port for a whole test file, and a merchant with a key for everything.
//
// CONTRACT_URL tests one that runs elsewhere, with the key in MERCHANT_API_KEY and its secret in
// MERCHANT_API_SECRET: a key with every scope of a merchant that nobody else uses. The quotas of
// that server are its own, so a refusal for too many requests is waited for there.

import { afterAll, beforeAll, vi } from "vitest";
import type { Signer } from "./contract-requests.ts";
import { type ServiceOptions, startService, type TestService } from "./service.ts";

export interface RunningContract extends Signer {
  readonly isElsewhere: boolean;
  /** of a merchant that nobody has used before; elsewhere there is only one */
  readonly newMerchant: () => Promise<Signer>;
  /** undefined elsewhere */
  readonly query: TestService["query"] | undefined;
  /** of a merchant that nobody asks as; elsewhere there is none */
  readonly newMerchantId: () => Promise<string | undefined>;
}

/** Longer than any window of a quota. */
const patienceMilliseconds = 150_000;

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`CONTRACT_URL needs ${name} beside it`);
  return value;
}

/** Call it once at the top of a file; the address is known once the tests run. */
export function useContractServer(options: ServiceOptions = {}): RunningContract {
  const elsewhere = process.env["CONTRACT_URL"];
  if (elsewhere !== undefined) vi.setConfig({ testTimeout: patienceMilliseconds });
  let service: TestService | undefined;
  let signer: Signer | undefined;
  beforeAll(async () => {
    if (elsewhere !== undefined) {
      const [key, secret] = [required("MERCHANT_API_KEY"), required("MERCHANT_API_SECRET")];
      signer = { url: elsewhere.replace(/\/$/, ""), key, secret, isPatient: true };
      return;
    }
    service = await startService(options);
    signer = await service.newMerchant();
  });
  afterAll(async () => {
    await service?.close();
  });
  const known = (): Signer => {
    if (signer === undefined) throw new Error("the server starts with the first test");
    return signer;
  };
  return {
    isElsewhere: elsewhere !== undefined,
    get url() {
      return known().url;
    },
    get key() {
      return known().key;
    },
    get secret() {
      return known().secret;
    },
    get isPatient() {
      return known().isPatient ?? false;
    },
    get query() {
      return service?.query;
    },
    newMerchant: () => service?.newMerchant() ?? Promise.resolve(known()),
    newMerchantId: async () => (await service?.newMerchant())?.merchantId,
  };
}
