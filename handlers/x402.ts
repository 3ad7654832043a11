// The handlers of the operations tagged "x402".

import { RequestError } from "../generated/runtime/runtime.ts";
import type {
  Eip3009Payload,
  Permit2Payload,
  SettleX402PaymentRequest,
} from "../generated/types.ts";
import { rawAmountMax } from "../service/amounts.ts";
import type { SettleCommand, SettlePayload } from "../service/x402/model.ts";
import type { SettleKey } from "../service/x402/settling.ts";
import type { SettleResult } from "../service/x402/stored.ts";
import { idempotent, keyedRequestOf } from "./idempotent.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { invalidBody, refuseNul } from "./storable-text.ts";

const evidenceBytesMax = 16_384;
/** When an open outcome may have changed. */
const retryAfterSeconds = 2;

export function buildX402Handlers({
  x402,
  idempotency,
}: Pick<Services, "x402" | "idempotency">): Pick<
  AllHandlers,
  "reportX402Usage" | "settleX402Payment"
> {
  return {
    /** POST /v1/x402/{payment_id}/usage */
    reportX402Usage: (request, caller) => {
      const { body, path } = request;
      refuseNul(body);
      refuseLargeEvidence(body.evidence);
      const report = {
        paymentId: path.payment_id,
        actualAmount: body.actual_amount,
        usageId: body.usage_id,
        evidence: body.evidence,
      };
      const call = { idempotency, operationId: "reportX402Usage", request, caller };
      return idempotent(call, (finish) =>
        x402.reportUsage(caller, report, ({ paymentId, maxRaw, actualRaw, usageId }) =>
          finish({
            status: 201,
            body: {
              payment_id: paymentId,
              scheme: "upto",
              max_raw: maxRaw.toString(),
              actual_raw: actualRaw.toString(),
              usage_id: usageId,
            },
          }),
        ),
      );
    },

    /** POST /v1/x402/settle */
    settleX402Payment: async (request, caller) => {
      const { body, headers } = request;
      refuseNul(body);
      const command = commandOf(body);
      const key = headers["Idempotency-Key"];
      if (key === undefined) return answerOf(await x402.settle(caller, command));
      const operationId = "settleX402Payment";
      const keyed = { body, headers: { "Idempotency-Key": key } };
      const named = keyedRequestOf({ operationId, request: keyed, caller });
      return idempotency.runAgain(named, caller.earlier, async (fence) => {
        const finish: SettleKey | undefined =
          fence === undefined
            ? undefined
            : (accepted) => {
                const { status, body: stored } = answerOf({ ...accepted, isReplayed: false });
                return fence.finish({ status, body: JSON.stringify(stored) });
              };
        return answerOf(await x402.settle(caller, command, finish));
      });
    },
  };
}

function answerOf({ isSettled, txHash, paymentId, isReplayed }: SettleResult) {
  const where = { tx_hash: txHash, payment_id: paymentId };
  const replayed = isReplayed ? { "Idempotent-Replayed": "true" } : {};
  if (isSettled) {
    return { status: 200, headers: replayed, body: { success: true, ...where } } as const;
  }
  const headers = { ...replayed, "Retry-After": retryAfterSeconds };
  return { status: 202, headers, body: { success: false, ...where } } as const;
}

function refuseLargeEvidence(evidence: object): void {
  if (Buffer.byteLength(JSON.stringify(evidence), "utf8") <= evidenceBytesMax) return;
  const message = `The evidence may have at most ${evidenceBytesMax} bytes.`;
  throw new RequestError(413, "body_too_large", message);
}

/** Amounts as numbers, names as the rules have them; exported for the tests of official clients. */
export function commandOf(body: SettleX402PaymentRequest): SettleCommand {
  const { payment_payload: payload, payment_requirements: requirements } = body;
  return {
    paymentId: body.payment_id,
    payload: "authorization" in payload ? eip3009Of(payload) : permit2Of(payload),
    requirements: {
      scheme: requirements.scheme,
      network: requirements.network,
      asset: requirements.asset,
      payTo: requirements.pay_to,
      maxAmountRaw: rawOf(
        requirements.max_amount_required,
        "/payment_requirements/max_amount_required",
      ),
      nonce: requirements.nonce,
      validBefore: timeOf(requirements.valid_before, "/payment_requirements/valid_before"),
      extra: requirements.extra,
    },
  };
}

function eip3009Of({ signature, authorization }: Eip3009Payload): SettlePayload {
  const { from, to, value, nonce } = authorization;
  const place = "/payment_payload/authorization";
  return {
    method: "eip3009",
    signature,
    from,
    to,
    amountRaw: rawOf(value, `${place}/value`),
    validAfter: timeOf(authorization.valid_after, `${place}/valid_after`),
    validBefore: timeOf(authorization.valid_before, `${place}/valid_before`),
    nonce,
  };
}

function permit2Of({ signature, permit2_authorization: permit }: Permit2Payload): SettlePayload {
  const { permitted, from, spender, nonce, deadline, witness } = permit;
  const place = "/payment_payload/permit2_authorization";
  return {
    method: "permit2",
    signature,
    token: permitted.token,
    from,
    to: witness.to,
    amountRaw: rawOf(permitted.amount, `${place}/permitted/amount`),
    validAfter: timeOf(witness.valid_after, `${place}/witness/valid_after`),
    validBefore: timeOf(deadline, `${place}/deadline`),
    nonce,
    spender,
    facilitator: witness.facilitator ?? null,
  };
}

/** The pattern of the contract lets through more than a word of the chain holds (threat 36). */
function rawOf(text: string, pointer: string): bigint {
  const value = BigInt(text);
  if (value <= rawAmountMax) return value;
  const message = "must be at most 2^256-1";
  throw invalidBody([{ in: "body", pointer, rule: "maximum", message }]);
}

function timeOf(seconds: number, pointer: string): bigint {
  if (seconds >= 0) return BigInt(seconds);
  const message = "must not be before 1970";
  throw invalidBody([{ in: "body", pointer, rule: "minimum", message }]);
}
