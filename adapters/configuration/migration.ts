// What `npm run migrate` has to know: where the tables are. It needs no key and no chain, so that whoever changes the
// tables need not have them.

import { ConfigurationError, readPlace } from "./configuration.ts";
import type { Configuration } from "./configuration.ts";
import { Reader } from "./reader.ts";
import type { Environment } from "./reader.ts";

/** Throws `ConfigurationError`. */
export function parseMigrationPlace(
  environment: Environment,
): Pick<Configuration, "cell"> & { readonly databaseUrl: string } {
  const mistakes: string[] = [];
  const read = new Reader(environment, mistakes);
  const { cell, databaseUrl } = readPlace(read);
  if (databaseUrl === undefined && mistakes.length === 0) {
    mistakes.push(
      "DATABASE_URL is missing; name the PostgreSQL server, with the role that owns the tables (the embedded database " +
        "is brought up to date by npm start)",
    );
  }
  if (databaseUrl === undefined || mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { cell, databaseUrl };
}
