import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isLocalChainOn } from "../../adapters/configuration/chains.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import type { Machine } from "../../adapters/configuration/machine.ts";

const key = randomBytes(32);
/** of somebody who serves */
const server: Machine = { uid: 1000, modeOf: () => 0o700 };
const ENCRYPTION_KEY = key.toString("base64");

/** What production demands, but for the encryption key. */
const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://pay.example.com",
  TRUSTED_PROXIES: "none",
};

const standard = {
  host: "127.0.0.1",
  port: 8080,
  metricsPlace: undefined,
  tracesPlace: undefined,
  migrates: true,
  drainSeconds: 0,
  dataDirectory: "./data",
  logLevel: "info",
  environment: "development",
  databaseUrl: undefined,
  encryptionKey: undefined,
  encryptionKeysOlder: [],
  trustedProxies: [],
  connectionsMax: 10_000,
  connectionsPerAddressMax: 500,
  processes: 1,
  cell: undefined,
  publicUrl: undefined,
  webhookHttpHosts: new Set(),
  webhookBlockedRanges: [],
  withdrawAddressCoolingSeconds: 86_400,
  chains: {
    rpcUrls: new Map(),
    localChain: undefined,
    signerSocket: undefined,
    signerPolicy: undefined,
    treasuryAddress: undefined,
    x402ReleaseSeconds: 86_400,
    withdrawalGasUnitsMax: 250_000n,
  },
};

const treasury = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

describe("reads", () => {
  test.each([
    ["nothing: the standard values", {}, {}],
    ["empty variables as absent ones", { HOST: "", PORT: " ", ENCRYPTION_KEY: "" }, {}],
    [
      "every variable",
      {
        HOST: "0.0.0.0",
        PORT: "0",
        DATA_DIR: "/var/x",
        LOG_LEVEL: "debug",
        NODE_ENV: "production",
        DATABASE_URL: "postgresql://user:pass@db.example:5432/payments",
        DATABASE_REPLICA_URL: "postgresql://user:pass@replica.example/payments",
        ENCRYPTION_KEY,
        ENCRYPTION_KEYS_OLDER: `${ENCRYPTION_KEY}, ${ENCRYPTION_KEY}`,
        TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::/32,",
        PROCESSES: "4",
        CELL: "east",
        WEBHOOK_BLOCKED_RANGES: "8.8.8.0/24, 2a00:64::/96",
        PUBLIC_URL: "https://pay.example.com/",
        EVM_RPC_URLS:
          "eip155:8453=https://a.example/v2/k, eip155:1=https://c.example,eip155:8453=http://b.example?k=1",
        SIGNER_SOCKET: "/run/signer.sock",
        SIGNER_POLICY: "/etc/signer.json",
        CONNECTIONS_MAX: "64",
        CONNECTIONS_PER_ADDRESS_MAX: "8",
        METRICS_LISTEN: "unix:/run/pay/metrics.sock",
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/of/ours/",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%2Cb, other = one=two",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=ours,host.name=a%20host",
        OTEL_SERVICE_NAME: "pay.east",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.05",
        TREASURY_ADDRESS: treasury,
        X402_RELEASE_SECONDS: "60",
        WITHDRAWAL_GAS_UNITS_MAX: "400000",
        LOCAL_CHAIN: "off",
      },
      {
        host: "0.0.0.0",
        port: 0,
        dataDirectory: "/var/x",
        logLevel: "debug",
        environment: "production",
        databaseUrl: "postgresql://user:pass@db.example:5432/payments",
        databaseReplicaUrl: "postgresql://user:pass@replica.example/payments",
        encryptionKey: key,
        encryptionKeysOlder: [key, key],
        trustedProxies: ["10.0.0.0/8", "2001:db8::/32"],
        connectionsMax: 64,
        connectionsPerAddressMax: 8,
        metricsPlace: { kind: "socket", path: "/run/pay/metrics.sock" },
        tracesPlace: {
          url: "https://collector.example/of/ours/v1/traces",
          headers: { "x-key": "a,b", other: "one=two" },
          serviceName: "pay.east",
          attributes: { "service.name": "ours", "host.name": "a host" },
          ratio: 0.05,
        },
        processes: 4,
        cell: "east",
        webhookBlockedRanges: ["8.8.8.0/24", "2a00:64::/96"],
        publicUrl: "https://pay.example.com",
        chains: {
          rpcUrls: new Map([
            ["eip155:8453", ["https://a.example/v2/k", "http://b.example?k=1"]],
            ["eip155:1", ["https://c.example"]],
          ]),
          localChain: "off",
          signerSocket: "/run/signer.sock",
          signerPolicy: "/etc/signer.json",
          treasuryAddress: treasury,
          x402ReleaseSeconds: 60,
          withdrawalGasUnitsMax: 400_000n,
        },
      },
    ],
    [
      "hosts of one's own for experiments",
      { WEBHOOK_HTTP_HOSTS: "Localhost,receiver.test" },
      { webhookHttpHosts: new Set(["localhost", "receiver.test"]) },
    ],
    ["an IPv6 address", { HOST: "::1" }, { host: "::1" }],
    [
      "the fewest connections",
      { CONNECTIONS_MAX: "2", CONNECTIONS_PER_ADDRESS_MAX: "1" },
      { connectionsMax: 2, connectionsPerAddressMax: 1 },
    ],
    ["the highest port", { PORT: "65535" }, { port: 65_535 }],
    ["past variables of others", { POTR: "1", PGHOST: "x", npm_config_x: "y" }, {}],
  ])("%s", (_name, given, want) => {
    expect(parseConfiguration(given)).toEqual({ ...standard, ...want });
  });
});

