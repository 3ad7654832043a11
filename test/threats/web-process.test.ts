// Threat 66: whoever talks to the web process must not get a file out of it, nor a key that spends
// money: there is no route to a file, and no such key in the process.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { encryptionKeyFile } from "../../adapters/configuration/encryption-key.ts";
import { rawRefusalBody, sendRaw } from "../http/answers.ts";
import { endChildren, makeDataDirectory, startServerChild } from "../programs/child.ts";
import {
  packageOf,
  type Reachable,
  reachableFrom,
  withDependencies,
} from "../tidy/reachable-modules.ts";
import { readSourceFiles, type SourceFiles } from "../tidy/source-files.ts";

afterEach(endChildren);

const starts = ["", "/v1", "/docs/assets", "/v1/currencies/cur_usdc"];
const climbs = [
  "..",
  "%2e%2e",
  ".%2E",
  "%252e%252e",
  "..;",
  "..%00",
  "....",
  "%c0%ae%c0%ae",
  "．．",
];
const separators = ["/", "%2f", "%5C", "\\", "//"];

/** As a browser or a proxy would never send them. */
const oddTargets = [
  "/etc/passwd",
  "//etc/passwd",
  "file:///etc/passwd",
  "http://localhost/../../../etc/passwd",
  "http://localhost//etc/passwd",
  "\\..\\..\\etc\\passwd",
  "/\0/etc/passwd",
  "/docs/errors%00",
  "/docs/errors/../../package.json",
  "/docs/assets/package.json",
  "/docs/assets/",
  "/v1/../package.json",
  "/package.json",
  "/adapters/main.ts",
  "/generated/openapi.json",
  "/node_modules/pg/package.json",
  "/data/encryption.key",
  "/.env",
  "/.git/config",
  "/proc/self/environ",
  "/admin.sock",
];

