// Questions to the local chain, which is always there: no second endpoint, no retries.

export type LocalRpc = (method: string, parameters?: readonly unknown[]) => Promise<unknown>;

/** Mining many blocks takes long; everything else is answered within milliseconds. */
const answerMillisecondsMax = 60_000;

/** The chain has answered, with an error. */
export class LocalRpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super(`${method}: ${error.message}`);
    this.name = "LocalRpcError";
    this.code = error.code;
    this.data = error.data;
  }
}

export function localRpc(url: string): LocalRpc {
  return async (method, parameters = []) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: parameters }),
      signal: AbortSignal.timeout(answerMillisecondsMax),
    });
    // As JSON-RPC has it: one of the two is there.
    const answer = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
    };
    if (answer.error !== undefined) throw new LocalRpcError(method, answer.error);
    return answer.result;
  };
}
