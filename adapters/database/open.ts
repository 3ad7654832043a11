// The database the configuration asks for: a PostgreSQL server, or the embedded one.

import { embeddedFolder, takeDataDirectory } from "../configuration/data-directory.ts";
import { findOptional, PackageMissing } from "../system/optional-package.ts";
import { withBatching } from "./batching.ts";
import type { BatchingOptions } from "./batching.ts";
import type { PgliteOptions } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";
import type { PostgresOptions } from "./postgres.ts";
import type { OpenedDatabase } from "./session.ts";

export type DatabasePlace =
  | ({ readonly kind: "postgres" } & PostgresOptions)
  | ({
      readonly kind: "embedded";
      readonly dataDirectory: string;
    } & Pick<PgliteOptions, "isUnoptimized" | "template">);

/** An image for production has none. */
const embeddedPackage = "@electric-sql/pglite";

/** Hears how a database is used. */
export interface DatabaseObserver {
  /** below what makes one call of many: each of its calls goes to the server */
  readonly observe?: ((database: OpenedDatabase) => OpenedDatabase) | undefined;
  /** of how many calls one was made */
  readonly onBatch?: BatchingOptions["onBatch"];
  /** the same, for whoever made one of them */
  readonly follow?: BatchingOptions["follow"];
}

/**
 * Opened, and its tables up to date. Throws `DataDirectoryInUse`, `DataDirectoryClosed`, `MigrationError`,
 * `PackageMissing` or `service_unavailable`.
 */
export async function openDatabase(
  place: DatabasePlace,
  observer?: DatabaseObserver,
): Promise<OpenedDatabase> {
  const finish = (database: OpenedDatabase): OpenedDatabase =>
    withBatching(observer?.observe?.(database) ?? database, {
      onBatch: observer?.onBatch,
      follow: observer?.follow,
    });
  if (place.kind === "postgres") {
    return finish(await openPostgres(place));
  }
  if (findOptional(embeddedPackage) === undefined) {
    throw new PackageMissing(
      embeddedPackage,
      "Without DATABASE_URL the embedded database is used: name a PostgreSQL server in DATABASE_URL",
    );
  }
  const { kind: _, dataDirectory, ...options } = place;
  const directory = takeDataDirectory(dataDirectory);
  try {
    // Only where it is wanted: most servers have another database.
    const { openPglite } = await import("./pglite.ts");
    const database = await openPglite({ folder: embeddedFolder(dataDirectory), ...options });
    const close = () => database.close().finally(directory.release);
    return finish({ ...database, close });
  } catch (error) {
    directory.release();
    throw error;
  }
}
