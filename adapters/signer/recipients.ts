// Which account may do what, and where its money may go. Withdrawals and releases go to whomever
// their limits let them; money of deposit addresses goes to ourselves only, and so does what a payer
// has signed.

import type { ChainPolicy } from "./policy-model.ts";
import type {
  ActionIntent,
  ChainAction,
  PaymentAuthorization,
  SigningAccount,
} from "../../service/ports/signer.ts";
import { SignerRefusal } from "../../service/ports/signer.ts";
import { x402Proxies } from "./addresses.ts";

export interface OwnAddresses {
  readonly addressOf: (account: SigningAccount) => string;
}

export interface Surroundings {
  readonly chainId: string;
  readonly chain: ChainPolicy;
  readonly own: OwnAddresses;
}

/** Throws `SignerRefusal`. All addresses are in the spelling with the checksum. */
export function checkRecipients({ account, action }: ActionIntent, place: Surroundings): void {
  switch (action.kind) {
    case "transfer":
      if (account.role === "deposit") checkSweep(action.to, place);
      else checkOutgoing(action.to);
      return;
    case "settle":
      checkRole(account, "a settlement");
      checkSettlement(action, place.own.addressOf({ role: "settlement" }));
      return;
    case "collect":
      checkRole(account, "a sweep by authorization");
      checkCollection(action, place);
  }
}

/** Nobody asks for that on purpose. */
function checkOutgoing(to: string): void {
  if (/^0x0{39}[0-9a-f]$/i.test(to)) throw new SignerRefusal("nobody owns the recipient");
}

function checkRole({ role }: SigningAccount, what: string): void {
  if (role === "settlement") return;
  throw new SignerRefusal(`${what} is signed by the account settlement, not by ${role}`);
}

function checkSweep(to: string, { chainId, chain, own }: Surroundings): void {
  if (to === own.addressOf({ role: "hot" }) || to === chain.treasuryAddress) return;
  const treasury = chain.treasuryAddress === null ? "no treasury is named" : "the treasury";
  throw new SignerRefusal(
    `money of deposit addresses on ${chainId} goes to the hot account or the treasury only ` +
      `(${treasury}), not to ${to}`,
  );
}

function checkCollection(
  { index, authorization }: Extract<ChainAction, { kind: "collect" }>,
  place: Surroundings,
): void {
  checkSweep(authorization.to, place);
  if (authorization.from === place.own.addressOf({ role: "deposit", index })) return;
  throw new SignerRefusal(`the authorization is not from deposit address ${index}`);
}

function checkSettlement(
  { signed: { authorization, domain }, amountRaw }: Extract<ChainAction, { kind: "settle" }>,
  settlementAddress: string,
): void {
  if (authorization.to !== settlementAddress) {
    throw new SignerRefusal("the authorization pays somebody else than the account settlement");
  }
  if (amountRaw > authorization.amountRaw) {
    throw new SignerRefusal("the amount is above what the payer has signed");
  }
  const isUpto = authorization.method === "permit2" && authorization.scheme === "upto";
  if (!isUpto && amountRaw !== authorization.amountRaw) {
    throw new SignerRefusal("only by upto may less be taken than the payer has signed");
  }
  if (authorization.method === "permit2") checkProxy(authorization, settlementAddress);
  else if (domain === null) throw new SignerRefusal("the domain of the token is missing");
}

function checkProxy(
  { scheme, spender, facilitator }: Extract<PaymentAuthorization, { method: "permit2" }>,
  settlementAddress: string,
): void {
  if (spender !== x402Proxies[scheme]) {
    throw new SignerRefusal(`the spender is not the x402 proxy of ${scheme}`);
  }
  const mayBeAnybody = scheme === "exact" && facilitator === null;
  if (facilitator === settlementAddress || mayBeAnybody) return;
  throw new SignerRefusal("the payer has named another facilitator than the account settlement");
}
