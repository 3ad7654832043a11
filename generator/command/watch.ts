// Waiting for edits.

import { existsSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Watches folders, because many editors replace a file instead of writing into it. What was saved
 * after `since`, while the last run was still reading and writing, counts as a change too.
 */
export function nextChange(files: readonly string[], since: number): Promise<void> {
  return new Promise((resume) => {
    const folders = [...new Set(files.map((file) => dirname(file)))].filter(existsSync);
    const stop = (): void => {
      for (const watcher of watchers) watcher.close();
      resume();
    };
    const watchers = folders.map((folder) =>
      watch(folder, (_event, name) => {
        if (name === null || files.includes(join(folder, name))) stop();
      }),
    );
    const savedAt = files.filter(existsSync).map((file) => statSync(file).mtimeMs);
    if (savedAt.some((time) => time >= since && time <= Date.now())) stop();
  });
}
