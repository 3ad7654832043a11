// How much of its limits a signer has used in the last 24 hours, for whoever looks that they are not reached unseen.

import type { LimitUse } from "../../service/ports/signer.ts";
import type { AssetLimit, ChainPolicy } from "./policy-model.ts";
import type { SpentAsset, Usage } from "./policy.ts";

/** Beside what the rules ask. */
export interface ReadUsage extends Pick<Usage, "amountRaw" | "gasRaw" | "newNumbers"> {
  /** of which something was signed in the window, by any process */
  readonly spentAssets: () => readonly SpentAsset[];
}

/** Of an amount on a chain; more cannot be told. */
const wordMax = 2n ** 256n - 1n;

interface Asked {
  readonly chainId: string;
  readonly chain: ChainPolicy;
  /** the end of the 24 hours */
  readonly at: number;
}

/** Of a chain, each limit of 24 hours that it has; one for all other tokens is each token's that was moved. */
export function limitUses(asked: Asked, usage: ReadUsage): readonly LimitUse[] {
  const { chainId, chain, at } = asked;
  const most = chain.gas.perDayRaw;
  const none = { role: null, contractAddress: null };
  const gas = { limit: "gas", ...none, usedRaw: usage.gasRaw(at, chainId) } as const;
  const all = [
    ...(most === null ? [] : [{ ...gas, mostRaw: most }]),
    ...numberUses(asked, usage),
    ...chain.limits.flatMap((limit) => amountUses(asked, usage, limit)),
  ];
  // Of what may not be used at all nothing is left to watch, and nothing reaches a limit above all that there is.
  const some = all.filter(({ mostRaw }) => mostRaw > 0n && mostRaw <= wordMax);
  return some.map((use) => (use.usedRaw > wordMax ? { ...use, usedRaw: wordMax } : use));
}

/** Where a chain may begin anew they are not counted. */
function numberUses({ chainId, chain, at }: Asked, usage: ReadUsage): readonly LimitUse[] {
  if (chain.mayRestart) return [];
  return (["hot", "settlement"] as const).map((role) => {
    const usedRaw = usage.newNumbers(at, { chainId, account: role, nonce: 0n });
    return { limit: "numbers", role, contractAddress: null, usedRaw, mostRaw: chain.numbersPerDay };
  });
}

function amountUses(
  { chainId, chain, at }: Asked,
  usage: ReadUsage,
  { role, contractAddress, isForOthers, perDayRaw: mostRaw }: AssetLimit,
): readonly LimitUse[] {
  if (mostRaw === null) return [];
  const named = chain.limits.filter((limit) => limit.role === role && !limit.isForOthers);
  const names = new Set(named.map((limit) => limit.contractAddress?.toLowerCase() ?? null));
  const assets = isForOthers
    ? usage.spentAssets().filter((one) => {
        return one.chainId === chainId && one.role === role && !names.has(one.contractAddress);
      })
    : [{ chainId, role, contractAddress: contractAddress?.toLowerCase() ?? null }];
  return assets.map((asset) => {
    const usedRaw = usage.amountRaw(at, asset);
    return { limit: "amount", role, contractAddress: asset.contractAddress, usedRaw, mostRaw };
  });
}
