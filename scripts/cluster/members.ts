// Three PostgreSQL servers under Patroni with synchronous replication, and the etcd that says which of them leads.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Part, waitUntil } from "./parts.ts";
import type { Programs, User } from "./programs.ts";
import { query } from "./querying.ts";

export interface MemberPorts {
  readonly postgres: number;
  /** Patroni's REST interface */
  readonly rest: number;
}

export interface Member extends MemberPorts {
  readonly name: string;
  /** of its files alone */
  readonly disk: string;
  /** Patroni, and below it PostgreSQL */
  readonly part: Part;
}

export interface Place {
  readonly folder: string;
  readonly programs: Programs;
}

export interface Members {
  readonly all: readonly Member[];
  readonly etcd: Part;
  /** Undefined: nobody leads. */
  readonly leader: () => Promise<Member | undefined>;
  /** one that follows, the synchronous one before others */
  readonly standby: () => Promise<Member | undefined>;
  /** One leads, the others follow, one of them synchronously. */
  readonly isWhole: () => Promise<boolean>;
  /** To the synchronous standby. */
  readonly switchOver: () => Promise<void>;
  /** of a database of the one that leads */
  readonly url: (database: string) => Promise<string>;
}

export const role = "merchant";
const diskSize = "1g";
const password = "cluster";

interface Said {
  readonly name: string;
  readonly role: string;
  readonly timeline?: number;
}

export async function startMembers(
  { folder, programs }: Place,
  {
    etcdPorts: [client = 0, peer = 0],
    members,
  }: { readonly etcdPorts: readonly number[]; readonly members: readonly MemberPorts[] },
): Promise<Members> {
  const etcd = etcdPart({ folder, programs }, client, peer);
  etcd.start();
  const all = members.map((ports, index) =>
    memberOf({ folder, programs }, `node${index + 1}`, { ...ports, etcd: client }),
  );
  const cluster = clusterOf(all, etcd);
  const [first, ...others] = all;
  first?.part.start();
  await waitUntil("the first server leads", async () => (await cluster.leader()) === first, 120);
  await prepareDatabase(await cluster.url("postgres"));
  for (const { part } of others) part.start();
  await waitUntil("two servers follow it", cluster.isWhole, 120);
  return cluster;
}

function etcdPart({ folder, programs }: Place, client: number, peer: number): Part {
  const own = join(folder, "etcd");
  mkdirSync(own);
  const [clients, peers] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
  const settings: Readonly<Record<string, string | undefined>> = {
    "data-dir": join(own, "data"),
    name: "etcd1",
    "listen-client-urls": clients,
    "advertise-client-urls": clients,
    "listen-peer-urls": peers,
    "initial-advertise-peer-urls": peers,
    "initial-cluster": `etcd1=${peers}`,
    "enable-v2": "true",
  };
  return new Part({
    name: "etcd",
    command: programs.etcd,
    parameters: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    home: folder,
    log: join(folder, "etcd.log"),
    folder: own,
  });
}

