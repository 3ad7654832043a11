// What a server in production leaves open on its machine and its network: as root, or with a folder
// that others may use, it does not start; what may be meant so is a warning.

import { parseDatabaseUrl } from "./database-url.ts";
import type { ChainConfiguration } from "./chains.ts";
import { folderMistake, rootMistake, socketMistake } from "./machine.ts";
import type { Machine } from "./machine.ts";
import type { MetricsPlace } from "./metrics.ts";
import type { TracesPlace } from "./traces.ts";

interface Exposed {
  readonly environment: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
  readonly host: string;
  readonly metricsPlace: MetricsPlace | undefined;
  readonly tracesPlace: TracesPlace | undefined;
  readonly migrates: boolean;
  readonly trustedProxies: readonly string[];
  readonly chains: Pick<ChainConfiguration, "signerSocket">;
}

/** `machine`: undefined for whoever serves nobody, such as an operator's command. */
export function machineMistakes(
  { environment, dataDirectory, chains }: Exposed,
  machine: Machine | undefined,
): readonly string[] {
  if (environment !== "production" || machine === undefined) return [];
  const mistakes = [
    rootMistake(machine),
    folderMistake(machine, "DATA_DIR", dataDirectory),
    socketMistake(machine, "SIGNER_SOCKET", chains.signerSocket),
  ];
  return mistakes.filter((one) => one !== undefined);
}

const loopback = /^(?:127\.[0-9.]+|localhost|::1)$/i;
const safeModes = new Set(["require", "verify-ca", "verify-full"]);

export function productionWarnings(exposed: Exposed): readonly string[] {
  if (exposed.environment !== "production") return [];
  const { host, metricsPlace, migrates, trustedProxies, databaseUrl, databaseReplicaUrl } = exposed;
  const warnings: string[] = [];
  if (migrates && databaseUrl !== undefined) {
    warnings.push(
      "MIGRATE is on: the role of DATABASE_URL owns the tables, and whoever breaks into this process can switch off what " +
        "keeps the ledger as it was written. Make roles with docs/running/deploy/roles.sql, and start with MIGRATE=off",
    );
  }
  if (!loopback.test(host) && trustedProxies.length === 0) {
    warnings.push(
      `HOST ${host} is open to the network without a proxy: this server speaks no TLS. Put a proxy in ` +
        "front, and name it in TRUSTED_PROXIES",
    );
  }
  if (metricsPlace?.kind === "address" && !loopback.test(metricsPlace.host)) {
    warnings.push(
      `METRICS_LISTEN ${metricsPlace.host} is open to the network: whoever reaches it reads how much is paid and held. ` +
        "Let a firewall keep all but Prometheus away, or use a loopback address or a socket",
    );
  }
  const collector = exposed.tracesPlace && new URL(exposed.tracesPlace.url);
  if (collector?.protocol === "http:" && isRemote(collector)) {
    warnings.push(
      "Traces go over the network without TLS: name the https address of the collector, or one on this machine",
    );
  }
  for (const [name, text] of Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  })) {
    const servers = text === undefined ? [] : (parseDatabaseUrl(text) ?? []);
    const urls = servers.map(({ url }) => new URL(url));
    if (urls.some((url) => isRemote(url) && !hasTls(url))) {
      warnings.push(`${name} leads over the network without TLS: add sslmode=verify-full to it`);
    }
  }
  return warnings;
}

/** Without a host, or with a folder in its place, it is a socket of this machine. */
function isRemote({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get("host") ?? hostname.replaceAll(/^\[|\]$/g, "");
  return host !== "" && !host.startsWith("/") && !host.startsWith("%2F") && !loopback.test(host);
}

function hasTls({ searchParams }: URL): boolean {
  return safeModes.has(searchParams.get("sslmode") ?? "") || searchParams.get("ssl") === "true";
}
