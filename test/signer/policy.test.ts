// Threats 66 and 67: whoever has the web process can ask for signatures. What the signer's own rules
// let through, and what not.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SigningDesk } from "../../adapters/signer/desk.ts";
import { Journal } from "../../adapters/signer/journal.ts";
import { JournaledUsage } from "../../adapters/signer/usage.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { addressOf } from "../support/scripted-signer.ts";
import {
  authorizationOf,
  chainId,
  customer,
  day,
  domain,
  gwei,
  intentOf,
  limits,
  noon,
  noonClock,
  mend,
  type OpenedDesk,
  openDesk,
  permitOf,
  policyOf,
  settleOf,
  signature,
  token,
  transferOf,
  treasury,
} from "./desk.ts";

let folder: string;
let opened: OpenedDesk;
beforeEach(() => {
  folder = makeFolder();
  opened = openDesk(folder);
});
afterEach(async () => {
  opened.close();
  await endChildren();
});

/** "signed", or why not. */
async function outcome(intent: ActionIntent, chain = chainId): Promise<string> {
  try {
    await opened.desk.sign(chain, intent);
    return "signed";
  } catch (error) {
    if (error instanceof Error && error.name === "SignerRefusal") return error.message;
    throw error;
  }
}

const settlement = { role: "settlement" } as const;
const deposit = { role: "deposit", index: 7n } as const;
const thief = addressOf("a thief");
const fees = (maxFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas: 0n });

type Row = readonly [name: string, intent: () => ActionIntent, outcome: RegExp | "signed"];

const collectOf = (to: string, index = 7n, amountRaw = 100n): ActionIntent => {
  const from = opened.keys.addressOf({ role: "deposit", index: 7n });
  const authorization = authorizationOf({ from, to, amountRaw });
  return intentOf({
    account: settlement,
    action: { kind: "collect", index, domain, authorization },
  });
};

const transfers: readonly Row[] = [
  ["a withdrawal within the limits", () => intentOf(), "signed"],
  [
    "a withdrawal above the limit for one",
    () => intentOf({ action: transferOf({ amountRaw: 1001n }) }),
    /one transaction may move 1000 of .*, and this is 1001/,
  ],
  [
    "a token that no limit names",
    () => intentOf({ action: transferOf({ contractAddress: addressOf("another") }) }),
    /no limit names/,
  ],
  [
    "the coin has a limit of its own",
    () => intentOf({ action: transferOf({ contractAddress: null, amountRaw: 11n }) }),
    /one transaction may move 10 of the coin/,
  ],
  [
    "to an address of nobody",
    () => intentOf({ action: transferOf({ to: `0x${"0".repeat(40)}` }) }),
    /nobody owns/,
  ],
  ["a sweep to the hot account", () => sweepTo(opened.hotAddress), "signed"],
  ["a sweep to the treasury", () => sweepTo(treasury), "signed"],
  ["a sweep to a stranger", () => sweepTo(thief), /goes to the hot account or the treasury only/],
  ["a sweep to the settlement account", () => sweepTo(opened.settlementAddress), /goes to the hot/],
  ["a sweep by authorization", () => collectOf(opened.hotAddress), "signed"],
  ["a sweep by authorization to a stranger", () => collectOf(thief), /goes to the hot account/],
  [
    "a sweep from another address than it says",
    () => collectOf(opened.hotAddress, 8n),
    /not from deposit address 8/,
  ],
  [
    "a sweep by authorization from the hot account",
    () => ({ ...collectOf(opened.hotAddress), account: { role: "hot" } }),
    /signed by the account settlement/,
  ],
  [
    "a sweep of more than a day's",
    () => collectOf(opened.hotAddress, 7n, 9001n),
    /is used up: 0 of 9000/,
  ],
];

const sweepTo = (to: string): ActionIntent =>
  intentOf({ account: deposit, action: transferOf({ to }) });

const settling = (action: ActionIntent["action"]): ActionIntent =>
  intentOf({ account: settlement, action });
