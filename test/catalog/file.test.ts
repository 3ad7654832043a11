import { describe, expect, test } from "vitest";
import { checkCatalogFile, parseCatalogFile } from "../../service/catalog/file.ts";
import { edited, separator, soundFile, usdcOnBase, type Json } from "./file-fixture.ts";

function problemsOf(value: unknown): readonly string[] {
  return checkCatalogFile(value).problems.map(({ pointer, message }) => `${pointer}  ${message}`);
}

const usdc = "/currencies/0";
const token = `${usdc}/deployments/0`;
const coin = "/currencies/1/deployments/0";
const [finality, eip3009, permit2] = [0, 1, 2].map((index) => `${token}/capabilities/${index}`);

/** What is written where, and the only problem that it must give there. */
const places: readonly (readonly [string, string, unknown, string])[] = [
  ["another format", "/format", 2, "must be a whole number from 1 to 1"],
  ["currencies as an object", "/currencies", {}, "must be a list"],
  ["no currencies", "/currencies", undefined, "is missing"],
  [
    "a member it does not know",
    "/version",
    7,
    "is not known here; there are format, currencies, $schema, note",
  ],
  [
    "a member with a typing error",
    `${token}/decimal`,
    6,
    "is not known here; there are id, chain_id, chain_family, is_test_network, asset_kind, asset_locator, token_standard, contract_address, decimals, listing_status, deposit_enabled, withdrawal_enabled, capabilities, note",
  ],
  ["an id without its prefix", `${usdc}/id`, "usdc", 'must be an id such as "cur_usdc"'],
  ["a code with a space", `${usdc}/code`, "US DC", 'must be a code such as "USDC"'],
  ["an empty name", `${usdc}/name`, "", 'must be a name such as "USD Coin"'],
  ["decimals as text", `${usdc}/accounting_decimals`, "2", "must be a whole number from 0 to 36"],
  [
    "a chain by its name",
    `${token}/chain_id`,
    "base",
    'must be an EVM chain by its CAIP-2 name, such as "eip155:8453"',
  ],
  ["another chain family", `${token}/chain_family`, "tron", "must be evm in this release"],
  [
    "a token standard of another chain",
    `${token}/token_standard`,
    "spl",
    "must be erc20 for a token asset of an EVM chain",
  ],
  [
    "an address that is too short",
    `${token}/contract_address`,
    "0x833589",
    "must be an address, 0x and 40 hex digits",
  ],
  [
    "a token without a contract",
    `${token}/contract_address`,
    null,
    "must be an address, 0x and 40 hex digits",
  ],
  [
    "a locator of another chain",
    `${token}/asset_locator`,
    `eip155:1/erc20:${usdcOnBase}`,
    `must agree with chain_id and contract_address; write "eip155:8453/erc20:${usdcOnBase}"`,
  ],
  [
    "a coin with a contract",
    `${coin}/contract_address`,
    usdcOnBase,
    "must be null: a native coin has no contract",
  ],
  ["a coin with other decimals", `${coin}/decimals`, 6, "must be 18 for the coin of an EVM chain"],
  [
    "a coin with a locator of another chain",
    `${coin}/asset_locator`,
    "eip155:10/slip44:60",
    'must be the coin of the chain, such as "eip155:1/slip44:60"',
  ],
  ["decimals beyond what fits", `${token}/decimals`, 78, "must be a whole number from 0 to 77"],
  ["a flag as text", `${token}/withdrawal_enabled`, "yes", "must be true or false"],
  ["a coin that does not say its contract", `${coin}/contract_address`, undefined, "is missing"],
  ["a deployment without its decimals", `${token}/decimals`, undefined, "is missing"],
  [
    "no confirmations",
    `${finality}/parameters/confirmations`,
    0,
    "must be a whole number from 1 to 100000",
  ],
  [
    "another rule of finality",
    `${finality}/parameters/rule`,
    "fast",
    "must be one of depth, safe, finalized",
  ],
  [
    "a raw amount as a number",
    `${finality}/parameters/high_value_raw`,
    1000,
    'must be a raw amount in text, digits only and at most 2^256-1, such as "10000000000"',
  ],
  [
    "a raw amount over 2^256-1",
    `${finality}/parameters/high_value_raw`,
    "9".repeat(78),
    'must be a raw amount in text, digits only and at most 2^256-1, such as "10000000000"',
  ],
  [
    "a delivery of finality",
    `${finality}/delivery`,
    { mode: "native" },
    "must be null for finality",
  ],
  [
    "a domain separator in capitals",
    `${eip3009}/parameters/domain_separator`,
    separator.toUpperCase(),
    "must be 0x and 64 lower-case hex digits",
  ],
  [
    "a least amount that is no raw one",
    `${eip3009}/parameters/least_raw`,
    "0.01",
    'must be a raw amount in text, digits only and at most 2^256-1, such as "10000000000"',
  ],
  [
    "a delivery mode that the key has not",
    `${eip3009}/delivery/mode`,
    "contract",
    "must be native or relayed for eip3009",
  ],
  [
    "a contract where none is called",
    `${eip3009}/delivery/contract_address`,
    usdcOnBase,
    "is not known here; there are mode",
  ],
  [
    "a delivery by contract without it",
    `${permit2}/delivery/contract_address`,
    undefined,
    "is missing",
  ],
  [
    "a wrong letter in an address",
    `${permit2}/delivery/contract_address`,
    "0x000000000022D473030F116dDEE9F6B43aC78Ba3",
    'has a wrong checksum (EIP-55). Compare it with its source; as spelled it would be "0x000000000022D473030F116dDEE9F6B43aC78BA3"',
  ],
  ["the same currency twice", "/currencies/1/id", "cur_usdc", `this id is taken, see ${usdc}/id`],
  [
    "the same deployment id twice",
    `${coin}/id`,
    "dep_usdc_base",
    `this id is taken, see ${token}/id`,
  ],
];

