// What is typed behind npm run drill:restore.

import { flags, positive, readCommandLine, worded } from "../../command-line.ts";

const help = `npm run drill:restore -- [options]

Starts PostgreSQL with a WAL archive, a chain, a signer and the service on this machine, sends load, takes a base backup
under load, notes a moment, goes on under load, and kills the service and the database. Then it restores the database to
that moment, starts the service on it, judges what it does, prints what a person must decide, and decides so by the
operator's commands. Linux, with Debian's package postgresql.

  --times N        drills, one after the other (1)
  --seed N         of the first one; the next one has the next number (1)
  --merchants N    who create payments, two a second each (6; 8 at most: one address may ask so often)
  --keep           leaves the folder with data, archive and logs where it is
  --help`;

export interface Options {
  readonly times: number;
  readonly seed: number;
  readonly merchants: number;
  readonly isKept: boolean;
}

const config = {
  options: {
    ...worded({ times: "1", seed: "1", merchants: "6" }),
    ...flags("keep"),
  },
} as const;

export function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => ({
    times: positive("times", values.times, 100),
    seed: positive("seed", values.seed, 2 ** 32 - 1),
    merchants: positive("merchants", values.merchants, 8),
    isKept: values.keep,
  }));
}