/** All combinations, of the files one after the other. */
function targets(files: readonly [string, string]): readonly string[] {
  const ways = starts.flatMap((start) =>
    climbs.flatMap((climb) =>
      separators.map((separator) => {
        const way = Array.from({ length: 8 }, () => climb).join(separator);
        return `${start}/${way}${separator}`;
      }),
    ),
  );
  const paths = ways.map((way, at) => way + (files[at % 2] ?? "").replace(/^\//, ""));
  return [...oddTargets, ...paths];
}

const filesAtOnce = 16;

test("no request target leads to a file", async () => {
  const dataDirectory = await makeDataDirectory();
  const server = await startServerChild({ DATA_DIR: dataDirectory });
  const keyFile = join(dataDirectory, encryptionKeyFile);
  const key = readFileSync(keyFile, "utf8").trim();
  const contents = [key, "root:x:0", '"devDependencies"', "openService("];
  const waiting = [...targets(["/etc/passwd", keyFile])];
  expect(waiting.length).toBeGreaterThan(200);

  const statuses = new Set<number>();
  const ask = async (): Promise<void> => {
    for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const answer = await sendRaw(server.port, Buffer.from(head));
      expect({ target, status: answer.status }).toEqual({
        target,
        status: answer.status === 404 ? 404 : 400,
      });
      const { code } = rawRefusalBody(answer, answer.status);
      expect(code).toBe(answer.status === 404 ? "not_found" : "invalid_request");
      const found = contents.filter((one) => answer.body.includes(one));
      expect({ target, found }).toEqual({ target, found: [] });
      statuses.add(answer.status);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, ask));
  expect(statuses).toEqual(new Set([400, 404]));
  const said = server.output() + server.errors();
  expect(contents.filter((one) => said.includes(one))).toEqual([]);
});

/** Files of ours that may touch the disk while the service runs, and what for. */
const onDisk: Readonly<Record<string, string>> = {
  "adapters/assembly/first-payment.ts": "the shipped catalog, for a database that never had one",
  "adapters/configuration/data-directory.ts": "its own lock in the data folder",
  "adapters/configuration/encryption-key.ts": "the encryption key in the data folder, at the start",
  "adapters/configuration/machine.ts": "who may use the data folder, at the start",
  "adapters/configuration/reader.ts":
    "the secrets that the environment names a file for, at the start",
  "adapters/database/migration-files.ts": "the migrations beside it, at the start",
  "adapters/database/new-folder.ts": "the folder of a new embedded database, at the first start",
  "adapters/database/pglite.ts": "the embedded database in the data folder",
  "adapters/database/template.ts":
    "development: one file that a new embedded database is a copy of",
  "adapters/http/checkout-files.ts": "two files beside it, by fixed names, at the start",
  "adapters/http/docs-site.ts": "all files of one folder of ours, at the start",
  "adapters/local-chain/anvil.ts": "development: the folder of the chain that it starts",
  "adapters/local-chain/compile.ts": "development: contracts beside it, and what it made of them",
  "adapters/local-chain/local-catalog.ts": "development: one file beside it",
  "adapters/local-chain/state-files.ts": "development: the chain's state in the data folder",
  "adapters/metrics/listener.ts": "makes and removes the socket that METRICS_LISTEN names",
  "adapters/operator/socket.ts": "makes and removes the socket of the operator's commands",
  "adapters/system/private-socket.ts": "says who may open the sockets of these two",
  "generated/document.ts": "the contract beside it, at the start",
};

/** Modules of Node that one place may use. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  // the process with the keys; and the local chain, which production refuses
  "node:child_process": [
    "adapters/signer-client/child.ts",
    "adapters/local-chain/anvil.ts",
    "adapters/local-chain/state-files.ts",
    // development: builds the site at /docs, where "npm start" asks for that
    "adapters/http/docs-build.ts",
  ],
  // where a package lies, by its fixed name
  "node:module": [
    "adapters/local-chain/anvil.ts",
    "adapters/local-chain/compile.ts",
    "adapters/system/optional-package.ts",
  ],
  // a thread that makes a new database, and one that compiles contracts
  "node:worker_threads": ["adapters/database/new-folder.ts", "adapters/local-chain/compile.ts"],
  // development: how V8 compiles the embedded database
  "node:v8": ["adapters/database/pglite.ts"],
  // an empty file that it locks
  "node:sqlite": ["adapters/configuration/data-directory.ts"],
};

/** Elsewhere nothing in the process starts programs, runs text, or reads memory. */
const harmless = new Set([
  "node:assert",
  "node:assert/strict",
  "node:async_hooks",
  "node:buffer",
  "node:crypto",
  "node:dns/promises",
  "node:events",
  "node:http",
  "node:https",
  "node:net",
  "node:os",
  "node:path",
  "node:stream",
  "node:stream/consumers",
  "node:timers/promises",
  "node:url",
  "node:util",
  "node:zlib",
]);

const isDisk = (name: string): boolean => /^node:fs(?:\/|$)/.test(name);

function diskProblems({ builtins }: Reachable): readonly string[] {
  return Array.from(builtins).flatMap(([path, names]) =>
    Array.from(names)
      .filter((name) => {
        if (isDisk(name)) return !(path in onDisk);
        return !harmless.has(name) && onlyIn[name]?.includes(path) !== true;
      })
      .map((name) => `${path} imports ${name}`),
  );
}

/** What signs transactions, or derives keys from words. */
const signing =
  /secp256k1|ed25519|elliptic|noble\/(?!hashes)|ethers|viem|web3|ethereumjs|bitcoin|solana|tron|bip32|bip39|hdkey|mnemonic|tweetnacl|sodium|wallet|keystore|kms|ledgerhq|walletconnect/i;

/**
 * What a chain is read with comes from libraries that could sign as well. This is all of them that is
 * used: it encodes, hashes, derives public keys from a public one, and says who has signed.
 */
const publicParts: Readonly<Record<string, readonly string[]>> = {
  "@noble/curves/secp256k1.js": ["secp256k1"],
  "@scure/bip32": ["HDKey"],
  "tiny-secp256k1": ["recover"],
  "viem/utils": [
    "decodeAbiParameters",
    "decodeFunctionData",
    "encodeFunctionData",
    "getAddress",
    "hexToBytes",
    "numberToHex",
    "parseAbi",
    // Writes what somebody has signed.
    "serializeTransaction",
    "toRlp",
  ],
};

const imports = /import (type )?\{([^}]*)\} from "([^"]+)"|import\("([^"]+)"\)/g;

interface Imported {
  readonly path: string;
  readonly from: string;
  readonly name: string;
}

/** Values, not types, of libraries that could sign. */
function signingImports(paths: Iterable<string>, files: SourceFiles): readonly Imported[] {
  return Array.from(paths).flatMap((path) =>
    Array.from(files.get(path)?.matchAll(imports) ?? []).flatMap(
      ([, isType, list = "", named, loaded]) => {
        const from = named ?? loaded ?? "";
        if (isType !== undefined || from.startsWith(".") || !signing.test(from)) return [];
        const names = loaded === undefined ? list.split(",").map((one) => one.trim()) : ["*"];
        return names
          .filter((name) => name !== "" && !name.startsWith("type "))
          .map((name) => ({ path, from, name }));
      },
    ),
  );
}

const ofCrypto = /import (?:type )?\{([^}]*)\} from "node:crypto"/g;
/** Hashes, seals and compares; it makes no signature that a chain would take. */
const symmetric =
  /^(?:createHash|hash|createHmac|hkdfSync|timingSafeEqual|createCipheriv|createDecipheriv|createSecretKey|KeyObject|randomBytes|randomFillSync|randomUUID)$/;

