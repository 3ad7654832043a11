// The embedded database of a folder, for processes that start often and do little.

import { openDatabase } from "../../adapters/database/open.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";

/** @param templates where a template of a new one is kept; left out: a new one is made of nothing but the migrations */
export function openEmbedded(dataDirectory: string, templates?: string): Promise<OpenedDatabase> {
  const onUnusable = (reason: string): never => {
    throw new Error(reason);
  };
  const template = templates === undefined ? undefined : { folder: templates, onUnusable };
  return openDatabase({ kind: "embedded", dataDirectory, isUnoptimized: true, template });
}
