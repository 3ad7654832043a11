// What is in front of a server, as a network is: it may let nobody new in, and break what it has let in.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface Door {
  readonly port: number;
  /** Whoever comes is taken in, and hears nothing. */
  isShut: boolean;
  /** how often somebody came */
  readonly asked: number;
  readonly breakAll: () => void;
  readonly close: () => Promise<void>;
}

export async function openDoor(serverPort: number): Promise<Door> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  const listener = createServer({ noDelay: true }, (client) => {
    keep(client);
    door.asked += 1;
    if (door.isShut) return;
    const server = connect({ port: serverPort, host: "127.0.0.1", noDelay: true });
    keep(server);
    client.pipe(server).pipe(client);
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo; // a TCP server has this form of address
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const door = {
    port,
    isShut: false,
    asked: 0,
    breakAll,
    close: async () => {
      breakAll();
      listener.close();
      await once(listener, "close");
    },
  };
  return door;
}