const own = (): string => opened.settlementAddress;

const settlements: readonly Row[] = [
  ["what pays us", () => settling(settleOf(authorizationOf({ to: own() }))), "signed"],
  ["what pays a stranger", () => settling(settleOf(authorizationOf({}))), /pays somebody else/],
  [
    "what pays the hot account",
    () => settling(settleOf(authorizationOf({ to: opened.hotAddress }))),
    /pays somebody else/,
  ],
  [
    "by the hot account",
    () => intentOf({ action: settleOf(authorizationOf({ to: own() })) }),
    /signed by the account settlement/,
  ],
  [
    "less than was signed by EIP-3009",
    () => settling(settleOf(authorizationOf({ to: own() }), 99n)),
    /only by upto/,
  ],
  [
    "of a token that no limit names",
    () => settling(settleOf(authorizationOf({ to: own(), contractAddress: thief }))),
    /no limit names/,
  ],
  [
    "upto, less than was signed",
    () => settling(settleOf(permitOf({ to: own(), facilitator: own() }), 40n)),
    "signed",
  ],
  [
    "upto, more than was signed",
    () => settling(settleOf(permitOf({ to: own(), facilitator: own() }), 101n)),
    /above what the payer has signed/,
  ],
  [
    "upto for nobody in particular",
    () => settling(settleOf(permitOf({ to: own() }))),
    /another fac/,
  ],
  [
    "upto for another facilitator",
    () => settling(settleOf(permitOf({ to: own(), facilitator: thief }))),
    /another facilitator/,
  ],
  [
    "by a proxy of the payer's own",
    () => settling(settleOf(permitOf({ to: own(), facilitator: own(), spender: thief }))),
    /not the x402 proxy of upto/,
  ],
  ["exact for anybody", () => settling(settleOf(permitOf({ ...exact, to: own() }))), "signed"],
  [
    "exact, less than was signed",
    () => settling(settleOf(permitOf({ ...exact, to: own() }), 99n)),
    /only by upto/,
  ],
  [
    "a signature of a form that no token takes",
    () => {
      const signed = { authorization: authorizationOf({ to: own() }), domain };
      const high = signature.replaceAll("2", "f");
      return settling({ kind: "settle", signed: { ...signed, signature: high }, amountRaw: 100n });
    },
    /no token takes/,
  ],
];

const exact = {
  scheme: "exact",
  spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
} as const;

const gas: readonly Row[] = [
  [
    "at the limit for one",
    () => intentOf({ gasUnitsMax: 200_000n, fees: fees(50n * gwei) }),
    "signed",
  ],
  [
    "a little above it",
    () => intentOf({ gasUnitsMax: 200_001n, fees: fees(50n * gwei) }),
    /gas may cost/,
  ],
  ["fewer units than anything takes", () => intentOf({ gasUnitsMax: 20_999n }), /is not within/],
  [
    "more units than anything of ours takes",
    () => intentOf({ gasUnitsMax: 5_000_001n, fees: fees(1n) }),
    /is not within/,
  ],
  [
    "a priority fee above the whole",
    () => intentOf({ fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n } }),
    /priority fee/,
  ],
];

describe.each([
  ["transfers and sweeps", transfers],
  ["settlements", settlements],
  ["gas", gas],
] as const)("%s", (_name, rows) => {
  test.each(rows)("%s", async (_row, intent, expected) => {
    const result = await outcome(intent());
    if (expected === "signed") expect(result).toBe("signed");
    else expect(result).toMatch(expected);
  });
});

