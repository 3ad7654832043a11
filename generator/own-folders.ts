// Where this program lies: in its own repository, or built, as a package among others.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** It has been built into a package; in its own repository its sources run as they are. */
export const isPackaged = import.meta.url.endsWith(".js");

/** The folder of the sources, or of the package. */
export const ownFolder = dirname(fileURLToPath(import.meta.url));

/** The `node_modules` of the repository, or the one that the package lies in. */
export const modulesFolder = isPackaged
  ? dirname(ownFolder)
  : join(dirname(ownFolder), "node_modules");

/** What is remembered between runs. */
export const cacheFolder = join(modulesFolder, ".cache", "contract-generator");
