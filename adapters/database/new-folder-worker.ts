// Makes a new database in a thread of its own, which `createFolder` starts.

import { workerData } from "node:worker_threads";
import type { NewDatabaseOrder } from "./new-folder.ts";
import { makePglite } from "./pglite.ts";
import { keepTemplate } from "./template.ts";

// Given by `createFolder` only.
const { folder, isUnoptimized = false, template } = workerData as NewDatabaseOrder;
await makePglite({ folder, isUnoptimized });
if (template !== undefined) keepTemplate(template, folder);