/** What is written in several places, or is a problem of another one. */
const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  [
    "an asset class that is none",
    { [`${usdc}/asset_class`]: "fiat", [`${usdc}/is_usd_stablecoin`]: false },
    `${usdc}/asset_class  must be one of coin, stablecoin, token`,
  ],
  [
    "a dollar that is no stablecoin",
    { [`${usdc}/asset_class`]: "token" },
    `${usdc}/is_usd_stablecoin  must be false unless asset_class is stablecoin`,
  ],
  [
    "deposits for a disabled currency",
    { [`${usdc}/status`]: "disabled" },
    `${token}/deposit_enabled  must be false, since the currency is disabled`,
  ],
  [
    "an address without a checksum",
    {
      [`${token}/contract_address`]: usdcOnBase.toLowerCase(),
      [`${token}/asset_locator`]: `eip155:8453/erc20:${usdcOnBase.toLowerCase()}`,
    },
    `${token}/contract_address  must have its checksum (EIP-55); write "${usdcOnBase}"`,
  ],
  [
    "deposits while delisting",
    { [`${token}/listing_status`]: "delisting" },
    `${token}/deposit_enabled  must be false while it is delisting`,
  ],
  [
    "no withdrawals while delisting",
    {
      [`${token}/listing_status`]: "delisting",
      [`${token}/deposit_enabled`]: false,
      [`${token}/withdrawal_enabled`]: false,
    },
    `${token}/withdrawal_enabled  must be true while it is delisting, so that balances can leave`,
  ],
  [
    "withdrawals of what is delisted",
    { [`${token}/listing_status`]: "delisted", [`${token}/deposit_enabled`]: false },
    `${token}/withdrawal_enabled  must be false once it is delisted`,
  ],
  [
    "deposits without finality",
    { [`${coin}/capabilities`]: [] },
    `${coin}/deposit_enabled  must be false without the capability finality, supported, in the scope deposit`,
  ],
  [
    "a capability that is none",
    { [`${finality}/key`]: "speed", [`${token}/deposit_enabled`]: false },
    `${finality}/key  must be one of finality, eip3009, permit2, permit2_upto_proxy, eip2612, erc681_uri, transfer_fee, blocklist, pausable`,
  ],
  [
    "a scope that the key has not",
    { [`${finality}/scope`]: "x402", [`${token}/deposit_enabled`]: false },
    `${finality}/scope  must be deposit or withdrawal for finality`,
  ],
  [
    "a domain name that is not the contract's",
    { [`${eip3009}/parameters/domain_name`]: "USDC" },
    `${eip3009}/parameters/domain_separator  does not follow from name, version, chain and contract; these give "0xe824be45ff6ee69e5f9486cef877c2a7f3c987b25b91038a372bb1c70646a3d7"`,
  ],
  [
    "a proxy without an address",
    { [`${permit2}/parameters`]: {} },
    `${permit2}/parameters/address  is missing`,
  ],
  [
    "a token that keeps a part and is offered for x402",
    {
      [`${eip3009}/status`]: "supported",
      [`${permit2}/scope`]: "deposit",
      ...transferFee(permit2),
    },
    `${token}/capabilities  with transfer_fee nothing of the scope x402 can be supported; make one unsupported`,
  ],
  [
    "a coin that keeps a part",
    { [`${coin}/capabilities/1`]: feeCapability() },
    `${coin}/capabilities  a native coin has no transfer_fee`,
  ],
  [
    "the same capability twice",
    {
      [`${permit2}/key`]: "eip3009",
      [`${permit2}/parameters`]: soundParameters(),
      [`${permit2}/delivery`]: { mode: "native" },
    },
    `${permit2}  scope and key are taken, see ${eip3009}`,
  ],
];

