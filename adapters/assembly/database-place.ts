// Where a configuration wants its database.

import type { Configuration } from "../configuration/configuration.ts";
import type { DatabasePlace } from "../database/open.ts";
import { templateFolder } from "../database/template.ts";
import type { Logger } from "../system/logging.ts";

export function databasePlaceOf(configuration: Configuration, log: Logger): DatabasePlace {
  const { databaseUrl, dataDirectory, environment } = configuration;
  if (databaseUrl !== undefined) {
    const onIdleError = (error: Error) => log.warn({ err: error }, "a database connection broke");
    return { kind: "postgres", url: databaseUrl, onIdleError };
  }
  // It works for long, and a new one is made of nothing but the migrations.
  if (environment === "production") return { kind: "embedded", dataDirectory };
  const onUnusable = (reason: string) =>
    log.warn({ reason }, "the template of a new database is not used, and made anew");
  return {
    kind: "embedded",
    dataDirectory,
    isUnoptimized: true,
    template: { folder: templateFolder, onUnusable },
  };
}
