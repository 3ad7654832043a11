// What a server is at this moment, asked on a connection of its own.

import pg from "pg";
import type { NamedServer } from "../configuration/database-url.ts";
import { afterTicks } from "./ticks.ts";

export type Finding =
  /** It takes writes. A server that was promoted has a higher timeline than the one whose place it took. */
  | { readonly kind: "primary"; readonly timeline: number }
  /** It answers, and takes no writes. */
  | { readonly kind: "standby" }
  /** It, or its machine, says at once that there is nothing to connect to. */
  | { readonly kind: "refuses"; readonly reason: string }
  /** It, or a pooler in front of it, took the connection, and did not answer in time: all of it is in use. */
  | { readonly kind: "slow"; readonly reason: string }
  /** No answer in time: frozen, or the network is gone. */
  | { readonly kind: "mute" };

/** As people find it in the server's list of connections. */
export const applicationName = "merchant-crypto-payments";
/** 2.5 s. */
const answerTicksMax = 10;
const goodbyeTicks = 2;

interface Answer {
  readonly is_standby: boolean;
  readonly wal_file?: string | null;
}

const question = "select current_setting('transaction_read_only') = 'on' as is_standby";
/** Not every service that speaks as PostgreSQL does has such files. */
const questionOfSeveral = `${question},
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal_file`;

/** Does not throw. @param isOneOfSeveral false: nobody asks for its timeline */
export async function probe(server: NamedServer, isOneOfSeveral: boolean): Promise<Finding> {
  const { options, url: connectionString } = server;
  try {
    const client = new pg.Client({ connectionString, options, application_name: applicationName });
    return await askIn(client, isOneOfSeveral ? questionOfSeveral : question);
  } catch (error) {
    // A file that the URL names for TLS, say.
    return { kind: "refuses", reason: reasonOf(error) };
  }
}

async function askIn(client: pg.Client, text: string): Promise<Finding> {
  // What it breaks reports it.
  client.on("error", () => undefined);
  const late = new AbortController();
  const cut = () => void client.connection.stream.destroy();
  const cancel = afterTicks(answerTicksMax, () => {
    late.abort();
    cut();
  });
  let isTaken = false;
  try {
    await client.connect();
    isTaken = true;
    const { rows } = await client.query<Answer>(text);
    return findingOf(rows[0]);
  } catch (error) {
    if (!late.signal.aborted) return { kind: "refuses", reason: reasonOf(error) };
    return isTaken ? { kind: "slow", reason: "all of it is in use" } : { kind: "mute" };
  } finally {
    cancel();
    void client.end().catch(() => undefined);
    // It may not hear the goodbye any more.
    client.once("end", afterTicks(goodbyeTicks, cut));
  }
}

function findingOf(answer: Answer | undefined): Finding {
  if (answer === undefined || answer.is_standby) return { kind: "standby" };
  // The first eight digits of a file of the log (PostgreSQL 15, 9.27.4, `pg_walfile_name`).
  return { kind: "primary", timeline: Number.parseInt(answer.wal_file?.slice(0, 8) ?? "0", 16) };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
