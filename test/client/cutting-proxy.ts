// Stands between a client and a server, and cuts one exchange after so many bytes of it, whoever has sent them.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** The next exchange ends after so many bytes; Infinity: it does not. */
  readonly cutAfter: (bytes: number) => void;
  /** bytes that went through since then, request and answer together */
  readonly passed: () => number;
  /** how often it has cut */
  readonly cuts: () => number;
}

export async function startCuttingProxy(target: URL): Promise<CuttingProxy> {
  let left = Infinity;
  let passed = 0;
  let cuts = 0;
  const open = new Set<Socket>();
  const cut = (from: Socket, to: Socket, last: Buffer): void => {
    left = Infinity;
    cuts += 1;
    from.pause();
    to.pause();
    // What came before the cut still arrives.
    to.write(last, () => {
      from.destroy();
      to.destroy();
    });
  };
  const pass = (from: Socket, to: Socket): void => {
    from.on("data", (chunk: Buffer) => {
      const part = chunk.subarray(0, Math.min(chunk.length, left));
      left -= part.length;
      passed += part.length;
      if (left > 0) to.write(part);
      else cut(from, to, part);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    }
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cutAfter: (bytes) => {
      left = bytes;
      passed = 0;
    },
    passed: () => passed,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
