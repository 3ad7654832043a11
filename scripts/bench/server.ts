// One server in its own process: says its port, and tells its CPU time whenever it is asked.

import { once } from "node:events";
import type { Server } from "node:http";

const [, , name = ""] = process.argv;
// each peer exports this one function
const peer = (await import(`./peers/${name}.ts`)) as { start: () => Server | Promise<Server> };
const server = await peer.start();
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as { port: number }; // a TCP server has no other kind

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on("disconnect", () => process.exit());
process.send?.({ port });
