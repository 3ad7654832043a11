// Sweeps with nothing scripted: a real chain, a signer process, PostgreSQL, and processes of their
// own where they have to die.

import { onTestFinished } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import type { Currency, Deployment } from "../../service/catalog/model.ts";
import { catalogOf } from "../support/catalog.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { markLookedAt } from "../support/looked-at.ts";
import type { OnChain } from "../withdrawals/on-chain.ts";
import { bookDeposit } from "./deposits.ts";
import { chainId, coin, openSceneOn, usdc } from "./scene.ts";

/** One that keeps a part of each transfer. */
export const feeToken = { deploymentId: "dep_fee_base_sepolia" } as const;

/** In a test: a database of its own, beside the chain of the file. */
export async function openChainScene(
  world: OnChain,
  feeAddress: string,
  { isMarked = false }: { readonly isMarked?: boolean } = {},
) {
  const { node, chain, signer } = world;
  const { url, remove } = await makePostgresDatabase();
  const database = await openPostgres({ url, connectionsMax: 4 });
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  const scene = await openSceneOn(database, { chain, signer }, catalogWith(feeAddress, isMarked));
  const { hotAddress, settlementAddress } = signer.accounts;
  for (const account of [hotAddress, settlementAddress])
    await markLookedAt(database, chain, account);
  // Authorizations end at a time, and the chain has its own.
  scene.clock.advance(Date.now() - scene.clock.nowMilliseconds());
  const derive = openDepositAddresses(signer.accounts.depositPublicKey);
  return {
    ...scene,
    url,
    addressAt: derive.derive,
    /** A deposit that the chain has, and the ledger too. */
    arrive: async (index: bigint, amountRaw: bigint, deploymentId: string = usdc.deploymentId) => {
      const address = derive.derive(index);
      if (deploymentId === coin.deploymentId) await node.giveCoin(address, amountRaw);
      else if (deploymentId === usdc.deploymentId) {
        await node.mint(address, amountRaw, usdc.contractAddress);
      } else await node.mint(address, amountRaw, feeAddress);
      await node.mine(1);
      await bookDeposit(scene, { chainId, deploymentId, address, index, amountRaw });
      return address;
    },
  };
}

export type ChainScene = Awaited<ReturnType<typeof openChainScene>>;

/**
 * The shipped one, with authorizations where the tests have a token that really takes them, and with
 * one more token.
 */
function catalogWith(feeAddress: string, isMarked: boolean): readonly Currency[] {
  return catalogOf().flatMap((currency) => {
    const found = currency.deployments.find(({ id }) => id === usdc.deploymentId);
    if (found === undefined) return [currency];
    const others = currency.deployments.filter((one) => one !== found);
    const names = { id: "cur_fee", code: "FEE", symbol: "FEE", name: "Fee Token" };
    return [
      { ...currency, deployments: [...others, authorizing(found)] },
      { ...currency, ...names, deployments: [withFee(found, feeAddress, isMarked)] },
    ];
  });
}

function authorizing(deployment: Deployment): Deployment {
  const parameters = { domain_name: "Test USD", domain_version: "2" };
  const capabilities = deployment.capabilities.map((one) =>
    one.key === "eip3009"
      ? { ...one, status: "supported" as const, parameters: { ...one.parameters, ...parameters } }
      : one,
  );
  return { ...deployment, capabilities };
}

const transferFee = {
  scope: "deposit",
  key: "transfer_fee",
  status: "supported",
  parameters: {},
  delivery: null,
} as const;

function withFee(deployment: Deployment, contractAddress: string, isMarked: boolean): Deployment {
  const capabilities = deployment.capabilities.filter(({ scope }) => scope === "deposit");
  return {
    ...deployment,
    id: feeToken.deploymentId,
    assetLocator: `${chainId}/erc20:${contractAddress}`,
    contractAddress,
    capabilities: isMarked ? [...capabilities, transferFee] : capabilities,
  };
}