describe("what adapters/main.ts can run", () => {
  const files = readSourceFiles("{adapters,handlers,service,generated}/**/*.ts");
  const reachable = reachableFrom("adapters/main.ts", files);

  test("touches the disk in the listed places only", () => {
    expect(reachable.builtins.size).toBeGreaterThan(100);
    expect(diskProblems(reachable)).toEqual([]);
    const used = Array.from(reachable.builtins)
      .filter(([, names]) => [...names].some(isDisk))
      .map(([path]) => path);
    expect(used.toSorted()).toEqual(Object.keys(onDisk));
  });

  test("uses of libraries that could sign only what cannot", () => {
    const used = signingImports(reachable.builtins.keys(), files);
    expect(used.length).toBeGreaterThan(10);
    const others = used.filter(({ from, name }) => publicParts[from]?.includes(name) !== true);
    expect(others).toEqual([]);
    const names = new Set(used.map(({ from, name }) => `${from} ${name}`));
    const listed = Object.entries(publicParts).flatMap(([from, list]) =>
      list.map((name) => `${from} ${name}`),
    );
    // what nobody uses any more would be there for the next one
    expect(listed.filter((one) => !names.has(one))).toEqual([]);
  });

  test("holds no other library that signs", () => {
    const known = new Set(Object.keys(publicParts).map(packageOf));
    const others = Array.from(reachable.packages).filter((name) => !known.has(name));
    const packages = withDependencies(others);
    expect(packages.size).toBeGreaterThan(15);
    expect([...packages].filter((name) => signing.test(name))).toEqual([]);
    const named = Array.from(reachable.builtins.keys()).flatMap((path) =>
      Array.from(files.get(path)?.matchAll(ofCrypto) ?? [], ([, list = ""]) => list.split(",")),
    );
    const imported = named.flat().map((name) => name.replace("type ", "").trim());
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => name !== "" && !symmetric.test(name))).toEqual([]);
  });

  test("reaches nothing of the process with the keys", () => {
    const paths = Array.from(reachable.builtins.keys());
    expect(paths).toContain("adapters/signer-client/child.ts");
    expect(paths.filter((path) => path.startsWith("adapters/signer/"))).toEqual([]);
  });

  test("asks the environment for one kind of key: what seals the database", () => {
    const readers = Array.from(reachable.builtins.keys()).filter((path) =>
      files.get(path)?.includes("process.env"),
    );
    // the edge for applications that have none asks for one name, which is no key
    expect(readers).toEqual(["adapters/main.ts", "generated/runtime/edge.ts"]);
    const edge = files.get("generated/runtime/edge.ts") ?? "";
    expect(edge.match(/process\.env.{13}/g)).toEqual(['process.env["NODE_ENV"] ']);
    const asked = new Set<string>();
    const environment = new Proxy(
      {},
      {
        get: (_, name) => void asked.add(String(name)),
      },
    );
    parseConfiguration(environment);
    expect(asked.size).toBeGreaterThan(10);
    const suspects = /key|secret|private|mnemonic|seed|phrase|sign|wallet|password/i;
    expect([...asked].filter((name) => suspects.test(name)).toSorted()).toEqual([
      "ENCRYPTION_KEY",
      "ENCRYPTION_KEYS_OLDER",
      "ENCRYPTION_KEY_FILE",
      // paths: of its limits, and of the socket where it is asked
      "SIGNER_POLICY",
      "SIGNER_SOCKET",
    ]);
  });

  test("another file that reads the disk, or starts a program, is seen", () => {
    const planted = new Map([
      ["adapters/main.ts", 'import { a } from "../service/planted.ts";\nexport const b = a;'],
      ["service/planted.ts", 'export { readFile as a } from "node:fs/promises";'],
      ["service/apart.ts", 'import "node:fs";'],
    ]);
    expect(diskProblems(reachableFrom("adapters/main.ts", planted))).toEqual([
      "service/planted.ts imports node:fs/promises",
    ]);
    planted.set("service/planted.ts", 'import { exec as a } from "node:child_process"; void a;');
    expect(diskProblems(reachableFrom("adapters/main.ts", planted))).toHaveLength(1);
    planted.set("service/planted.ts", 'export const a = await import(["node", "fs"].join(":"));');
    expect(() => reachableFrom("adapters/main.ts", planted)).toThrow(/cannot be read/);
  });

  test("a library that signs is seen behind another one", () => {
    // development's own: never part of the service
    expect([...withDependencies(["vitest"])]).toContain("vite");
    expect(signing.test("@noble/curves")).toBe(true);
    expect(signing.test("@noble/hashes")).toBe(false);
    const text = 'import { keccak256, sign } from "viem/accounts";\nawait import("ethers");';
    expect(signingImports(["a.ts"], new Map([["a.ts", text]]))).toEqual([
      { path: "a.ts", from: "viem/accounts", name: "keccak256" },
      { path: "a.ts", from: "viem/accounts", name: "sign" },
      { path: "a.ts", from: "ethers", name: "*" },
    ]);
  });
});
