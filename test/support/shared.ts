// What a whole run of the tests has once: the first test that asks starts it, and a file of pure rules asks
// for nothing. The process that all test files are children of holds it; see shared-setup.ts.

import { get } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";

export interface Shared {
  /** the URL of the migrated template database on a PostgreSQL server for the tests */
  readonly postgres: string;
  /** host and port of a PgBouncer before that server; empty: PGBOUNCER names none */
  readonly pooler: string;
  /** the path of a migrated embedded database as an archive */
  readonly pgliteArchive: string;
  /** the same as a folder whose database has ended: one to copy, for a program of its own */
  readonly pgliteFolder: string;
  /** the path of a Chromium; empty: there is none */
  readonly chromium: string;
}

const asked = new Map<keyof Shared, Promise<string>>();

export function shared(name: keyof Shared): Promise<string> {
  const known = asked.get(name);
  if (known !== undefined) return known;
  const answer = ask(name);
  asked.set(name, answer);
  return answer;
}

function ask(name: keyof Shared): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(new URL(name, inject("sharedUrl")), { agent: false }, (response) => {
      text(response).then((answer) => {
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`the tests cannot have ${name}: ${answer}`));
      }, reject);
    });
    request.on("error", reject);
  });
}
