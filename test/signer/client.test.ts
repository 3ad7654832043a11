// Asking for signatures from another process: connections that break, a signer that is away, hangs or
// is another one, and the signer as a child of the server.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parseTransaction, recoverTransactionAddress } from "viem";
import { systemClock } from "../../adapters/system/clock.ts";
import { compileCacheOf } from "../../adapters/assembly/chains.ts";
import { startSignerChild } from "../../adapters/signer-client/child.ts";
import { connectSigner, signerClientLimits } from "../../adapters/signer-client/client.ts";
import { SignerAway, SignerConnection } from "../../adapters/signer-client/connection.ts";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { chainId, customer, gwei, intentOf, token, transferOf } from "./desk.ts";
import { isAlive, startSigner, until } from "./process.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const local = "eip155:31337";
const logged: string[] = [];
const log = {
  warn: (_fields: unknown, message?: string) => void logged.push(message ?? ""),
  error: (_fields: unknown, message?: string) => void logged.push(message ?? ""),
};

async function connected(socketPath: string, answerMilliseconds = 10_000) {
  const limits = { ...signerClientLimits, answerMilliseconds };
  const client = await connectSigner({ socketPath, clock: systemClock, log, limits });
  cleanUp.push(() => client.close());
  return client;
}

// One signer for all of them: each asks for numbers of its own, or for the same as another.
describe("a signer that stays", () => {
  let socketPath = "";
  beforeAll(async () => {
    ({ socketPath } = await startSigner());
  });
  afterAll(endChildren);

  test("what is signed is the transfer that was asked for, and always the same bytes", async () => {
    const client = await connected(socketPath);
    const fees = { maxFeePerGas: 10n * gwei, maxPriorityFeePerGas: gwei };
    const action = {
      kind: "transfer",
      to: customer,
      contractAddress: token,
      amountRaw: 123n,
    } as const;
    const account = { role: "hot" } as const;
    const intent = { account, nonce: 5n, action, gasUnitsMax: 65_000n, fees };
    const { raw, txHash } = await client.signAction(local, intent);
    const hex = `0x02${Buffer.from(raw).toString("hex").slice(2)}` as const;
    const read = parseTransaction(hex);
    expect(read).toMatchObject({
      chainId: 31337,
      nonce: 5,
      gas: 65_000n,
      ...fees,
      type: "eip1559",
    });
    expect(read.to?.toLowerCase()).toBe(token.toLowerCase());
    expect(read.data).toBe(
      `0xa9059cbb${customer.slice(2).toLowerCase().padStart(64, "0")}${123n.toString(16).padStart(64, "0")}`,
    );
    expect(await recoverTransactionAddress({ serializedTransaction: hex })).toBe(
      client.accounts.hotAddress,
    );
    const other = await connected(socketPath);
    const again = await Promise.all([1, 2, 3].map(() => other.signAction(local, intent)));
    for (const one of again) expect(one).toEqual({ raw, txHash });
    const coin = { ...intent, nonce: 6n, action: { ...action, contractAddress: null } };
    const coinRaw = (await client.signAction(local, coin)).raw;
    const coinHex = `0x02${Buffer.from(coinRaw).toString("hex").slice(2)}` as const;
    expect(parseTransaction(coinHex)).toMatchObject({ gas: 65_000n, value: 123n });
  });

  test("deposit addresses follow from the public key, and the signer can spend from each", async () => {
    const client = await connected(socketPath);
    const { depositPublicKey, hotAddress } = client.accounts;
    const source = openDepositAddresses(depositPublicKey);
    for (const index of [0n, 1n, 123_456n]) {
      const action = transferOf({ to: hotAddress, contractAddress: null, amountRaw: 5n });
      const account = { role: "deposit", index } as const;
      const { raw } = await client.signAction(local, intentOf({ account, action }));
      const hex = `0x02${Buffer.from(raw).toString("hex").slice(2)}` as const;
      const from = await recoverTransactionAddress({ serializedTransaction: hex });
      expect(from).toBe(source.derive(index));
    }
  });

  test("two clients at once get their own answers, and refusals are told as such", async () => {
    const clients = [await connected(socketPath), await connected(socketPath)];
    const signed = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const action = transferOf({ amountRaw: BigInt(at) });
        const client = clients[at % 2];
        return client?.signAction(local, intentOf({ nonce: 100n + BigInt(at), action }));
      }),
    );
    for (const [at, one] of signed.entries()) {
      const hex = `0x${Buffer.from(one?.raw ?? []).toString("hex")}` as `0x02${string}`;
      expect(parseTransaction(hex).nonce).toBe(100 + at);
    }
    const refused = clients[0]?.signAction("eip155:1", intentOf());
    await expect(refused).rejects.toMatchObject({ name: "SignerRefusal" });
    await expect(refused).rejects.toThrow(/no policy names eip155:1/);
  });

  test("how much of its limits is used", async () => {
    const client = await connected(socketPath);
    const before = await client.limitUses(local);
    const gasOf = (uses: typeof before) => uses.find(({ limit }) => limit === "gas");
    expect(gasOf(before)).toMatchObject({ role: null, contractAddress: null });
    const action = transferOf({ amountRaw: 7n });
    const settled = { role: "deposit", index: 9n } as const;
    const sweep = { ...action, to: client.accounts.hotAddress };
    await client.signAction(local, intentOf({ account: settled, nonce: 900n, action: sweep }));
    const gasRaw = 100_000n * 10n * gwei;
    const after = await client.limitUses(local);
    expect(gasOf(after)?.usedRaw).toBe((gasOf(before)?.usedRaw ?? 0n) + gasRaw);
    expect(gasOf(after)?.mostRaw).toBe(1_000n * 10n ** 18n);
    expect(await client.limitUses("eip155:1")).toEqual([]);
  });

  test("one of before does not know what it is asked of its limits, and stays connected", async () => {
    const { hotAddress, settlementAddress, depositPublicKey } = (await connected(socketPath))
      .accounts;
    const accounts = {
      hot_address: hotAddress,
      settlement_address: settlementAddress,
      deposit_public_key: depositPublicKey,
    };
    const path = join(makeFolder(), "older.sock");
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      const answer = (line: string): string => {
        const { id, ask } = JSON.parse(line) as { readonly id: number; readonly ask: string };
        if (ask === "accounts") return JSON.stringify({ id, accounts });
        return JSON.stringify({ id, error: { kind: "invalid", text: "/ask is not known here" } });
      };
      socket.on("data", (chunk) => {
        for (const line of chunk.toString().trim().split("\n")) socket.write(`${answer(line)}\n`);
      });
    });
    server.listen(path);
    await once(server, "listening");
    cleanUp.push(() => server.close());
    const client = await connected(path, 1_000);
    expect(await client.limitUses(local)).toEqual([]);
    await expect(client.journalPosition()).rejects.toThrow("the signer does not understand us");
    expect(connections).toBe(1);
  });

  test("more than a limit of requests do not wait", async () => {
    const limits = { ...signerClientLimits, waitingMax: 3 };
    const client = await connectSigner({ socketPath, clock: systemClock, log, limits });
    cleanUp.push(() => client.close());
    for (let round = 0; round < 2; round++) {
      const asked = Array.from({ length: 5 }, () => client.signAction(local, intentOf()));
      const results = await Promise.allSettled(asked);
      expect(results.map(({ status }) => status).toSorted()).toEqual([
        "fulfilled",
        "fulfilled",
        "fulfilled",
        "rejected",
        "rejected",
      ]);
    }
  });

  test("what is no request is a mistake of ours, and nobody tries it again", async () => {
    const client = await connected(socketPath);
    const asked = client.signAction(local, intentOf({ nonce: 2n ** 53n }));
    await expect(asked).rejects.toThrow("does not understand us: /intent/nonce is too large");
    await client.signAction(local, intentOf());
  });

  test("the chain's name and number are part of what is signed", async () => {
    const client = await connected(socketPath);
    const one = await client.signAction(local, intentOf());
    const other = await client.signAction("eip155:84532", intentOf());
    expect(one.txHash).not.toBe(other.txHash);
    await expect(client.signAction(chainId, intentOf())).rejects.toThrow(/no policy names/);
  });
});

