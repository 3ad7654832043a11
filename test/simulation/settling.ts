// Merchants settle what payers have signed, while others send a little to the same payments, or hand in the
// same authorization before or after; now and then a payer has not got the money.

import { scriptedSignature } from "../support/scripted-outgoing.ts";
import type { Permit2Authorization } from "../../service/ports/signer.ts";
import { handIn, signTerms } from "./arrivals.ts";
import type { Signed } from "./arrivals.ts";
import { newCall } from "./client.ts";
import type { Call } from "./client.ts";
import { assetOf } from "./market.ts";
import type { World } from "./world.ts";

/** Of the price at most: the hundredth part, or the twentieth, which makes a payment partly paid. */
const cents = [100n, 20n];

/** Anybody opens a page, and sends a part of the price that helps nobody. */
export function sendCent(world: World): void {
  const { dice } = world;
  const payment = dice.pickRecent(world.payments.filter((one) => one.address !== undefined));
  const [deploymentId, dueRaw] = dice.pickIfAny([...(payment?.dues ?? [])]) ?? ["", 0n];
  if (payment?.address === undefined) return;
  const { chainId, contractAddress } = assetOf(deploymentId).deployment;
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  if (one === undefined) return;
  const amountRaw = dueRaw / dice.pick(cents) + 1n;
  const wish = { to: payment.address, amountRaw, contractAddress };
  one.depositHashes.push(one.chain.deposit(wish));
  world.note("deposits", "a cent");
}

/** What a merchant's program has asked us to settle. */
export interface Settling extends Signed {
  readonly authorization: Permit2Authorization;
  readonly call: Call;
}

/** A payer signs what is asked for, and the merchant's program asks us to settle it. */
export async function settle(
  world: World,
  play: (call: Call) => Promise<void>,
  payments = world.payments.filter(({ isPaid }) => isPaid !== true),
): Promise<void> {
  const signed = await signTerms(world, payments);
  if (signed === undefined) return;
  const { one, offer, payer } = signed;
  signed.payment.isPaid = true;
  const isPoor = world.dice.chance(0.1);
  one.chain.mint(payer, offer.asset, offer.maxAmountRaw - (isPoor ? 1n : 0n));
  const isHandedIn = world.dice.chance(0.15);
  if (isHandedIn) await handIn(world, signed);
  const open = await isOpen(world, signed);
  const authorization = authorizationOf(signed);
  const call = settleCall(world, signed, authorization);
  world.settling.push({ ...signed, authorization, call });
  await play(call);
  const { refusal } = call;
  if (refusal === undefined) return;
  world.note("settlements", refusal);
  // What our own terms ask for is taken, whatever a stranger has sent before.
  const isFailing = isHandedIn || isPoor || one.chain.reverting.has(offer.asset);
  const isExcused = excuses.has(refusal) || (isFailing && failures.has(refusal));
  if (open && !isExcused) {
    world.complain(`${payer} signed what ${signed.payment.id} asks for: ${refusal}`);
  }
}

/** The same with another key: the program has forgotten the first. */
export function settleAgain(world: World, settling: Settling): Call {
  return settleCall(world, settling, settling.authorization);
}

/** A stranger has seen what the merchant's program has handed over, and is first, or loses the race. */
export async function race(world: World): Promise<void> {
  const accepted = world.settling.filter(({ call }) => call.refusal === undefined);
  const one = world.dice.pickRecent(accepted);
  if (one !== undefined) await handIn(world, one);
}

/** The chain says nothing, or its time is over. */
const excuses: ReadonlySet<string> = new Set(["chain_unavailable", "x402_expired"]);
/** The token fails, the payer has not got it, or somebody was first. */
const failures: ReadonlySet<string> = new Set([
  "x402_simulation_failed",
  "x402_insufficient_funds",
]);

/** It waits for money that nobody else's authorization brings, and is not over by the time of its chain. */
async function isOpen(world: World, { payment, one }: Signed): Promise<boolean> {
  const [row] = await world.rows<{ status: string; expires_at: Date }>(
    `select status, expires_at from payments p where id = $1 and not exists (
        select from x402_settlements s where s.payment_id = p.id and s.status <> 'failed')`,
    [payment.id],
  );
  const isWaiting = row?.status === "pending" || row?.status === "partially_paid";
  return isWaiting && row.expires_at.getTime() > one.blockMilliseconds;
}

function authorizationOf({ offer, payer: from }: Signed): Permit2Authorization {
  const { asset: contractAddress, payTo: to, maxAmountRaw: amountRaw, nonce } = offer;
  const [spender = ""] = assetOf(offer.deploymentId).deployment.capabilities.flatMap(
    ({ key, parameters }) => (key === "permit2" ? [String(parameters["address"])] : []),
  );
  return {
    method: "permit2",
    scheme: "exact",
    contractAddress,
    from,
    spender,
    amountRaw,
    nonce,
    deadline: offer.validBefore,
    to,
    validAfter: 0n,
    facilitator: null,
  };
}

function settleCall(
  world: World,
  { payment, offer }: Signed,
  authorization: Permit2Authorization,
): Call {
  const { chainId, asset, payTo, nonce, validBefore } = offer;
  const { from, spender } = authorization;
  const amount = authorization.amountRaw.toString();
  const signature = scriptedSignature(chainId, authorization);
  const body = {
    payment_id: payment.id,
    payment_payload: {
      signature,
      permit2_authorization: {
        permitted: { token: asset, amount },
        from,
        spender,
        nonce: BigInt(nonce).toString(),
        deadline: Number(validBefore),
        witness: { to: payTo, valid_after: 0 },
      },
    },
    payment_requirements: {
      scheme: "exact" as const,
      network: chainId,
      asset,
      resource: "https://pay.example",
      pay_to: payTo,
      max_amount_required: amount,
      nonce,
      valid_before: Number(validBefore),
    },
  };
  return newCall(world, {
    operation: "settleX402Payment",
    owner: payment.owner,
    ask: (handlers, headers, caller) => handlers.settleX402Payment({ headers, body }, caller),
  });
}
