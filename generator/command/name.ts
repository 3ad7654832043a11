// What people type to run this program.

/** It has been built into a package; in its own repository its sources run as they are. */
export const isPackaged = import.meta.url.endsWith(".js");

export const commandName = isPackaged ? "npx contract-generator" : "npm run generate --";

/** Without options. */
export const plainCommand = isPackaged ? commandName : "npm run generate";