describe("days", () => {
  const withdrawal = (nonce: bigint, amountRaw: bigint, gasPrice = 10n * gwei): ActionIntent =>
    intentOf({ nonce, action: transferOf({ amountRaw }), fees: fees(gasPrice) });

  test("the limit counts what was signed in the last 24 hours, whatever the calendar says", async () => {
    for (const nonce of [0n, 1n]) expect(await outcome(withdrawal(nonce, 1000n))).toBe("signed");
    expect(await outcome(withdrawal(2n, 501n))).toMatch(/2000 of 2500 are used.*add 501/);
    expect(await outcome(withdrawal(2n, 500n))).toBe("signed");
    // Not twice around midnight, nor early the next day.
    for (const later of [noon + day / 2 - 1, noon + day / 2, noon + day - 1]) {
      opened.time.now = later;
      expect(await outcome(withdrawal(3n, 1n))).toMatch(
        /limit of 24 hours .*2500 of 2500 are used/,
      );
    }
    opened.time.now = noon + day + 600_000;
    expect(await outcome(withdrawal(3n, 1000n))).toBe("signed");
  });

  test("a clock that goes back gives no second day", async () => {
    expect(await outcome(withdrawal(0n, 1000n))).toBe("signed");
    expect(await outcome(withdrawal(1n, 1000n))).toBe("signed");
    opened.time.now = noon - 3 * day;
    expect(await outcome(withdrawal(2n, 1000n))).toMatch(/2000 of 2500 are used/);
  });

  test("the limit survives a restart, within the 24 hours and after them", async () => {
    for (const nonce of [0n, 1n]) await outcome(withdrawal(nonce, 1000n));
    for (let restart = 0; restart < 3; restart++) {
      opened.close();
      opened = openDesk(folder);
      expect(await outcome(withdrawal(2n, 501n))).toMatch(/2000 of 2500/);
    }
    opened.time.now = noon + day + 600_000;
    expect(await outcome(withdrawal(2n, 1000n))).toBe("signed");
    opened.close();
    opened = openDesk(folder);
    opened.time.now = noon + day + 600_000;
    for (const [nonce, result] of [
      [3n, /^signed$/],
      [4n, /2000 of 2500/],
    ] as const) {
      expect(await outcome(withdrawal(nonce, 1000n))).toMatch(result);
    }
  });

  test("gas of a day counts for all accounts of a chain", async () => {
    for (let nonce = 0n; nonce < 10n; nonce++) await outcome(withdrawal(nonce, 1n));
    for (let nonce = 0n; nonce < 10n; nonce++) {
      const action = settleOf(authorizationOf({ to: opened.settlementAddress }));
      expect(await outcome(intentOf({ account: settlement, nonce, action }))).toBe("signed");
    }
    expect(await outcome(withdrawal(10n, 1n))).toMatch(/the gas of 24 hours .* is used up/);
  });

  test("requests at once count each other", async () => {
    const wishes = Array.from({ length: 10 }, (_, at) => outcome(withdrawal(BigInt(at), 1000n)));
    const results = await Promise.all(wishes);
    expect(results.filter((result) => result === "signed")).toHaveLength(2);
  });
});