describe("a signer of its own", () => {
  afterEach(endChildren);

  test("a signer that is started again is asked again, and nobody notices", async () => {
    const first = await startSigner();
    const client = await connected(first.socketPath);
    const before = await client.signAction(local, intentOf());
    first.kill("SIGKILL");
    await first.ended;
    const asking = client.signAction(local, intentOf());
    await startSigner({ SIGNER_DIR: first.folder });
    expect(await asking).toEqual(before);
  });

  test("while nobody answers there is an end to the waiting", async () => {
    const { kill, ended, socketPath } = await startSigner();
    const client = await connected(socketPath, 300);
    kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0 });
    const asked = client.signAction(local, intentOf());
    await expect(asked).rejects.toMatchObject({ code: "chain_unavailable" });
    await expect(connected(socketPath, 300)).rejects.toMatchObject({ code: "chain_unavailable" });
  });

  test("one that takes requests and never answers is given up, and so is one that talks nonsense", async () => {
    for (const nonsense of ["", "hello\n", '{"id":1,"accounts":{}}\n', "x".repeat(100_000)]) {
      const path = join(makeFolder(), "deaf.sock");
      const server = createServer((socket) => {
        socket.on("error", () => undefined);
        socket.on("data", () => socket.write(nonsense));
      });
      server.listen(path);
      await once(server, "listening");
      cleanUp.push(() => server.close());
      const client = connected(path, 300);
      await expect(client).rejects.toMatchObject({ code: "chain_unavailable" });
    }
  });

  test("what waits on a connection that ends is lost with it, at once", async () => {
    const path = join(makeFolder(), "short.sock");
    const server = createServer((socket) => void socket.once("data", () => socket.destroy()));
    server.listen(path);
    await once(server, "listening");
    cleanUp.push(() => server.close());
    const connection = await SignerConnection.open(path, log);
    const asked = [1, 2].map(() => connection.ask({ ask: "accounts" }));
    for (const one of asked) await expect(one).rejects.toBeInstanceOf(SignerAway);
    expect(connection.isOpen).toBe(false);
    await expect(connection.ask({ ask: "accounts" })).rejects.toBeInstanceOf(SignerAway);
  });

  test("another signer with other accounts gets no more requests", async () => {
    logged.length = 0;
    const first = await startSigner();
    const client = await connected(first.socketPath, 2_000);
    const other = await startSigner();
    first.kill("SIGKILL");
    await first.ended;
    rmSync(first.socketPath, { force: true });
    renameSync(other.socketPath, first.socketPath);
    for (let round = 0; round < 2; round++) {
      const asked = client.signAction(local, intentOf());
      await expect(asked).rejects.toMatchObject({ code: "chain_unavailable" });
    }
    // It is asked who it is once, and never again.
    const told = logged.filter((line) =>
      line.includes("another signer answers, with other accounts"),
    );
    expect(told).toHaveLength(1);
    const journal = readFileSync(join(other.folder, "journal"), "utf8");
    expect(journal).not.toContain('"signed"');
  });

  function childOptions(folder: string) {
    const lines: string[] = [];
    const socketPath = join(folder, "signer.sock");
    const output = { write: (line: string) => void lines.push(line) };
    return { folder, socketPath, logLevel: "info", log, output, lines } as const;
  }

  test("as a child it comes back when it dies, and hands its log on", async () => {
    const options = childOptions(join(makeFolder(), "signer"));
    const child = await startSignerChild(options);
    cleanUp.push(() => child.stop());
    expect(statSync(options.socketPath).mode & 0o777).toBe(0o600);
    const client = await connected(options.socketPath);
    const before = await client.signAction(local, intentOf());
    const pid = child.pid() ?? 0;
    process.kill(pid, "SIGKILL");
    expect(await client.signAction(local, intentOf())).toEqual(before);
    expect(child.pid()).not.toBe(pid);
    const last = child.pid() ?? 0;
    await child.stop();
    expect(isAlive(last)).toBe(false);
    expect(options.lines.filter((line) => line.includes("the signer listens"))).toHaveLength(2);
  });

  test("as a child it gets nothing of our environment", async () => {
    process.env["ENCRYPTION_KEY_OF_TEST"] = "nothing for a child";
    cleanUp.push(() => delete process.env["ENCRYPTION_KEY_OF_TEST"]);
    const child = await startSignerChild(childOptions(join(makeFolder(), "signer")));
    cleanUp.push(() => child.stop());
    const environment = readFileSync(`/proc/${child.pid()}/environ`, "utf8").split("\0");
    const names = environment.map((entry) => entry.split("=")[0] ?? "").filter(Boolean);
    // The last two are Node's own, for the channel.
    expect(names.toSorted()).toEqual([
      "LOG_LEVEL",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
      "SIGNER_DIR",
      "SIGNER_SOCKET",
    ]);
  });
  test("as a child it has our cache of compiled code, and never in production", async () => {
    const variables = { NODE_COMPILE_CACHE: makeFolder() };
    expect(compileCacheOf({ environment: "production" }, variables)).toBeUndefined();
    expect(compileCacheOf({ environment: "development" }, {})).toBeUndefined();
    const compileCache = compileCacheOf({ environment: "development" }, variables);
    const options = childOptions(join(makeFolder(), "signer"));
    const child = await startSignerChild({ ...options, compileCache });
    cleanUp.push(() => child.stop());
    const environment = readFileSync(`/proc/${child.pid()}/environ`, "utf8").split("\0");
    expect(environment).toContain(`NODE_COMPILE_CACHE=${variables.NODE_COMPILE_CACHE}`);
  });

  test("a mistake of an operator is told with the first start", async () => {
    const options = { ...childOptions(join(makeFolder(), "signer")), policyFile: "/nowhere.json" };
    await expect(startSignerChild(options)).rejects.toThrow(
      /policy of SIGNER_POLICY cannot be read/,
    );
  });

  test("a child ends with its server, even when that one is killed", async () => {
    const folder = join(makeFolder(), "signer");
    const parent = spawn(process.execPath, [join(projectRoot, "test/signer/parent.ts"), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    cleanUp.push(() => parent.kill("SIGKILL"));
    const [text] = (await once(parent.stdout.setEncoding("utf8"), "data")) as [string];
    const pid = Number(text);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await until(() => !isAlive(pid));
    // The next one takes over.
    const child = await startSignerChild(childOptions(folder));
    await child.stop();
  });

  test("a child whose server is killed while it starts does not stay", async () => {
    const folder = join(makeFolder(), "signer");
    const parent = spawn(process.execPath, [join(projectRoot, "test/signer/parent.ts"), folder], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    cleanUp.push(() => parent.kill("SIGKILL"));
    // It has its folder, and does not listen yet.
    const pidFile = join(folder, "server.pid");
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").trim() !== "");
    const pid = Number(readFileSync(pidFile, "utf8"));
    parent.kill("SIGKILL");
    await until(() => !isAlive(pid));
    const child = await startSignerChild(childOptions(folder));
    await child.stop();
  });

  test("one that ends before it listens is told once, and not started again", async () => {
    const options = { ...childOptions(join(makeFolder(), "signer")), policyFile: "/nowhere.json" };
    logged.length = 0;
    await expect(startSignerChild(options)).rejects.toThrow(/cannot be read/);
    expect(logged).toEqual([]);
  });
});
