// The file with the limits, and what counts without one: test networks only. A main network has to be
// named by a person, with numbers, before anything is signed for it.

import { readFileSync } from "node:fs";
import { Place } from "../../service/catalog/checked-json.ts";
import type { JsonProblem } from "../../service/catalog/checked-json.ts";
import { checksumAddress } from "../../service/evm-address.ts";
import type { AmountLimit, AssetLimit, ChainPolicy, AccountRole } from "./policy-model.ts";
import type { Policy } from "./policy.ts";
import { SignerStartError } from "./start-error.ts";

/** The local chain, which begins anew. */
const localChain = "eip155:31337";
/** Those of Ethereum, OP, Arbitrum, Base and Polygon. */
const testChains = ["11155111", "11155420", "421614", "84532", "80002"].map(
  (number) => `eip155:${number}`,
);
const roles = ["hot", "settlement", "deposit"] as const satisfies readonly AccountRole[];
const coin = 10n ** 18n;

/** Our choice: as many as are remembered, so that one that was signed for nothing is not too old. */
const numbersPerDayStandard = 20_000n;

/** The coins of test networks are worth nothing; only mistakes are stopped. */
function testChainPolicy(chainId: string): ChainPolicy {
  return {
    treasuryAddress: null,
    gas: { perTransactionRaw: coin, perDayRaw: 1000n * coin },
    mayRestart: chainId === localChain,
    numbersPerDay: numbersPerDayStandard,
    limits: roles.map((role) => ({
      role,
      contractAddress: null,
      isForOthers: true,
      perTransactionRaw: null,
      perDayRaw: null,
    })),
  };
}

export const defaultPolicy: Policy = new Map(
  [localChain, ...testChains].map((chainId) => [chainId, testChainPolicy(chainId)]),
);

/** Nothing that it names is worth anything. */
export function isForTests(policy: Policy): boolean {
  return Array.from(policy.keys()).every((chainId) => defaultPolicy.has(chainId));
}

/** A file counts alone: chains of the default that it does not name are not signed for. */
export function readPolicy(path: string | undefined): Policy {
  if (path === undefined) return defaultPolicy;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SignerStartError(`The policy of SIGNER_POLICY cannot be read: ${reason}`);
  }
  return parsePolicy(text, path);
}

export function parsePolicy(text: string, path: string): Policy {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SignerStartError(`${path} is not JSON: ${reason}`);
  }
  const problems: JsonProblem[] = [];
  const place = new Place(value, "", problems);
  place.members(["chains"], ["$comment"]);
  const chains = place.member("chains");
  const names = typeof chains.value === "object" && chains.value !== null ? chains.value : {};
  chains.members([], Object.keys(names));
  const policy = Object.keys(names).map((chainId) => {
    const chain = chains.member(chainId);
    const isName = /^eip155:[1-9][0-9]{0,14}$/.test(chainId);
    if (!isName) chain.refuse("must be named like eip155:1");
    return [chainId, chainOf(chain)] as const;
  });
  if (problems.length === 0) return new Map(policy);
  const lines = problems.map(({ pointer, message }) => `  ${pointer || "the file"} ${message}\n`);
  throw new SignerStartError(`${path} has mistakes:\n${lines.join("")}`);
}

function chainOf(place: Place): ChainPolicy {
  const gasNames = ["gas_per_transaction_raw", "gas_per_day_raw"];
  place.members(
    [...gasNames, "limits"],
    ["treasury_address", "may_restart", "transactions_per_day", "$comment"],
  );
  const treasury = place.member("treasury_address");
  const mayRestart = place.member("may_restart");
  const perDay = place.member("transactions_per_day");
  const limits = place.member("limits").items().map(limitOf);
  refuseDoubles(place, limits);
  return {
    treasuryAddress: treasury.isMissing ? null : addressOf(treasury),
    gas: {
      perTransactionRaw: amountOf(place.member("gas_per_transaction_raw")),
      perDayRaw: amountOf(place.member("gas_per_day_raw")),
    },
    mayRestart: mayRestart.isMissing ? false : mayRestart.flag(),
    numbersPerDay: perDay.isMissing ? numbersPerDayStandard : countOf(perDay),
    limits,
  };
}

function limitOf(place: Place): AssetLimit {
  const names = ["account", "contract_address", "per_transaction_raw", "per_day_raw"];
  place.members(names, ["$comment"]);
  const contract = place.member("contract_address");
  const isForOthers = contract.value === "any";
  const isNamed = contract.value !== null && !isForOthers;
  return {
    role: place.member("account").oneOf(roles),
    contractAddress: isNamed ? addressOf(contract) : null,
    isForOthers,
    ...amountsOf(place),
  };
}

function amountsOf(place: Place): AmountLimit {
  return {
    perTransactionRaw: amountOf(place.member("per_transaction_raw")),
    perDayRaw: amountOf(place.member("per_day_raw")),
  };
}

/** Which of two would count is nothing to guess about. */
function refuseDoubles(place: Place, limits: readonly AssetLimit[]): void {
  const seen = new Set<string>();
  for (const [at, { role, contractAddress, isForOthers }] of limits.entries()) {
    const name = `${role} ${isForOthers ? "others" : (contractAddress ?? "coin")}`;
    if (seen.has(name)) {
      const { pointer, problems } = place.member("limits");
      problems.push({
        pointer: `${pointer}/${at}`,
        message: "names what an entry before it names",
      });
    }
    seen.add(name);
  }
}

function amountOf(place: Place): bigint | null {
  if (place.value === "unlimited") return null;
  const hint = 'a whole number of the smallest unit in a text, or "unlimited"';
  const text = place.text(/^(?:0|[1-9][0-9]{0,77})$/, hint);
  return BigInt(text === "" ? 0 : text);
}

function countOf(place: Place): bigint {
  return BigInt(place.text(/^[1-9][0-9]{0,8}$/, "a whole number in a text, 1 to 999999999") || 0);
}

function addressOf(place: Place): string {
  const text = place.text(/^0x[0-9a-fA-F]{40}$/, "an address");
  if (text === "") return text;
  const checked = checksumAddress(text);
  if (text !== text.toLowerCase() && text !== checked) {
    place.refuse("has a wrong checksum: a letter is mistyped");
  }
  return checked;
}
