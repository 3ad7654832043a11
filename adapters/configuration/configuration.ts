// The environment, read once at start. All mistakes come together in one message, so that nobody
// has to start the server five times to find five of them.

import { cellForm, cellFormInWords } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";
import { addressRanges } from "../system/address-ranges.ts";
import { logLevels } from "../system/logging.ts";
import type { LogLevel } from "../system/logging.ts";
import { chainMistakes, readChains } from "./chains.ts";
import type { ChainConfiguration } from "./chains.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { encryptionKeyForm, parseEncryptionKey } from "./encryption-key-form.ts";
import { machineMistakes } from "./exposure.ts";
import { metricsRule, parseMetricsPlace } from "./metrics.ts";
import type { MetricsPlace } from "./metrics.ts";
import type { Machine } from "./machine.ts";
import { productionMistakes } from "./production.ts";
import { Reader } from "./reader.ts";
import type { Rule } from "./reader.ts";
import type { Environment } from "./reader.ts";
import { readTraces } from "./traces.ts";
import type { TracesPlace } from "./traces.ts";

const environments = ["production", "development", "test"] as const;
/** Process managers that wait longer are rare. */
const drainSecondsMax = 300;

export interface Configuration {
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** where Prometheus asks; undefined: nothing is counted */
  readonly metricsPlace: MetricsPlace | undefined;
  /** who is told how each piece of work went; undefined: nobody */
  readonly tracesPlace: TracesPlace | undefined;
  readonly dataDirectory: string;
  readonly logLevel: LogLevel;
  readonly environment: (typeof environments)[number];
  /** undefined: the embedded database in the data folder */
  readonly databaseUrl: string | undefined;
  /** false: somebody else makes and changes the tables */
  readonly migrates: boolean;
  /** a server that follows it, for reads that may be late */
  readonly databaseReplicaUrl: string | undefined;
  /** undefined: there is one only, with tables where the database's connections find them */
  readonly cell: Cell;
  /** undefined: a file in the data folder, made at the first start */
  readonly encryptionKey: Uint8Array | undefined;
  /** they open what they sealed, until everything is sealed anew */
  readonly encryptionKeysOlder: readonly Uint8Array[];
  /** CIDR ranges whose X-Forwarded-For is believed */
  readonly trustedProxies: readonly string[];
  /** open at once; beyond it they are closed */
  readonly connectionsMax: number;
  /** the same, of one address that is no proxy of ours */
  readonly connectionsPerAddressMax: number;
  /** how many processes share the rate limits */
  readonly processes: number;
  /** from registering a withdraw address with a live key until money may go there */
  readonly withdrawAddressCoolingSeconds: number;
  /** under which merchants reach the service; undefined: where it listens */
  readonly publicUrl: string | undefined;
  /** hosts that the webhooks of test keys may reach over http and on private addresses */
  readonly webhookHttpHosts: ReadonlySet<string>;
  /** CIDR ranges that webhooks never go to, beside those that are not public */
  readonly webhookBlockedRanges: readonly string[];
  /** from the signal to stop: it says that it is not ready, and serves all the same */
  readonly drainSeconds: number;
  readonly chains: ChainConfiguration;
}

export class ConfigurationError extends Error {
  constructor(mistakes: readonly string[]) {
    const count = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
    super(`The configuration has ${count}:\n${mistakes.map((one) => `  ${one}\n`).join("")}`);
    this.name = "ConfigurationError";
  }
}

/**
 * `machine`: of a server, whose user and files are looked at in production.
 *
 * Variables we do not know are left alone: the environment belongs to other programs as well.
 */