function transferFee(place: string | undefined): Json {
  return {
    [`${place}/key`]: "transfer_fee",
    [`${place}/status`]: "unverified",
    [`${place}/parameters`]: {},
    [`${place}/delivery`]: null,
  };
}

function feeCapability(): Json {
  return {
    scope: "withdrawal",
    key: "transfer_fee",
    status: "supported",
    parameters: {},
    delivery: null,
  };
}

function soundParameters(): Json {
  return { domain_name: "USD Coin", domain_version: "2", domain_separator: separator };
}

describe("a catalog file", () => {
  test("is accepted when it is sound", () => {
    expect(problemsOf(soundFile())).toEqual([]);
    const { currencies } = checkCatalogFile(soundFile());
    expect(currencies[0]?.deployments[0]).toMatchObject({
      id: "dep_usdc_base",
      chainId: "eip155:8453",
      isDepositEnabled: true,
    });
  });

  test.each(places)("is refused with %s", (_, ...place) => {
    const [pointer, value, message] = place;
    expect(problemsOf(edited({ [pointer]: value }))).toEqual([`${pointer}  ${message}`]);
  });

  test.each(cases)("is refused with %s", (_, changes, problem) => {
    expect(problemsOf(edited(changes))).toEqual([problem]);
  });

  test("is refused with a second deployment of a currency on one chain", () => {
    const file = soundFile();
    // `soundFile` has it.
    const deployments = file.currencies[1]?.["deployments"] as Json[];
    deployments.push({ ...deployments[0], id: "dep_eth_again", is_test_network: true });
    expect(problemsOf(file)).toEqual([
      "/currencies/1/deployments/1/chain_id  the currency is on this chain already, see /currencies/1/deployments/0/chain_id",
      "/currencies/1/deployments/1/asset_locator  this asset is listed already, see /currencies/1/deployments/0/asset_locator",
      "/currencies/1/deployments/1/is_test_network  must be the same for all of eip155:1, see /currencies/1/deployments/0/is_test_network",
    ]);
  });

  test.each([null, 1, "x", [], [{}]])("is refused when it is %j", (value) => {
    expect(problemsOf(value)).toContain("  must be an object");
  });

  test("is refused with every problem at once, each with its place", () => {
    const text = JSON.stringify(
      edited({ [`${usdc}/id`]: 7, [`${token}/decimals`]: -1, [`${coin}/chain_id`]: "eip155:01" }),
    );
    expect(() => parseCatalogFile(text, "mine.json")).toThrow(
      [
        "mine.json cannot be used:",
        `  ${usdc}/id  must be an id such as "cur_usdc"`,
        `  ${token}/decimals  must be a whole number from 0 to 77`,
        `  ${coin}/chain_id  must be an EVM chain by its CAIP-2 name, such as "eip155:8453"`,
      ].join("\n"),
    );
  });

  test("is refused when it is not JSON", () => {
    expect(() => parseCatalogFile("{", "mine.json")).toThrow(/^mine\.json is not JSON: /u);
  });

  test("is refused when an acceptance of all of it would not fit into an event", () => {
    const file = soundFile();
    const one = file.currencies[1] ?? {};
    file.currencies = Array.from({ length: 400 }, (_, index) => ({
      ...one,
      id: `cur_${"x".repeat(40)}${index}`,
      deployments: [],
    }));
    expect(problemsOf(file)).toEqual([
      expect.stringMatching(/^\/currencies {2}must take at most 18000 bytes/u),
    ]);
  });
});