test("none for proxies is no range", () => {
  expect(parseConfiguration({ ...production, ENCRYPTION_KEY }).trustedProxies).toEqual([]);
});

test.each([
  ["by itself where people try things", {}, true],
  ["not beside a real chain", { EVM_RPC_URLS: "eip155:1=https://node.example" }, false],
  ["not on a shared database", { DATABASE_URL: "postgres://db/payments", ENCRYPTION_KEY }, false],
  ["not in production", { ...production, ENCRYPTION_KEY }, false],
  ["not in tests that do not ask for it", { NODE_ENV: "test" }, false],
  ["where it is asked for", { NODE_ENV: "test", LOCAL_CHAIN: "on" }, true],
  ["not where it is unwanted", { LOCAL_CHAIN: "off" }, false],
])("the local chain runs %s", (_name, given, want) => {
  expect(isLocalChainOn(parseConfiguration(given))).toBe(want);
});

describe("refuses", () => {
  test.each([
    { PORT: "65536" },
    // Nobody could connect beside what is kept free.
    { CONNECTIONS_MAX: "1" },
    { CONNECTIONS_PER_ADDRESS_MAX: "0" },
    { PORT: "-1" },
    { METRICS_LISTEN: "9464" },
    { PORT: "8080.5" },
    { PORT: "0x50" },
    { PORT: "http" },
    { HOST: "local host" },
    { HOST: "http://localhost" },
    { DATA_DIR: "a\0b" },
    { LOG_LEVEL: "INFO" },
    { NODE_ENV: "prod" },
    { TRUSTED_PROXIES: "10.0.0.0" },
    { WEBHOOK_BLOCKED_RANGES: "8.8.8.8" },
    { TRUSTED_PROXIES: "10.0.0.0/33" },
    { TRUSTED_PROXIES: "10.0.0.0/8;::/0" },
    { PROCESSES: "0" },
    { PROCESSES: "many" },
    { PUBLIC_URL: "pay.example.com" },
    { PUBLIC_URL: "https://pay.example.com/v1" },
    { PUBLIC_URL: "ftp://pay.example.com" },
    { WITHDRAW_ADDRESS_COOLING_SECONDS: "1.5" },
    { WITHDRAW_ADDRESS_COOLING_SECONDS: "-1" },
    { WEBHOOK_HTTP_HOSTS: "http://localhost" },
    { TREASURY_ADDRESS: treasury.toLowerCase() },
    { X402_RELEASE_SECONDS: "0" },
    { WITHDRAWAL_GAS_UNITS_MAX: "9999" },
    { WITHDRAWAL_GAS_UNITS_MAX: "3000001" },
    { LOCAL_CHAIN: "yes" },
    { CELL: "East" },
    { CELL: "east1" },
    { CELL: "thirteenchars" },
    { CELL: "public;--" },
  ])("%j, naming the variable, its value and what to write", (given) => {
    const [[name, value] = ["", ""]] = Object.entries(given);
    const line = `${name} is ${JSON.stringify(value)}; write `;
    expect(() => parseConfiguration(given)).toThrow(line);
    expect(() => parseConfiguration(given)).toThrow("1 mistake:");
  });

  test.each([
    { ENCRYPTION_KEY: "c2VjcmV0" },
    { ENCRYPTION_KEY: key.toString("hex") },
    { ENCRYPTION_KEYS_OLDER: `${ENCRYPTION_KEY},c2VjcmV0`, ENCRYPTION_KEY },
    { DATABASE_URL: "mysql://user:c2VjcmV0@db/payments", ENCRYPTION_KEY },
    {
      DATABASE_REPLICA_URL: "postgres://user:c2VjcmV0@a,b/payments",
      DATABASE_URL: "postgres://c/payments",
      ENCRYPTION_KEY,
    },
    { EVM_RPC_URLS: "eip155:8453=wss://node.example/c2VjcmV0" },
    { EVM_RPC_URLS: "8453=https://node.example/c2VjcmV0" },
    { EVM_RPC_URLS: "eip155:1=https://node.example,https://node.example/c2VjcmV0" },
  ])("a secret of the wrong form, without repeating it (case %#)", (given) => {
    const [name = ""] = Object.keys(given);
    const parse = (): unknown => parseConfiguration(given);
    expect(parse).toThrow(`${name} is of the wrong form; write `);
    expect(parse).not.toThrow(/c2VjcmV0|[0-9a-f]{64}/);
  });

  test.each([
    ["in production", production],
    ["for a database that processes share", { DATABASE_URL: "postgres://db/payments" }],
    ["when there is an older one", { ENCRYPTION_KEYS_OLDER: ENCRYPTION_KEY }],
  ])("a missing ENCRYPTION_KEY %s, and says how to make one", (_name, given) => {
    expect(() => parseConfiguration(given)).toThrow(
      /1 mistake:\n {2}ENCRYPTION_KEY is missing; .*openssl rand -base64 32\n$/,
    );
  });

  test.each([
    ["no PUBLIC_URL", { PUBLIC_URL: undefined }, /PUBLIC_URL is missing; .*https:\/\//],
    [
      "one that is read on the way",
      { PUBLIC_URL: "http://pay.example.com" },
      /PUBLIC_URL is not https; /,
    ],
    ["no word about proxies", { TRUSTED_PROXIES: " " }, /TRUSTED_PROXIES is missing; .* or none /],
    [
      "an encryption key that nobody made by chance",
      { ENCRYPTION_KEY: Buffer.alloc(32, "0123456789abcde").toString("base64") },
      /ENCRYPTION_KEY has fewer than 16 different bytes, .*openssl rand -base64 32/,
    ],
  ])("%s in production, and only there", (_name, given, message) => {
    const parse = (more: object): unknown =>
      parseConfiguration({ ...production, ENCRYPTION_KEY, ...given, ...more }, server);
    expect(() => parse({})).toThrow(/1 mistake:/);
    expect(() => parse({})).toThrow(message);
    expect(parse({ NODE_ENV: "development" })).toBeDefined();
  });

  test("in production a wrong value is one mistake, and is not missing as well", () => {
    const given = { TRUSTED_PROXIES: "10.0.0.0", PUBLIC_URL: "pay" };
    expect(() => parseConfiguration({ ...production, ENCRYPTION_KEY, ...given })).toThrow(
      /2 mistakes:\n {2}TRUSTED_PROXIES is .*\n {2}PUBLIC_URL is .*\n$/,
    );
  });

  test("hosts for experiments in production", () => {
    const given = { ...production, ENCRYPTION_KEY, WEBHOOK_HTTP_HOSTS: "localhost" };
    expect(() => parseConfiguration(given, server)).toThrow(
      /1 mistake:\n {2}WEBHOOK_HTTP_HOSTS is not for production, .*; leave it out\n$/,
    );
  });

  test.each([
    ["a chain of one's own", { LOCAL_CHAIN: "on" }, /LOCAL_CHAIN is not for production/],
    [
      "keys in the same hands as the server",
      { EVM_RPC_URLS: "eip155:1=https://node.example" },
      /SIGNER_SOCKET is missing; .*npm run signer/,
    ],
  ])("%s in production", (_name, given, message) => {
    const parse = (): unknown => parseConfiguration({ ...production, ENCRYPTION_KEY, ...given });
    expect(parse).toThrow(/1 mistake:/);
    expect(parse).toThrow(message);
  });

  test("tables that nobody else would make", () => {
    expect(() => parseConfiguration({ MIGRATE: "off" })).toThrow(
      /1 mistake:\n {2}MIGRATE is off without DATABASE_URL; .*, name a PostgreSQL server or leave it out\n$/,
    );
  });

  test.each(["301", "-1", "1.5", "ten"])("DRAIN_SECONDS of %s", (DRAIN_SECONDS) => {
    expect(() => parseConfiguration({ DRAIN_SECONDS })).toThrow(
      /DRAIN_SECONDS is "[^"]+"; write whole seconds from 0 to 300: .*, or leave it out for 0\n$/,
    );
  });

  test("a cell on a database that is nobody else's", () => {
    expect(() => parseConfiguration({ CELL: "east" })).toThrow(
      /1 mistake:\n {2}CELL is given without DATABASE_URL; .*, name a PostgreSQL server or leave CELL out\n$/,
    );
  });

  test("a replica of a database that nobody can follow", () => {
    const given = { DATABASE_REPLICA_URL: "postgresql://user:pass@replica.example/payments" };
    expect(() => parseConfiguration(given)).toThrow(
      /1 mistake:\n {2}DATABASE_REPLICA_URL is given without DATABASE_URL; .* or leave it out\n$/,
    );
  });

  test("every mistake at once", () => {
    const given = { PORT: "x", LOG_LEVEL: "x", NODE_ENV: "x", PROCESSES: "x" };
    expect(() => parseConfiguration(given)).toThrow(
      /^The configuration has 4 mistakes:\n {2}PORT .*\n {2}LOG_LEVEL .*\n {2}NODE_ENV .*\n {2}PROCESSES .*\n$/,
    );
  });
});
