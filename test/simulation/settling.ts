// Merchants settle what payers have signed, while others send a little to the same payments, or hand in the
// same authorization first; and what must be true of it (threats 93 and 94).

import { scriptedSignature } from "../support/scripted-outgoing.ts";
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
  one.chain.mint(payer, offer.asset, offer.maxAmountRaw);
  const isHandedIn = world.dice.chance(0.15);
  if (isHandedIn) await handIn(world, signed);
  const open = await isOpen(world, signed);
  const call = settleCall(world, signed);
  await play(call);
  const { refusal } = call;
  if (refusal === undefined) return;
  world.note("settlements", refusal);
  // What our own terms ask for is taken, whatever a stranger has sent before.
  const isFailing = isHandedIn || one.chain.reverting.has(offer.asset);
  const isExcused = excuses.has(refusal) || (refusal === "x402_simulation_failed" && isFailing);
  if (open && !isExcused) {
    world.complain(`${payer} signed what ${signed.payment.id} asks for: ${refusal}`);
  }
}

/** The chain says nothing, or its time is over. */
const excuses: ReadonlySet<string> = new Set(["chain_unavailable", "x402_expired"]);

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

function settleCall(world: World, { payment, offer, payer }: Signed): Call {
  const { chainId, asset, payTo, maxAmountRaw: amountRaw, nonce, validBefore } = offer;
  const [spender] = assetOf(offer.deploymentId).deployment.capabilities.flatMap(
    ({ key, parameters }) => (key === "permit2" ? [String(parameters["address"])] : []),
  );
  const amount = amountRaw.toString();
  const common = { contractAddress: asset, from: payer, to: payTo, amountRaw, nonce };
  const permit = {
    method: "permit2",
    scheme: "exact",
    spender: spender ?? "",
    facilitator: null,
  } as const;
  const signature = scriptedSignature({
    ...common,
    ...permit,
    validAfter: 0n,
    deadline: validBefore,
  });
  const body = {
    payment_id: payment.id,
    payment_payload: {
      signature,
      permit2_authorization: {
        permitted: { token: asset, amount },
        from: payer,
        spender: spender ?? "",
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

/** When all is final: the chain has decided about each that was accepted. */
export async function checkSettlements(world: World): Promise<void> {
  const rows = await world.rows<{ id: string; status: string; reason: string | null }>(
    `select id, status, reason from x402_settlements where status not in ('final', 'unused', 'failed')`,
  );
  for (const { id, status, reason } of rows) {
    world.complain(`the settlement ${id} is still ${status} (${reason ?? "no reason"})`);
  }
}