export function parseConfiguration(environment: Environment, machine?: Machine): Configuration {
  const mistakes: string[] = [];
  const read = new Reader(environment, mistakes);
  const configuration: Configuration = {
    host: read.text("HOST", "127.0.0.1", {
      fits: (text) => /^[A-Za-z0-9_.:-]+$/.test(text),
      instead: "an address or a host name such as 127.0.0.1, 0.0.0.0 or ::1",
    }),
    port: Number(
      read.text("PORT", "8080", {
        fits: (text) => /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535,
        instead: "a whole number from 0 to 65535, where 0 takes any free port",
      }),
    ),
    metricsPlace: parseMetricsPlace(read.optional("METRICS_LISTEN", metricsRule) ?? ""),
    tracesPlace: readTraces(read),
    dataDirectory: read.text("DATA_DIR", "./data", {
      fits: (text) => !text.includes("\0"),
      instead: "the path of a folder",
    }),
    drainSeconds: Number(read.text("DRAIN_SECONDS", "0", drainRule)),
    logLevel: read.choice("LOG_LEVEL", "info", logLevels),
    environment: read.choice("NODE_ENV", "development", environments),
    ...readPlace(read),
    migrates: read.choice("MIGRATE", "on", ["on", "off"]) === "on",
    ...readSecrets(read),
    ...readNetwork(read),
    chains: readChains(read),
  };
  const isGiven = (name: string): boolean => read.isGiven(name);
  const isServer = machine !== undefined;
  mistakes.push(...productionMistakes(configuration, { isGiven, isServer }));
  addMissing(configuration, mistakes);
  mistakes.push(...machineMistakes(configuration, machine));
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return configuration;
}

const cellRule: Rule = {
  fits: (text) => cellForm.test(text),
  instead: cellFormInWords,
};

const drainRule: Rule = {
  fits: (text) => /^[0-9]{1,3}$/.test(text) && Number(text) <= drainSecondsMax,
  instead: `whole seconds from 0 to ${drainSecondsMax}: a little more than the balancer needs to see /readyz say 503`,
};

/** Where the tables are. */
export function readPlace(read: Reader): Pick<Configuration, "cell" | "databaseUrl"> {
  return {
    cell: read.optional("CELL", cellRule),
    databaseUrl: read.secret("DATABASE_URL", {
      fits: (text) => parseDatabaseUrl(text) !== undefined,
      instead:
        "a URL such as postgresql://user:password@host:5432/database, of several servers " +
        "host-a:5432,host-b:5432 (with target_session_attrs=read-write, or without it)",
    }),
  };
}

type Secrets = Pick<Configuration, "databaseReplicaUrl" | "encryptionKey" | "encryptionKeysOlder">;

function readSecrets(read: Reader): Secrets {
  const keyRule = { fits: encryptionKeyForm, instead: "32 bytes in base64", isSecret: true };
  const key = read.secret("ENCRYPTION_KEY", keyRule);
  return {
    databaseReplicaUrl: read.secret("DATABASE_REPLICA_URL", {
      fits: (text) => parseDatabaseUrl(text)?.length === 1,
      instead:
        "a URL of one server that follows that of DATABASE_URL, such as " +
        "postgresql://user:password@replica:5432/database",
    }),
    encryptionKey: key === undefined ? undefined : parseEncryptionKey(key),
    encryptionKeysOlder: read.list("ENCRYPTION_KEYS_OLDER", keyRule).map(parseEncryptionKey),
  };
}

type Network = Pick<
  Configuration,
  | "trustedProxies"
  | "connectionsMax"
  | "connectionsPerAddressMax"
  | "processes"
  | "publicUrl"
  | "webhookHttpHosts"
  | "webhookBlockedRanges"
  | "withdrawAddressCoolingSeconds"
>;

/** Said, and not forgotten. */
const noProxies = "none";

/** @param least one is kept for proxies: with one in all nobody else could connect */
const countRule = (least: 1 | 2): Rule => ({
  fits: (text) => /^[1-9][0-9]{0,5}$/.test(text) && Number(text) >= least,
  instead: `how many connections may be open at once, ${least} to 999999`,
});