function memberOf(
  { folder, programs }: Place,
  name: string,
  ports: MemberPorts & { readonly etcd: number },
): Member {
  const disk = join(folder, name);
  give(disk, programs.user);
  if (hasDisks()) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskSize}`, "tmpfs", disk]);
    give(disk, programs.user);
    chmodSync(disk, 0o700);
  }
  const configuration = join(folder, `${name}.json`);
  const settings = patroniSettings({ name, disk, programs }, ports);
  // YAML, of which JSON is a part
  writeFileSync(configuration, JSON.stringify(settings, null, 2), { mode: 0o644 });
  const part = new Part({
    name,
    command: programs.patroni,
    parameters: [configuration],
    user: programs.user,
    home: folder,
    log: join(folder, `${name}.log`),
    folder: disk,
    others: () => postgresOf(join(disk, "data")),
  });
  return { name, disk, part, postgres: ports.postgres, rest: ports.rest };
}

/** Its main process is nobody's child: it outlives Patroni. */
function postgresOf(data: string): readonly number[] {
  const pidFile = join(data, "postmaster.pid");
  if (!existsSync(pidFile)) return [];
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  try {
    // One that was killed leaves its number behind, and somebody else may have that now.
    return readlinkSync(`/proc/${pid}/cwd`) === data ? [pid] : [];
  } catch {
    return []; // nobody has
  }
}

/** Whether each server has a disk of its own, which only root can make. */
export function hasDisks(): boolean {
  return process.getuid?.() === 0;
}

export function give(path: string, { uid, gid }: User): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

interface Node {
  readonly name: string;
  readonly disk: string;
  readonly programs: Programs;
}

/**
 * As Patroni's documentation has them: https://patroni.readthedocs.io/en/latest/yaml_configuration.html. A primary that
 * has died is not started again while another one can lead ("primary_start_timeout" of 0): it comes back as a standby.
 */
function patroniSettings(
  { name, disk, programs }: Node,
  ports: MemberPorts & { readonly etcd: number },
): object {
  return {
    scope: "merchant",
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
    // By version 2 of its interface: by version 3 Patroni 3.0.2, which Debian 12 has, writes its name over that of another
    // leader when it comes back from being frozen, and what that one acknowledged is lost.
    etcd: { host: `127.0.0.1:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ttl: 10,
        loop_wait: 1,
        retry_timeout: 3,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            shared_buffers: "64MB",
            min_wal_size: "32MB",
            max_wal_size: "96MB",
            // One that comes back begins at its last checkpoint before the other one led: that is further back than
            // `max_wal_size`, and without it there it never follows again.
            wal_keep_size: "192MB",
          },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${ports.postgres}`,
      data_dir: join(disk, "data"),
      bin_dir: programs.postgres,
      pgpass: join(disk, "pgpass"),
      parameters: { unix_socket_directories: "" },
      pg_hba: ["host all all 127.0.0.1/32 trust", "host replication replicator 127.0.0.1/32 trust"],
      // Where it cannot be rewound, as after a full disk, it is copied from the leader anew: else people have to. What it alone
      // has nobody was told of: the other two have all that was answered.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: {
        superuser: { username: "postgres", password },
        replication: { username: "replicator", password },
        rewind: { username: "rewinder", password },
      },
    },
  };
}

/** What a connection through a pooler cannot say for itself is said of the role (docs/running/storage.md). */
async function prepareDatabase(url: string): Promise<void> {
  const settings = {
    statement_timeout: "10s",
    idle_in_transaction_session_timeout: "15s",
    jit: "off",
    random_page_cost: "1.1",
  };
  await query(url, `create role ${role} login`);
  for (const [name, value] of Object.entries(settings)) {
    await query(url, `alter role ${role} set ${name} = '${value}'`);
  }
  await query(url, `create database ${role} owner ${role}`);
}

function clusterOf(all: readonly Member[], etcd: Part): Members {
  const looks = async (): Promise<readonly Said[]> => {
    for (const { rest } of all) {
      const said = await ask<{ readonly members?: readonly Said[] }>(rest, "cluster");
      if (said?.members !== undefined) return said.members;
    }
    return [];
  };
  const named = (said: Said | undefined): Member | undefined =>
    all.find(({ name }) => name === said?.name);
  const leader = async (): Promise<Member | undefined> => {
    const answers = await Promise.all(
      all.map(({ rest }) => ask<{ readonly role?: string }>(rest, "primary")),
    );
    return all[answers.findIndex((answer) => answer !== undefined)];
  };
  const standby = async (): Promise<Member | undefined> => {
    const said = await looks();
    return named(
      said.find((one) => one.role === "sync_standby") ?? said.find((one) => one.role === "replica"),
    );
  };
  return {
    all,
    etcd,
    leader,
    standby,
    // Each is asked itself: what etcd has of one that is gone stays there for a while.
    isWhole: async () => {
      const of = async (what: string): Promise<number> => {
        const answers = await Promise.all(all.map(({ rest }) => ask(rest, what)));
        return answers.filter((answer) => answer !== undefined).length;
      };
      const [primaries, standbys, synchronous] = await Promise.all(
        ["primary", "replica", "synchronous"].map(of),
      );
      const said = await looks();
      const isOneTimeline = new Set(said.map(({ timeline }) => timeline)).size === 1;
      return primaries === 1 && standbys === all.length - 1 && synchronous === 1 && isOneTimeline;
    },
    switchOver: async () => {
      const from = await leader();
      const to = await standby();
      if (from === undefined || to === undefined) throw new Error("nobody to switch over to");
      const answer = await fetch(`http://127.0.0.1:${from.rest}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: from.name, candidate: to.name }),
      });
      if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`);
    },
    url: async (database) => {
      const one = await leader();
      if (one === undefined) throw new Error("no server leads");
      return `postgres://postgres@127.0.0.1:${one.postgres}/${database}`;
    },
  };
}

const askMillisecondsMax = 1_000;

/** Undefined: it does not say, or says no. */
async function ask<Answer>(port: number, path: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      signal: AbortSignal.timeout(askMillisecondsMax),
    });
    // As Patroni's documentation describes it.
    return answer.ok ? ((await answer.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}
