import { afterEach } from "vitest";
import { type FaultyEndpoint, type Faults, startFaultyEndpoint } from "./faulty-endpoint.ts";

/** Starts endpoints of the chain at this address, which are closed after each test. */
export function useFaultyEndpoints(urlOf: () => string) {
  const opened: FaultyEndpoint[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  return async (faults: Faults = {}): Promise<FaultyEndpoint> => {
    const endpoint = await startFaultyEndpoint(urlOf());
    Object.assign(endpoint.faults, faults);
    opened.push(endpoint);
    return endpoint;
  };
}
