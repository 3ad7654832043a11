// What is between the service and its server, and breaks a connection in the worst moment: when the server has committed,
// and its answer is on the way; or just before the server hears of it. Messages as in PostgreSQL 15, chapter 55.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { eachMessage } from "./wire.ts";

export interface Cut {
  /** of what is written; in a transaction it is its commit that is cut off */
  readonly writes: RegExp;
  /** done: the server commits, and nobody hears of it. not done: it never hears of it */
  readonly how: "done" | "not done";
}

export interface AnswerCutter {
  /** of a database, in place of the server's own */
  readonly urlOf: (url: string) => string;
  /** the next one is cut off, and no other */
  readonly cutNext: (cut: Cut) => void;
  /** how many were */
  readonly cuts: () => number;
  readonly close: () => Promise<void>;
}

/** @param server the URL of any database on it */
export async function startAnswerCutter(server: string): Promise<AnswerCutter> {
  const { port: serverPort } = new URL(server);
  const cutting: Cutting = { wish: undefined, count: 0 };
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const behind = connect({ port: Number(serverPort), host: "127.0.0.1", noDelay: true });
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        behind.destroy();
      });
    }
    pass(client, behind, cutting);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo; // a TCP server has this form of address
  return {
    urlOf: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    cutNext: (cut) => {
      cutting.wish = cut;
    },
    cuts: () => cutting.count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

interface Cutting {
  wish: Cut | undefined;
  count: number;
}

function pass(client: Socket, server: Socket, cutting: Cutting): void {
  /** of the statements that this connection has prepared, by name */
  const texts = new Map<string, string>();
  let isInTransaction = false;
  let isMeant = false;
  let isCut = false;
  const cutIt = (): boolean => {
    if (cutting.wish?.how === "not done") client.destroy();
    isCut = true;
    cutting.wish = undefined;
    cutting.count += 1;
    return client.destroyed;
  };
  const onMessage = (type: string, whole: Buffer): void => {
    const words = whole.subarray(5).toString("latin1").split("\0");
    if (type === "P") texts.set(words[0] ?? "", words[1] ?? "");
    if (type === "B") {
      const text = texts.get(words[1] ?? "") ?? "";
      isMeant ||= cutting.wish?.writes.test(text) === true;
      if (isMeant && !isInTransaction && cutIt()) return;
    }
    if (type === "Q" && isMeant && words[0] === "commit" && cutIt()) return;
    server.write(whole);
  };
  client.once("data", (startup) => {
    server.write(startup);
    client.on("data", eachMessage(onMessage));
  });
  const onAnswer = (type: string, whole: Buffer): void => {
    if (!isCut) client.write(whole);
    if (type !== "Z") return;
    isInTransaction = whole.toString("latin1", 5) !== "I";
    if (!isInTransaction) isMeant = false;
    // Now it is done.
    if (isCut) client.destroy();
  };
  server.on("data", eachMessage(onAnswer));
}
