// What people type to run this program.

import { isPackaged } from "../own-folders.ts";

export const commandName = isPackaged ? "npx contract-generator" : "npm run generate --";

/** Without options. */
export const plainCommand = isPackaged ? commandName : "npm run generate";
