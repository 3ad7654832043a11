// The capabilities of a deployment in a catalog file: what each key may stand for, with which
// parameters, and how it is delivered.

import {
  capabilityKeys,
  capabilityScopes,
  capabilityStatuses,
  deliveryModes,
  type Capability,
  type CapabilityKey,
  type Delivery,
} from "./model.ts";
import type { Place } from "./checked-json.ts";
import { checksumAddress, domainSeparator, hasEvmAddressForm } from "../evm-address.ts";

/** What the parameters of a capability have to agree with. */
export interface CapabilityOwner {
  /** null when it is not an EVM chain, or its name was refused */
  readonly chainNumber: bigint | null;
  /** null for a native coin, or when the address was refused */
  readonly contractAddress: string | null;
}

interface KeyRule {
  readonly scopes: readonly Capability["scope"][];
  /** none: delivery is null */
  readonly modes: readonly Delivery["mode"][];
  readonly parameters: (place: Place, owner: CapabilityOwner) => Capability["parameters"];
}

const rawAmountMax = 2n ** 256n - 1n;

const flow = ["deposit", "withdrawal"] as const;
const authorization = ["x402", "subscription"] as const;

// Our choice: the interface names the keys only; what they mean where is decided here.
const rules: Readonly<Record<CapabilityKey, KeyRule>> = {
  finality: { scopes: flow, modes: [], parameters: readFinality },
  eip3009: { scopes: authorization, modes: ["native", "relayed"], parameters: readDomain },
  eip2612: { scopes: authorization, modes: ["native", "relayed"], parameters: readDomain },
  permit2: { scopes: authorization, modes: ["contract"], parameters: readProxy },
  permit2_upto_proxy: { scopes: ["x402"], modes: ["contract"], parameters: readProxy },
  erc681_uri: { scopes: ["deposit"], modes: [], parameters: readNone },
  transfer_fee: { scopes: flow, modes: [], parameters: readNone },
  blocklist: { scopes: flow, modes: [], parameters: readNone },
  pausable: { scopes: flow, modes: [], parameters: readNone },
};

export function readCapability(place: Place, owner: CapabilityOwner): Capability {
  place.members(["scope", "key", "status", "parameters", "delivery"], ["note"]);
  const scope = place.member("scope").oneOf(capabilityScopes);
  const status = place.member("status").oneOf(capabilityStatuses);
  let key: CapabilityKey = capabilityKeys[0];
  const isKeySound = place.isSound(() => {
    key = place.member("key").oneOf(capabilityKeys);
  });
  // Without a key nothing can be said about the rest.
  if (!isKeySound || place.member("key").isMissing) {
    return { scope, key, status, parameters: {}, delivery: null };
  }
  const rule = rules[key];
  if (!rule.scopes.includes(scope)) {
    place.member("scope").refuse(`must be ${rule.scopes.join(" or ")} for ${key}`);
  }
  const parameters = {
    ...rule.parameters(place.member("parameters"), owner),
    ...readLeast(place.member("parameters"), scope),
  };
  const delivery = readDelivery(place.member("delivery"), key, rule.modes);
  return { scope, key, status, parameters, delivery };
}

function readFinality(place: Place): Capability["parameters"] {
  place.members(["confirmations", "rule", "high_value_raw"]);
  return {
    confirmations: place.member("confirmations").integer(1, 100_000),
    rule: place.member("rule").oneOf(["depth", "safe", "finalized"]),
    high_value_raw: readRawAmount(place.member("high_value_raw")),
  };
}

function readRawAmount(place: Place): string {
  const hint = 'a raw amount in text, digits only and at most 2^256-1, such as "10000000000"';
  const text = place.text(/^(0|[1-9][0-9]{0,77})$/u, hint);
  if (text !== "" && BigInt(text) > rawAmountMax) place.refuse(`must be ${hint}`);
  return text;
}

/** What is too little to be settled: in raw units, and what a whole coin of the chain is worth in them. */
const leastMembers = ["least_raw", "raw_per_coin"] as const;

function readLeast(place: Place, scope: Capability["scope"]): Capability["parameters"] {
  const given = leastMembers.filter((name) => !place.member(name).isMissing);
  if (scope !== "x402") for (const name of given) place.member(name).refuse("is for x402 only");
  return Object.fromEntries(given.map((name) => [name, readRawAmount(place.member(name))]));
}

/** The separator is derived from the rest, so a wrong name or version cannot slip through. */
function readDomain(place: Place, owner: CapabilityOwner): Capability["parameters"] {
  place.members(["domain_name", "domain_version", "domain_separator"], leastMembers);
  const shown = (name: string, example: string): string =>
    place.member(name).text(/^.{1,100}$/u, `what the contract answers, such as "${example}"`);
  const parameters = {
    domain_name: shown("domain_name", "USD Coin"),
    domain_version: shown("domain_version", "2"),
    domain_separator: place
      .member("domain_separator")
      .text(/^0x[0-9a-f]{64}$/u, "0x and 64 lower-case hex digits"),
  };
  const { chainNumber, contractAddress } = owner;
  if (chainNumber === null || contractAddress === null) return parameters;
  const [name, version] = [parameters.domain_name, parameters.domain_version];
  if (name === "" || version === "" || parameters.domain_separator === "") return parameters;
  const expected = domainSeparator({ name, version, chainNumber, contractAddress });
  if (expected !== parameters.domain_separator) {
    place
      .member("domain_separator")
      .refuse(`does not follow from name, version, chain and contract; these give "${expected}"`);
  }
  return parameters;
}

function readProxy(place: Place): Capability["parameters"] {
  place.members(["address"], leastMembers);
  return { address: readContract(place.member("address")) };
}

function readNone(place: Place): Capability["parameters"] {
  place.members([]);
  return {};
}

function readDelivery(
  place: Place,
  key: CapabilityKey,
  modes: readonly Delivery["mode"][],
): Delivery | null {
  if (modes.length === 0) {
    if (place.value !== null && !place.isMissing) place.refuse(`must be null for ${key}`);
    return null;
  }
  if (place.isMissing) return null;
  const isContract = modes.includes("contract");
  place.members(isContract ? ["mode", "contract_address"] : ["mode"]);
  const mode = place.member("mode").oneOf(deliveryModes);
  if (!modes.includes(mode)) {
    place.member("mode").refuse(`must be ${modes.join(" or ")} for ${key}`);
  }
  if (!isContract) return { mode };
  return { mode, contractAddress: readContract(place.member("contract_address")) };
}

/** An EVM address in its EIP-55 spelling: one wrong letter sends money to nobody. */
export function readContract(place: Place): string {
  const { value } = place;
  if (typeof value !== "string" || !hasEvmAddressForm(value)) {
    if (!place.isMissing) place.refuse("must be an address, 0x and 40 hex digits");
    return "";
  }
  const checked = checksumAddress(value);
  if (checked !== value) {
    const how =
      value === value.toLowerCase()
        ? `must have its checksum (EIP-55); write "${checked}"`
        : `has a wrong checksum (EIP-55). Compare it with its source; as spelled it would be "${checked}"`;
    place.refuse(how);
  }
  return value;
}