describe("numbers", () => {
  test("one belongs to what it was signed for: another recipient, token or amount is refused", async () => {
    expect(await outcome(intentOf())).toBe("signed");
    for (const action of [
      transferOf({ to: thief }),
      transferOf({ amountRaw: 99n }),
      transferOf({ contractAddress: null, amountRaw: 1n }),
    ]) {
      expect(await outcome(intentOf({ action }))).toMatch(
        /number 0 .* was signed for something else/,
      );
    }
    opened.close();
    opened = openDesk(folder);
    expect(await outcome(intentOf({ action: transferOf({ to: thief }) }))).toMatch(
      /something else/,
    );
  });

  test("a replacement with other fees counts its amount once, and of its gas the largest", async () => {
    const full = transferOf({ amountRaw: 1000n });
    for (let round = 0n; round < 10n; round++) {
      const intent = intentOf({ action: full, fees: fees((10n + round) * gwei) });
      expect(await outcome(intent)).toBe("signed");
    }
    expect(opened.usage.gasRaw(noon, chainId)).toBe(100_000n * 19n * gwei);
    const asset = { chainId, role: "hot", contractAddress: token.toLowerCase() } as const;
    expect(opened.usage.amountRaw(noon, asset)).toBe(1000n);
    // Lower again: those bytes are out there already.
    expect(await outcome(intentOf({ action: full, fees: fees(gwei) }))).toBe("signed");
    expect(opened.usage.gasRaw(noon, chainId)).toBe(100_000n * 19n * gwei);
  });

  test("a replacement is signed even when the day is used up, if its gas is not", async () => {
    for (let nonce = 0n; nonce < 2n; nonce++) {
      await outcome(intentOf({ nonce, action: transferOf({ amountRaw: 1000n }) }));
    }
    await outcome(intentOf({ nonce: 2n, action: transferOf({ amountRaw: 500n }) }));
    const again = { action: transferOf({ amountRaw: 1000n }), fees: fees(12n * gwei) };
    expect(await outcome(intentOf(again))).toBe("signed");
  });

  test("one that was given up can be used for nothing, and never for something else", async () => {
    await outcome(intentOf());
    const nothing = { to: opened.hotAddress, contractAddress: null, amountRaw: 0n };
    expect(await outcome(intentOf({ action: transferOf(nothing) }))).toBe("signed");
    expect(await outcome(intentOf({ action: transferOf({ to: thief }) }))).toMatch(
      /something else/,
    );
    expect(await outcome(intentOf())).toBe("signed");
  });

  test("only an operator can free one, and that is remembered", async () => {
    await outcome(intentOf());
    expect(opened.usage.release({ chainId, account: "hot", nonce: 0n }, mend)).toBe(true);
    expect(opened.usage.release({ chainId, account: "hot", nonce: 1n }, mend)).toBe(false);
    opened.close();
    opened = openDesk(folder);
    expect(await outcome(intentOf({ action: transferOf({ to: customer, amountRaw: 5n }) }))).toBe(
      "signed",
    );
  });

  test("what is too old to be remembered is refused", async () => {
    const { close, journal, keys } = opened;
    close();
    const reopen = (): void => {
      const usage = new JournaledUsage(Journal.open(journal), opened.hotAddress, { numbersMax: 4 });
      const desk = new SigningDesk({ keys, policy: policyOf(), usage, clock: noonClock });
      opened = { ...opened, desk, usage, close: () => undefined };
    };
    reopen();
    for (const nonce of [0n, 1n, 2n, 3n, 4n]) await outcome(intentOf({ nonce }));
    expect(await outcome(intentOf({ nonce: 0n }))).toMatch(/too old/);
    expect(await outcome(intentOf({ nonce: 5n }))).toBe("signed");
    for (let restart = 0; restart < 2; restart++) {
      expect(await outcome(intentOf({ nonce: 1n }))).toMatch(/too old/);
      const other = transferOf({ amountRaw: 7n });
      expect(await outcome(intentOf({ nonce: 2n, action: other }))).toMatch(/something else/);
      reopen();
    }
    expect(await outcome(intentOf({ nonce: 6n }))).toBe("signed");
  });

  test("on a chain that may begin anew a number may be signed for something else", async () => {
    opened.close();
    opened = openDesk(folder, policyOf({ ...limits, may_restart: true }));
    expect(await outcome(intentOf())).toBe("signed");
    expect(await outcome(intentOf({ action: transferOf({ amountRaw: 7n }) }))).toBe("signed");
  });
});

describe("chains", () => {
  test("nothing is signed for one that no policy names", async () => {
    expect(await outcome(intentOf(), "eip155:1")).toMatch(/no policy names eip155:1/);
  });

  test("without a file there are test networks, and no main network", async () => {
    const { defaultPolicy } = await import("../../adapters/signer/policy-file.ts");
    opened.close();
    opened = openDesk(folder, defaultPolicy);
    expect(await outcome(intentOf(), "eip155:31337")).toBe("signed");
    expect(await outcome(intentOf(), "eip155:84532")).toBe("signed");
    for (const main of ["eip155:1", "eip155:10", "eip155:137", "eip155:8453", "eip155:42161"]) {
      expect(await outcome(intentOf(), main)).toMatch(/no policy names/);
    }
  });
});
