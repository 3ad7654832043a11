// What a forgotten transaction of ours is, by what it does: which address it empties, to where, of what.

import type { CatalogDeployment } from "../catalog/model.ts";
import { OperatorError } from "../operator-error.ts";
import type { Database } from "../ports/database.ts";
import type { ChainTransfer } from "../ports/chain.ts";
import type { OwnAccountRole } from "../database/words.ts";
import { isSameAddress } from "../sending/fate.ts";
import { deedText } from "../sending/forgotten.ts";
import type { Forgotten } from "../sending/forgotten.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import { readOwnAddress } from "./forgotten.sql.ts";
import { domainOf, transferDraft } from "./routes.ts";
import type { Place, Route } from "./routes.ts";

/** One that the sweep job would have planned so. */
export interface Recognized {
  readonly kind: "sweep" | "sweep_gas" | "consolidation";
  readonly place: Place;
  readonly route: Pick<Route, "method" | "target" | "targetAddress" | "amountRaw">;
  readonly draft: Omit<OutgoingDraft, "subjectId">;
}

export interface Looking {
  readonly inside: Database;
  readonly found: Forgotten;
  /** of the account that has sent it; null: the address of a payment */
  readonly role: OwnAccountRole | null;
  /** all of the catalog */
  readonly deployments: readonly CatalogDeployment[];
}

type Transfer = Pick<ChainTransfer, "contractAddress" | "to" | "amountRaw">;

/** Throws `OperatorError` where it is none of them. */
export async function recognize(look: Looking): Promise<Recognized> {
  const { found, role } = look;
  const { txHash, transfer, collect, isSuccess } = found;
  if (!isSuccess) {
    throw new OperatorError(
      `${txHash} has failed on the chain and has moved nothing: only its gas is missing, which is ` +
        'booked with "ledger take --of gas" and --account of whoever has sent it; of the address of a payment it ' +
        "is booked nowhere.",
    );
  }
  if ((transfer ?? collect)?.amountRaw === 0n) {
    throw new OperatorError(`${txHash} moves nothing: book its gas with "ledger take --of gas".`);
  }
  if (collect !== undefined) return await ofCollection(look, collect);
  if (transfer === undefined) throw noSweep(found);
  if (role === null) return await ofAddress(look, transfer);
  if (role === "settlement") return await ofSettlement(look, transfer);
  throw new OperatorError(
    `${found.account} is no account that sweeps: it has paid a withdrawal, or sent something back. ` +
      'Say it with "withdrawal remember" or "suspense remember".',
  );
}

/** The settlement account has handed in what the address of a payment has signed. */
async function ofCollection(
  look: Looking,
  collect: NonNullable<Forgotten["collect"]>,
): Promise<Recognized> {
  const { found, role } = look;
  const { txHash, account, chainId } = found;
  const { from: address, contractAddress, to: targetAddress, amountRaw } = collect;
  const index = await indexOf(look, address);
  if (index === null) {
    throw new OperatorError(
      `${address}, which has signed it, is the address of no payment here: if ${txHash} has swept it, its payment ` +
        'is forgotten, too. Book what it has brought with "ledger fund", settle it with the merchant, and book ' +
        'the gas with "ledger take --of gas --account settlement".',
    );
  }
  if (role !== "settlement") throw new OperatorError(`${account} hands in nothing for sweeps.`);
  const target = await targetOf(look, targetAddress);
  const deployment = deploymentOf(look, contractAddress);
  const domain = domainOf(deployment);
  if (domain === undefined) {
    throw new OperatorError(
      `The catalog does not say that ${deployment.id} takes authorizations (x402 eip3009): ` +
        "it has to say so again first.",
    );
  }
  const draft = {
    chainId,
    account,
    signsAs: { role: "settlement" },
    purpose: "sweep",
    deploymentId: deployment.id,
    action: {
      kind: "collect",
      index,
      domain,
      authorization: { method: "eip3009", ...collect },
    },
  } as const;
  const route = { method: "collect", target, targetAddress, amountRaw } as const;
  return { kind: "sweep", place: { deployment, address, index }, route, draft };
}

/** The address of a payment has sent it. */
async function ofAddress(look: Looking, transfer: Transfer): Promise<Recognized> {
  const { found } = look;
  const { account: address } = found;
  const index = await indexOf(look, address);
  if (index === null) {
    throw new OperatorError(`${address} is neither an account nor the address of a payment here.`);
  }
  return await direct(look, { kind: "sweep", address, index }, transfer);
}

/** It has sent its surplus, or the coin for the transfer of an address. */
async function ofSettlement(look: Looking, transfer: Transfer): Promise<Recognized> {
  const { found } = look;
  const { account, chainId } = found;
  const { contractAddress, to, amountRaw } = transfer;
  if (contractAddress !== null) {
    return await direct(look, { kind: "consolidation", address: account, index: null }, transfer);
  }
  const index = await indexOf(look, to);
  if (index === null) throw noSweep(found);
  const deployment = deploymentOf(look, null);
  return {
    kind: "sweep_gas",
    place: { deployment, address: to, index },
    // Where the rest of it was to go nobody knows: what has got something is the address itself.
    route: { method: "topped_up", target: "hot", targetAddress: to, amountRaw },
    draft: {
      chainId,
      account,
      signsAs: { role: "settlement" },
      purpose: "sweep_gas",
      deploymentId: deployment.id,
      action: { kind: "transfer", to, contractAddress, amountRaw },
    },
  };
}

interface Emptied {
  readonly kind: "sweep" | "consolidation";
  readonly address: string;
  readonly index: bigint | null;
}

async function direct(
  look: Looking,
  { kind, address, index }: Emptied,
  { contractAddress, to: targetAddress, amountRaw }: Transfer,
): Promise<Recognized> {
  const target = await targetOf(look, targetAddress);
  const deployment = deploymentOf(look, contractAddress);
  const place = { deployment, address, index };
  const route = { method: "transfer", target, targetAddress, amountRaw } as const;
  return { kind, place, route, draft: transferDraft(place, route) };
}

async function indexOf({ inside }: Looking, address: string): Promise<bigint | null> {
  const [own] = await inside.run(readOwnAddress, { address });
  return own?.derivation_index ?? null;
}

async function targetOf({ inside, found }: Looking, address: string) {
  const [own] = await inside.run(readOwnAddress, { address });
  if (own?.role === "hot" || own?.role === "treasury") return own.role;
  throw new OperatorError(
    `${found.txHash} is ${deedText(found)}, which is neither our hot account nor our treasury: it is ` +
      'no sweep. If it went back to a payer from suspense, say it with "suspense remember"; what was not used of ' +
      "an x402 authorization is said here, as soon as it waits (chain outgoing).",
  );
}

function deploymentOf(
  { deployments, found: { chainId } }: Looking,
  contractAddress: string | null,
): CatalogDeployment {
  const deployment = deployments.find(
    (one) =>
      one.chainId === chainId &&
      one.chainFamily === "evm" &&
      isSameAddress(one.contractAddress, contractAddress),
  );
  if (deployment !== undefined) return deployment;
  const what = contractAddress === null ? "the coin" : `the token ${contractAddress}`;
  throw new OperatorError(`The catalog does not have ${what} of ${chainId}.`);
}

function noSweep(found: Forgotten): OperatorError {
  return new OperatorError(`${found.txHash} is ${deedText(found)}, and nothing that a sweep does.`);
}
