// The real server on a real port for a whole test file; CONTRACT_URL tests one that runs elsewhere.

import { afterAll, beforeAll } from "vitest";
import { startServer, type TestServer } from "../server/start-server.ts";

export interface RunningContract {
  readonly url: string;
}

/** Call it once at the top of a file; the address is known once the tests run. */
export function useContractServer(): RunningContract {
  const elsewhere = process.env["CONTRACT_URL"];
  let server: TestServer | undefined;
  beforeAll(async () => {
    if (elsewhere === undefined) server = await startServer();
  });
  afterAll(async () => {
    await server?.close();
  });
  return {
    get url(): string {
      const url = elsewhere ?? server?.url;
      if (url === undefined) throw new Error("the server starts with the first test");
      return url.replace(/\/$/, "");
    },
  };
}
