// Whatever comes in on the socket, the signer goes on, and says nothing of what it holds or of what
// it was sent (threat 66).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerLine,
  parseAnswer,
  parseRequest,
  requestBytesMax,
  requestLine,
} from "../../adapters/signer-client/protocol.ts";
import type { SignerAnswer } from "../../adapters/signer-client/protocol.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { endChildren } from "../programs/child.ts";
import {
  authorizationOf,
  chainId,
  domain,
  intentOf,
  permitOf,
  settleOf,
  transferOf,
} from "./desk.ts";
import { exchange, type SignerProcess, startSigner } from "./process.ts";

let signer: SignerProcess;
let secrets: readonly string[];
beforeAll(async () => {
  signer = await startSigner();
  const seed = readFileSync(join(signer.folder, "seed"), "utf8").trim();
  secrets = [seed, Buffer.from(seed, "hex").toString("base64"), "xprv"];
});
afterAll(endChildren);

const accountsLine = '{"id":1,"ask":"accounts"}\n';

/** It answers still, and neither an answer nor its log holds a secret. */
async function expectHealthy(answers: string): Promise<void> {
  expect(await exchange(signer.socketPath, accountsLine)).toMatch(/^\{"id":1,"accounts":\{/);
  const said = answers + signer.output() + signer.errors();
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  expect(said).not.toContain("    at ");
}

const intents: readonly (readonly [string, ActionIntent])[] = [
  ["a token", intentOf()],
  ["the coin", intentOf({ action: transferOf({ contractAddress: null }) })],
  ["a deposit address", intentOf({ account: { role: "deposit", index: 2n ** 31n - 1n } })],
  ["EIP-3009", intentOf({ action: settleOf(authorizationOf({})) })],
  ["Permit2", intentOf({ action: settleOf(permitOf({}), 7n) })],
  [
    "a sweep",
    intentOf({
      action: { kind: "collect", index: 7n, domain, authorization: authorizationOf({}) },
    }),
  ],
];

describe("requests", () => {
  test.each(intents)("%s arrives as it was asked for", (_name, intent) => {
    const line = requestLine({ id: 7, ask: "sign", chainId, intent });
    expect(parseRequest(line)).toEqual({ id: 7, ask: "sign", chainId, intent });
    expect(line.length).toBeLessThan(requestBytesMax / 4);
  });

  test("an action is read in the order of members that the journal's hashes are of", () => {
    const authorized = "method,contractAddress,from,amountRaw,validAfter,nonce,to,validBefore";
    const permitted =
      "method,contractAddress,from,to,amountRaw,validAfter,nonce,spender,scheme,deadline,facilitator";
    const orders = intents.map(([, intent]) => {
      const request = parseRequest(requestLine({ id: 7, ask: "sign", chainId, intent }));
      if (request.ask !== "sign") throw new Error("another request");
      return namesOf(request.intent.action);
    });
    expect(orders.slice(2)).toEqual([
      "kind,to,contractAddress,amountRaw",
      `kind,signed(authorization(${authorized}),domain(name,version),signature),amountRaw`,
      `kind,signed(authorization(${permitted}),domain,signature),amountRaw`,
      `kind,index,domain(name,version),authorization(${authorized})`,
    ]);
  });

  test("what no signer takes is not sent, and the message has the place and no value", () => {
    const intent = intentOf({ nonce: 2n ** 53n, action: transferOf({ to: "0xnobody" }) });
    expect(() => requestLine({ id: 7, ask: "sign", chainId, intent })).toThrow(
      "/intent/nonce is too large; /intent/action/to must be an address",
    );
  });

  const line = requestLine({ id: 9, ask: "sign", chainId, intent: intentOf() });

  test.each([
    ["a number that is one", '"nonce":"0"', '"nonce":0', "/intent/nonce"],
    ["a number that is none", '"nonce":"0"', '"nonce":"one"', "/intent/nonce"],
    ["a number with a sign", '"nonce":"0"', '"nonce":"-1"', "/intent/nonce"],
    ["a number with a zero before it", '"nonce":"0"', '"nonce":"00"', "/intent/nonce"],
    ["a number in hex", '"nonce":"0"', '"nonce":"0x0"', "/intent/nonce"],
    ["a number above a word", '"100"', `"${2n ** 256n}"`, "/intent/action/amount_raw is too large"],
    ["an account nobody has", '"hot"', '"cold"', "/intent/account/role"],
    ["an action nobody knows", '"transfer"', '"approve"', "/intent/action/kind"],
    ["something more", '"nonce":', '"data":"0x","nonce":', "/intent/data is not known here"],
    ["something less", '"nonce":"0",', "", "/intent/nonce is missing"],
    ["a name of every object", '"nonce":', '"__proto__":{},"nonce":', "is not known here"],
    ["another family's chain", '"eip155:8453"', '"solana:mainnet"', "/chain_id"],
    ["a checksum that is wrong", "0x", "0X", "/intent/action/to must be an address"],
  ])("with %s it is refused, with its place and without its value", async (...row) => {
    const [, found, instead, place] = row;
    expect(line).toContain(found);
    const answer = await exchange(signer.socketPath, `${line.replace(found, instead)}\n`);
    expect(answer).toMatch(/^\{"id":9,"error":\{"kind":"invalid","text":"\//);
    expect(answer).toContain(place);
  });

  test("an address with one letter in the wrong case is refused", async () => {
    const { to } = transferOf({});
    const at = to.search(/[a-f]/);
    const wrong = to.slice(0, at) + to.charAt(at).toUpperCase() + to.slice(at + 1);
    const answer = await exchange(signer.socketPath, `${line.replace(to, wrong)}\n`);
    expect(answer).toContain("/intent/action/to has a wrong checksum");
    expect(parseRequest(line.replace(to, to.toLowerCase()))).toEqual(parseRequest(line));
  });
});

/** Of all members, in their order. */
function namesOf(value: object): string {
  const names = Object.entries(value).map(([name, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null ? `${name}(${namesOf(inner)})` : name,
  );
  return names.join();
}

test("a claim ends with the last index there is, and no later", () => {
  const line = (first: bigint) => `{"id":9,"ask":"claim","first":"${first}","count":"1000"}`;
  const last = 2_147_482_648n;
  expect(parseRequest(line(last))).toMatchObject({ first: last, count: 1_000n });
  expect(() => parseRequest(line(last + 1n))).toThrow("/count is too large");
});

describe("answers", () => {
  const accounts = {
    hotAddress: transferOf({}).to,
    settlementAddress: transferOf({}).to,
    depositPublicKey: `xpub${"1".repeat(107)}`,
  };
  const signed = { txHash: `0x${"ab".repeat(32)}`, raw: Uint8Array.of(2, 255) };
  const answers: readonly (readonly [string, SignerAnswer])[] = [
    [`"deposit_public_key":"${accounts.depositPublicKey}"`, { id: 1, accounts }],
    ['"raw":"0x02ff"', { id: 2, signed }],
    ['"free_from":"2147483648"', { id: 3, freeFrom: 2n ** 31n }],
    ['"id":null,"error":{"kind":"invalid"', { id: null, error: { kind: "invalid", text: "no" } }],
  ];

  test.each(answers)("one with %s arrives as it was given", (part, answer) => {
    const line = answerLine(answer);
    expect(line).toContain(part);
    expect(parseAnswer(line)).toEqual(answer);
  });

  test.each([
    ['{"id":3,"free_from":"2147483649"}', "/free_from is too large"],
    ['{"id":3,"free_from":"1","more":1}', "/more is not known here"],
    ['{"id":null,"free_from":"1"}', "/id must be of type number"],
    ['{"id":2,"signed":{"tx_hash":"0x","raw":"0x02"}}', "/signed/tx_hash must be 32 bytes in hex"],
    ['{"id":2,"signed":{"raw":"0x"}}', "/signed/tx_hash is missing; /signed/raw must be bytes"],
    ['{"id":1,"error":{"kind":"bad","text":"no"}}', "/error/kind must be one of refused"],
  ])("%s is refused", (line, problem) => {
    expect(() => parseAnswer(line)).toThrow(problem);
  });
});

describe("what is no request", () => {
  test("random bytes and random JSON get one answer for each line, and no harm", async () => {
    const textLine = fc.string({ unit: "binary", maxLength: 200 });
    const jsonLine = fc.json({ maxDepth: 4 });
    const broken = fc.tuple(fc.nat(), fc.string({ maxLength: 3 })).map(([at, text]) => {
      const line = requestLine({ id: 1, ask: "sign", chainId, intent: intentOf() });
      const place = at % line.length;
      return line.slice(0, place) + text + line.slice(place + 1);
    });
    const lineOf = fc.oneof(textLine, jsonLine, broken).map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(fc.array(lineOf, { minLength: 1, maxLength: 20 }), async (lines) => {
        const sent = `${lines.join("\n")}\n`;
        const answers = await exchange(signer.socketPath, sent, lines.length);
        expect(answers.trimEnd().split("\n")).toHaveLength(lines.length);
        for (const answer of answers.trimEnd().split("\n")) JSON.parse(answer);
        await expectHealthy(answers);
      }),
      { numRuns: 60 },
    );
  });

  test("a line without an end is cut off, however slowly it comes", async () => {
    const huge = "x".repeat(requestBytesMax + 1);
    expect(await exchange(signer.socketPath, huge)).toBe("");
    expect(await exchange(signer.socketPath, `${huge}\n${accountsLine}`)).toBe("");
    expect(await exchange(signer.socketPath, `{"id":1,${" ".repeat(8_000_000)}`)).toBe("");
    await expectHealthy("");
  });

  test("a request of 16,384 characters is answered, and one more is too many", async () => {
    const [start, end] = ['{"id":1,"ask":"accounts"', "}"];
    const padded = (size: number): string =>
      `${start}${" ".repeat(size - start.length - end.length)}${end}\n`;
    expect(await exchange(signer.socketPath, padded(16_384))).toMatch(/^\{"id":1,"accounts":\{/);
    expect(await exchange(signer.socketPath, padded(16_385))).toBe("");
  });

  test("nothing of what comes with too much is signed", async () => {
    const asking = (amountRaw: bigint): string => {
      const intent = intentOf({ nonce: 0n, action: transferOf({ amountRaw }) });
      return requestLine({ id: 1, ask: "sign", chainId: "eip155:80002", intent });
    };
    const huge = "x".repeat(requestBytesMax + 1);
    expect(await exchange(signer.socketPath, `${asking(1n)}\n${huge}\n`)).toBe("");
    const other = await exchange(signer.socketPath, `${asking(2n)}\n`);
    expect(other).toMatch(/^\{"id":1,"signed":\{/);
  });

  test("more requests at once than anybody has are cut off", async () => {
    const answers = await exchange(signer.socketPath, accountsLine.repeat(5_000), 5_000);
    expect(answers.split("\n").length).toBeLessThan(5_000);
    await expectHealthy(answers);
  });

  test("a client that never reads its answers is cut off before they fill the memory", async () => {
    const { connect } = await import("node:net");
    const socket = connect(signer.socketPath);
    socket.on("error", () => undefined);
    socket.pause();
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // As many as may wait, each time when those before are answered: nothing tells us, so ask others.
    const rounds = { left: 200 };
    while (rounds.left > 0 && !socket.destroyed) {
      rounds.left -= 1;
      socket.write(accountsLine.repeat(500));
      await expectHealthy("");
    }
    expect(rounds.left).toBeGreaterThan(0);
    socket.destroy();
    await closed;
    expect(signer.output()).toContain("does not read its answers");
  });

  test("half a line waits for its other half", async () => {
    const { connect } = await import("node:net");
    const socket = connect(signer.socketPath);
    const answer = new Promise<string>((resolve) => {
      socket.setEncoding("utf8").once("data", (text: string) => resolve(text));
    });
    socket.write(accountsLine.slice(0, 10));
    await expectHealthy("");
    socket.write(accountsLine.slice(10));
    expect(await answer).toContain("hot_address");
    socket.destroy();
  });

  test("a client that goes away in the middle harms nobody", async () => {
    const { connect } = await import("node:net");
    for (let round = 0; round < 20; round++) {
      const socket = connect(signer.socketPath);
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      socket.write(requestLine({ id: 1, ask: "sign", chainId, intent: intentOf() }) + "\n{");
      socket.destroy();
    }
    await expectHealthy("");
  });
});
