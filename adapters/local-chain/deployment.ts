// What stands on the local chain from its first block on. Doing it again changes nothing.

import { join } from "node:path";
import type { Contract, Contracts } from "./compile.ts";
import { ownerAddress, standIns, testUsdAddress } from "./contract-addresses.ts";
import type { LocalRpc } from "./rpc.ts";

export const contractsFolder = join(import.meta.dirname, "contracts");

const gasOfDeployment = "0x4c4b40"; // 5,000,000

/** A block must follow for the stand-ins to outlast a rollback; the first deployment brings one. */
export async function deployLocalContracts(rpc: LocalRpc, contracts: Contracts): Promise<void> {
  for (const [address, name] of standIns) {
    await rpc("anvil_setCode", [address, contractNamed(contracts, name).runtimeCode]);
  }
  if ((await rpc("eth_getCode", [testUsdAddress, "latest"])) !== "0x") return;
  const data = contractNamed(contracts, "TestUSD").creationCode;
  await rpc("eth_sendTransaction", [{ from: ownerAddress, data, gas: gasOfDeployment }]);
  await rpc("evm_mine");
  if ((await rpc("eth_getCode", [testUsdAddress, "latest"])) !== "0x") return;
  throw new Error(
    `The local chain's token did not come to ${testUsdAddress}: its owner has sent something else ` +
      "first. Remove the state file to begin anew.",
  );
}

export function contractNamed(contracts: Contracts, name: string): Contract {
  const contract = contracts.get(name);
  if (contract === undefined) throw new Error(`there is no contract ${name}`);
  return contract;
}
