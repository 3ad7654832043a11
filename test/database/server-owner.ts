// A process that starts a PostgreSQL server and leaves it alone: `node server-owner.ts`.

import { startPostgresServer } from "../support/postgres-server.ts";

const server = await startPostgresServer({ isDurable: false });
process.stdout.write(`started ${server.pid()} in ${server.folder}\n`);
setInterval(() => undefined, 60_000); // until it is killed
