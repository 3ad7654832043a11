// Operator's commands for the process that holds the embedded database: a socket in the data folder
// that only the folder's owner can open. One line of JSON in, one line out.

import { existsSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { listenOnSocket } from "../system/private-socket.ts";
import { NotReachable } from "../../service/operator-error.ts";
import type { AdminRequest } from "./command.ts";
import { type AdminAnswer, failureOf } from "./answers.ts";

const socketFile = "admin.sock";
/** What the kernel takes as the path of a socket, with a little to spare. */
const pathBytesMax = 100;
/** A catalog file is some hundred kB. */
const requestBytesMax = 8_388_608;

export function adminSocketPath(dataDirectory: string): string {
  return join(dataDirectory, socketFile);
}

export interface AdminSocketPorts {
  readonly dataDirectory: string;
  readonly run: (request: AdminRequest) => Promise<AdminAnswer>;
  readonly log: {
    readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
    readonly error: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  };
}

export interface AdminSocket {
  readonly close: () => Promise<void>;
}

/** To be called by the holder of the data folder: a socket that lies there was left by a dead one. */
export async function listenForAdmin(ports: AdminSocketPorts): Promise<AdminSocket> {
  const path = adminSocketPath(ports.dataDirectory);
  if (Buffer.byteLength(path) > pathBytesMax) {
    ports.log.warn({ path }, "path too long for a socket: admin commands need a stopped server");
    return { close: () => Promise.resolve() };
  }
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(ports, socket);
  });
  await listenOnSocket(server, path, 0o600);
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve()); // removes the file as well
      });
    },
  };
}

function serve({ run, log }: AdminSocketPorts, socket: Socket): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  const onData = (chunk: string): void => {
    text += chunk;
    if (text.length > requestBytesMax) {
      socket.destroy();
      return;
    }
    const end = text.indexOf("\n");
    if (end === -1) return;
    socket.off("data", onData);
    answer(run, text.slice(0, end)).then(
      (line) => socket.end(`${line}\n`),
      (error: unknown) => {
        log.error({ err: error }, "an admin command failed inside");
        socket.end(`${JSON.stringify(failedInside(text.slice(0, end)))}\n`);
      },
    );
  };
  socket.on("data", onData);
}

function failedInside(line: string): AdminAnswer {
  const message = "It failed; the server's log says why.";
  return failureOf({ ending: "failed", message }, line.includes('"--json"'));
}

async function answer(run: AdminSocketPorts["run"], line: string): Promise<string> {
  // Only a process of the same user gets this far, and it runs the same code.
  const request = JSON.parse(line) as AdminRequest;
  return JSON.stringify(await run(request));
}

function notOurs(path: string): NotReachable {
  return new NotReachable(
    `The server that listens at ${path} takes commands of its own user alone: call it as that one.`,
  );
}

/** Undefined when no server listens there. */
export function askServer(
  dataDirectory: string,
  request: AdminRequest,
): Promise<AdminAnswer | undefined> {
  const path = adminSocketPath(dataDirectory);
  if (!existsSync(path)) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let text = "";
    let isConnected = false;
    const socket = connect(path, () => {
      isConnected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // Left by a server that was killed.
      const isAbandoned = error.code === "ECONNREFUSED" || error.code === "ENOENT";
      if (!isConnected && isAbandoned) resolve(undefined);
      else reject(error.code === "EACCES" ? notOurs(path) : error);
    });
    socket.once("close", () => {
      // The server writes exactly this.
      if (text.endsWith("\n")) resolve(JSON.parse(text) as AdminAnswer);
      else if (isConnected)
        reject(
          new NotReachable(
            "The server stopped before it answered: look whether it was done before you repeat it.",
          ),
        );
    });
  });
}
