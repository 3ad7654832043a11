// Where a configuration wants its database.

import type { Configuration } from "../configuration/configuration.ts";
import type { DatabasePlace } from "../database/open.ts";
import type { ReplicaNews } from "../database/replica.ts";
import type { ServerNews } from "../database/server-watch.ts";
import { templateFolder } from "../database/template.ts";
import type { Logger } from "../system/logging.ts";

/** @param hear is told, beside the log, which server is used */
export function databasePlaceOf(
  configuration: Configuration,
  log: Logger,
  hear?: (news: ServerNews | ReplicaNews) => void,
): DatabasePlace {
  const { databaseUrl, databaseReplicaUrl: replicaUrl, cell, dataDirectory } = configuration;
  if (databaseUrl !== undefined) {
    const onIdleError = (error: Error) => log.warn({ err: error }, "a database connection broke");
    const onNews = (news: ServerNews | ReplicaNews) => {
      tellNews(log, news);
      hear?.(news);
    };
    const onNewCell = (name: string) => log.warn({ cell: name }, newCellMessage);
    const onNewerTables = (names: readonly string[]) =>
      log.warn({ migrations: names }, newerMessage);
    const onEvents = { onIdleError, onNews, onNewCell, onNewerTables };
    const demands = {
      areTablesLeft: !configuration.migrates,
      mustBeSafe: configuration.environment === "production",
    };
    return { kind: "postgres", url: databaseUrl, replicaUrl, cell, ...demands, ...onEvents };
  }
  // It works for long, and a new one is made of nothing but the migrations.
  if (configuration.environment === "production") return { kind: "embedded", dataDirectory };
  const onUnusable = (reason: string) =>
    log.warn({ reason }, "the template of a new database is not used, and made anew");
  return {
    kind: "embedded",
    dataDirectory,
    isUnoptimized: true,
    template: { folder: templateFolder, onUnusable },
  };
}

/** Whoever has set CELL for a service that was there before has to hear it. */
const newCellMessage =
  "this cell is new in this database: its tables were made, and no merchant, key or payment is in them";

/** Servers of the version before come back while a new one is brought in, or is given up. */
const newerMessage =
  "the tables are those of a newer version, which says that this one works with them";

/** Nobody but a person can say that what is missing there is lost for good. */
const olderMessage =
  "the only database server that takes writes is older than the one that was used, and lacks what that one was given: " +
  "it is not used; if that one is lost for good, restart this process";

function tellNews(log: Logger, news: ServerNews | ReplicaNews): void {
  const { kind, server } = news;
  if (kind === "replica_used") {
    log.info({ server }, "reads that may be late are answered by the replica");
    return;
  }
  if (kind === "replica_left") {
    log.warn(
      { server, reason: news.reason },
      "the replica is not used, and reads go to DATABASE_URL",
    );
    return;
  }
  if (kind === "older") {
    const fields = { server, timeline: news.timeline, used_timeline: news.usedTimeline };
    log.error(fields, olderMessage);
    return;
  }
  if (kind === "silent") log.error({ server }, "the database does not answer: requests get 503");
  else if (kind === "back") log.info({ server }, "the database answers again");
  else log.warn({ server, before: news.before }, "another database server takes the writes now");
}
