// What is broken, by name. Each gives the moment from which on writes may be expected again.

import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Dice } from "../../test/simulation/dice.ts";
import type { Doors } from "./doors.ts";
import type { Member, Members } from "./members.ts";
import { waitUntil } from "./parts.ts";
import type { Services } from "./services.ts";

export interface Cluster {
  readonly members: Members;
  readonly doors: Doors;
  readonly services: Services;
}

/** What was done to whom, for the table. */
export interface Broken {
  readonly whom: string;
  /** `performance.now()`: from then on writes are waited for */
  readonly endedAt: number;
  /** the service that alone may be without them before that */
  readonly only?: string;
}

export interface Fault {
  readonly says: string;
  readonly of: (cluster: Cluster, dice: Dice) => Promise<Broken>;
}

const nodeAwayMilliseconds = 15_000;
const frozenMilliseconds = 30_000;
const cutMilliseconds = 10_000;
const serviceFrozenMilliseconds = 15_000;
const fullMilliseconds = 20_000;
/** What the server gives back meanwhile, it does not get. */
const fillMilliseconds = 500;

export const faults: Readonly<Record<string, Fault>> = {
  "kill-primary": {
    says: "kill -9 of PostgreSQL on the server that leads; Patroni lives",
    of: async ({ members }) => {
      const { name, part } = await leaderOf(members);
      part.killOthers();
      return now(name);
    },
  },
  "kill-node": {
    says: "kill -9 of everything on the server that leads; it comes back after 15 s",
    of: async ({ members }) => {
      const { name, part } = await leaderOf(members);
      part.kill(nodeAwayMilliseconds);
      return now(name);
    },
  },
  "kill-standby": {
    says: "kill -9 of everything on the synchronous standby; it comes back after 15 s",
    of: async ({ members }) => {
      const standby = await members.standby();
      if (standby === undefined) throw new Error("there is no standby");
      standby.part.kill(nodeAwayMilliseconds);
      return now(standby.name);
    },
  },
  "freeze-primary": {
    says: "SIGSTOP to everything on the server that leads, for 30 s; then it comes back",
    of: async ({ members }) => {
      const { name, part } = await leaderOf(members);
      part.freeze();
      const since = now(name);
      await pause(frozenMilliseconds);
      part.thaw();
      return since;
    },
  },
  switchover: {
    says: "the server that leads hands over to the synchronous standby",
    of: async ({ members }) => {
      const from = await leaderOf(members);
      const since = now(from.name);
      await members.switchOver();
      return since;
    },
  },
  "full-disk": {
    says: "the disk of the server that leads (a tmpfs of its own) is full for 20 s",
    of: async ({ members }) => {
      const { name, disk } = await leaderOf(members);
      const filling = join(disk, "filling");
      const emptyAt = performance.now() + fullMilliseconds;
      for (; performance.now() < emptyAt; await pause(fillMilliseconds)) fill(disk, filling);
      rmSync(filling);
      return now(name);
    },
  },
  "kill-pgbouncer": {
    says: "kill -9 of PgBouncer; it comes back after a second",
    of: ({ doors }) => {
      doors.pooler.kill();
      return Promise.resolve(now(doors.pooler.name));
    },
  },
  "kill-service": {
    says: "kill -9 of a process of the service; it comes back after a second",
    of: ({ services }, dice) => {
      const { name, part } = dice.pick(services.all);
      part.kill();
      return Promise.resolve(now(name));
    },
  },
  "freeze-service": {
    says: "SIGSTOP to a process of the service, for 15 s",
    of: async ({ services }, dice) => {
      const { name, part } = dice.pick(services.all);
      part.freeze();
      await pause(serviceFrozenMilliseconds);
      part.thaw();
      return { ...now(name), only: name };
    },
  },
  "kill-signer": {
    says: "kill -9 of the signer; it comes back after a second",
    of: ({ services }) => {
      services.signer.kill();
      return Promise.resolve(now("signer"));
    },
  },
  "cut-network": {
    says: "nothing passes between the services and the servers for 10 s, and no connection is broken",
    of: async ({ doors }) => {
      doors.network.freeze();
      await pause(cutMilliseconds);
      doors.network.thaw();
      return now("network");
    },
  },
};

function now(whom: string): Broken {
  return { whom, endedAt: performance.now() };
}

/** Patroni may be choosing a new one: a busy machine is enough for that. */
async function leaderOf(members: Members): Promise<Member> {
  let leader: Member | undefined;
  await waitUntil("a server leads", async () => {
    leader = await members.leader();
    return leader !== undefined;
  });
  if (leader === undefined) throw new Error("unreachable: one leads");
  return leader;
}

/** To the last block. */
function fill(disk: string, path: string): void {
  const { bavail, bsize } = statfsSync(disk);
  const left = bavail * bsize;
  const part = Buffer.alloc(1 << 20);
  try {
    for (let written = 0; written <= left; written += part.length)
      writeFileSync(path, part, { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** In a seed's order, each of them before one comes again. */
export function* drawn(names: readonly string[], dice: Dice): Generator<string, never, undefined> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) {
      const [name = ""] = left.splice(dice.between(0, left.length - 1), 1);
      yield name;
    }
  }
}
