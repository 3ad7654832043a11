// Whether a transaction would do something, on the newest state, and for how much gas.

import type { Estimate } from "../../service/ports/settlement-chain.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { hexNumber, NodeError, quantity } from "./answers.ts";
import { encodeAction, encodeTransfer } from "./calldata.ts";
import type { Call } from "./calldata.ts";
import type { Asked } from "./rpc.ts";

/**
 * What a token does for an authorization beyond a transfer: it recovers who signed it, and keeps the
 * nonce. Measured 34,000; twice that, since the real signature is not known before it is made.
 */
const authorizationGas = 68_000n;

export async function estimateAction(
  endpoint: Asked,
  from: string,
  action: ChainAction,
): Promise<Estimate> {
  if (action.kind !== "collect") return await estimateCall(endpoint, from, encodeAction(action));
  // The signature is made by the signer, and by nobody for an estimate. A transfer by the owner
  // itself is refused for the same reasons: no money, a pause, a block list.
  const { authorization } = action;
  const estimate = await estimateCall(endpoint, authorization.from, encodeTransfer(authorization));
  if (!estimate.isPossible) return estimate;
  return { isPossible: true, gasUnits: estimate.gasUnits + authorizationGas };
}

async function estimateCall(endpoint: Asked, from: string, call: Call): Promise<Estimate> {
  const { to, data, value } = call;
  const wish = { from, to, data, value: hexNumber(value) };
  try {
    const answer = await endpoint.call("eth_estimateGas", [wish, "latest"]);
    return { isPossible: true, gasUnits: quantity(answer, "an estimate") };
  } catch (error) {
    if (!(error instanceof NodeError) || !isVerdict(error)) throw error;
    return { isPossible: false, text: error.message };
  }
}

/** About what was asked, not about the node. The code is that of a revert with reasons. */
function isVerdict({ code, message }: NodeError): boolean {
  if (code === 3) return true;
  return /revert|invalid opcode|out of gas|insufficient (?:funds|balance)|gas required exceeds|always failing|vm execution|bad instruction|stack (?:under|over)flow|custom error|invalid jump/i.test(
    message,
  );
}
