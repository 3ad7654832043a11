// The ways from the services to the servers. "network" is what everybody's packets go through, to each server by a port of
// its own; "router" asks Patroni who leads; PgBouncer stands before the router.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Part } from "./parts.ts";
import { give, role, type MemberPorts, type Place } from "./members.ts";

export interface DoorPorts {
  /** to each server */
  readonly network: readonly number[];
  readonly router: number;
  readonly pooler: number;
}

export interface Doors {
  readonly network: Part;
  readonly router: Part;
  readonly pooler: Part;
  readonly urls: {
    /** by PgBouncer and the router */
    readonly pooler: string;
    /** to the servers themselves, as the service finds out which of them takes writes */
    readonly servers: string;
  };
}

export function startDoors(place: Place, members: readonly MemberPorts[], ports: DoorPorts): Doors {
  const network = haproxyPart(place, "network", networkText(members, ports));
  const router = haproxyPart(place, "router", routerText(members, ports));
  const pooler = poolerPart(place, ports);
  for (const part of [network, router, pooler]) part.start();
  const hosts = ports.network.map((port) => `127.0.0.1:${port}`).join(",");
  return {
    network,
    router,
    pooler,
    urls: {
      pooler: `postgres://${role}@127.0.0.1:${ports.pooler}/${role}`,
      servers: `postgres://${role}@${hosts}/${role}?target_session_attrs=read-write`,
    },
  };
}

const common = `global
  maxconn 2000
defaults
  mode tcp
  retries 0
  timeout connect 3s
  timeout client 1h
  timeout server 1h
`;

function networkText(members: readonly MemberPorts[], { network }: DoorPorts): string {
  const listeners = members.map(
    ({ postgres }, index) => `listen node${index + 1}
  bind 127.0.0.1:${network[index]}
  server only 127.0.0.1:${postgres}
`,
  );
  return [common, ...listeners].join("");
}

/** As Patroni's documentation has it: who does not lead any more loses its connections. */
export function routerText(
  members: readonly MemberPorts[],
  { network, router }: Pick<DoorPorts, "network" | "router">,
): string {
  const servers = members.map(
    ({ rest }, index) =>
      `  server node${index + 1} 127.0.0.1:${network[index]} check port ${rest}\n`,
  );
  return `${common}listen primary
  bind 127.0.0.1:${router}
  option httpchk OPTIONS /primary
  http-check expect status 200
  timeout check 1s
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("")}`;
}

function haproxyPart({ folder, programs }: Place, name: string, text: string): Part {
  const configuration = join(folder, `${name}.cfg`);
  writeFileSync(configuration, text);
  return new Part({
    name,
    command: programs.haproxy,
    parameters: ["-db", "-f", configuration],
    home: folder,
    log: join(folder, `${name}.log`),
    folder,
  });
}

function poolerPart({ folder, programs }: Place, ports: DoorPorts): Part {
  const own = join(folder, "pgbouncer");
  give(own, programs.user);
  const configuration = join(folder, "pgbouncer.ini");
  writeFileSync(configuration, poolerText(ports, programs.poolMode));
  return new Part({
    name: "pgbouncer",
    command: programs.pgbouncer,
    parameters: [configuration],
    user: programs.user,
    home: folder,
    log: join(folder, "pgbouncer.log"),
    folder: own,
  });
}

/** As docs/running/storage.md has it. */
export function poolerText(
  { router, pooler }: Pick<DoorPorts, "router" | "pooler">,
  poolMode: "transaction" | "session",
): string {
  const statements = poolMode === "transaction" ? "max_prepared_statements = 1000\n" : "";
  return `[databases]
${role} = host=127.0.0.1 port=${router} dbname=${role} user=${role}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooler}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
${statements}ignore_startup_parameters = options, statement_timeout, idle_in_transaction_session_timeout
default_pool_size = 30
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
`;
}
