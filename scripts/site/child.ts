// What a server of development starts beside itself: builds the site where it is missing or older than its sources, without
// taking anything from anybody, and ends when the server does. Another folder than the server's can be named.

import { constants, setPriority } from "node:os";
import { buildSite, siteFolder } from "./build.ts";

const end = () => process.exit(1);
process.on("disconnect", end);
setPriority(constants.priority.PRIORITY_LOW);
const [folder = siteFolder] = process.argv.slice(2);
await buildSite({ folder, base: undefined, isForced: false });
process.off("disconnect", end);
if (process.connected) process.disconnect();