function readNetwork(read: Reader): Network {
  const hosts = read.list("WEBHOOK_HTTP_HOSTS", {
    fits: (text) => /^[A-Za-z0-9_.-]+$/.test(text),
    instead: "host names without a port, such as localhost, with commas between them",
  });
  return {
    trustedProxies: read
      .list("TRUSTED_PROXIES", {
        fits: (text) => text === noProxies || addressRanges.normalise(text) !== undefined,
        instead: `ranges such as 10.0.0.0/8 or 2001:db8::/32, with commas between them, or ${noProxies}`,
      })
      .filter((range) => range !== noProxies),
    connectionsMax: Number(read.text("CONNECTIONS_MAX", "10000", countRule(2))),
    connectionsPerAddressMax: Number(read.text("CONNECTIONS_PER_ADDRESS_MAX", "500", countRule(1))),
    processes: Number(
      read.text("PROCESSES", "1", {
        fits: (text) => /^[1-9][0-9]{0,2}$/.test(text),
        instead: "how many processes share the rate limits, 1 to 999",
      }),
    ),
    publicUrl: urlOf(
      read.optional("PUBLIC_URL", {
        fits: isOrigin,
        instead: "where merchants reach the service, such as https://pay.example.com",
      }) ?? "",
    )?.origin,
    withdrawAddressCoolingSeconds: Number(
      read.text("WITHDRAW_ADDRESS_COOLING_SECONDS", "86400", {
        fits: (text) => /^(?:0|[1-9][0-9]{0,6})$/.test(text),
        instead: "a number of seconds from 0 to 9999999, such as 86400 for a day",
      }),
    ),
    webhookBlockedRanges: read.list("WEBHOOK_BLOCKED_RANGES", {
      fits: (text) => addressRanges.normalise(text) !== undefined,
      instead: "ranges such as 198.18.7.0/24 or 2001:db8:64::/96, with commas between them",
    }),
    webhookHttpHosts: new Set(hosts.map((host) => host.toLowerCase())),
  };
}

/** What one variable demands of another. */
function addMissing(configuration: Configuration, mistakes: string[]): void {
  const { environment, databaseUrl, encryptionKey, encryptionKeysOlder } = configuration;
  mistakes.push(...chainMistakes(configuration));
  const isUrlWrong = mistakes.some((one) => /^DATABASE_URL(?:_FILE)? /.test(one));
  if (configuration.cell !== undefined && databaseUrl === undefined && !isUrlWrong) {
    const reason = "the embedded database has one only";
    mistakes.push(
      `CELL is given without DATABASE_URL; ${reason}, name a PostgreSQL server or leave CELL out`,
    );
  }
  if (configuration.databaseReplicaUrl !== undefined && databaseUrl === undefined && !isUrlWrong) {
    mistakes.push(
      "DATABASE_REPLICA_URL is given without DATABASE_URL; the embedded database is followed by none, name the server " +
        "that the replica follows or leave it out",
    );
  }
  if (!configuration.migrates && databaseUrl === undefined && !isUrlWrong) {
    mistakes.push(
      "MIGRATE is off without DATABASE_URL; nobody else makes the tables of the embedded database, name a PostgreSQL " +
        "server or leave it out",
    );
  }
  const isGivenWrongly = mistakes.some((one) => /^ENCRYPTION_KEY(?:_FILE)? /.test(one));
  const way = "make one with: openssl rand -base64 32";
  if (encryptionKey !== undefined || isGivenWrongly) return;
  if (environment === "production") {
    mistakes.push(`ENCRYPTION_KEY is missing; production does not start without it, ${way}`);
  } else if (databaseUrl !== undefined) {
    const reason = "all processes on one DATABASE_URL need the same";
    mistakes.push(`ENCRYPTION_KEY is missing; ${reason}, ${way}`);
  } else if (encryptionKeysOlder.length > 0) {
    const reason = "ENCRYPTION_KEYS_OLDER alone says nothing of the key in use";
    mistakes.push(`ENCRYPTION_KEY is missing; ${reason}, ${way}`);
  }
}

function urlOf(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

function isOrigin(text: string): boolean {
  const url = urlOf(text);
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return false;
  const isBare = url.username === "" && url.password === "" && url.search + url.hash === "";
  return isBare && url.pathname === "/";
}
