// The socket that the process with the keys listens on. One line is one request and gets one answer,
// in the order of a connection. Whatever comes in, nothing of it is repeated, and no key is near.

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import {
  answerLine,
  limitUsesMax,
  parseRequest,
  requestBytesMax,
  socketPathBytesMax,
} from "../signer-client/protocol.ts";
import type { ErrorKind, SignerAnswer, SignerRequest } from "../signer-client/protocol.ts";
import { ProtocolError } from "../signer-client/message-line.ts";
import type { Logger } from "../system/logging.ts";
import { isAnswered, listenOnSocket } from "../system/private-socket.ts";
import type { SigningDesk } from "./desk.ts";
import { accountName } from "./policy.ts";
import { SignerStartError } from "./start-error.ts";

/** Each process that asks keeps one. */
const connectionsMax = 64;
/** Requests of one connection that wait; who sends more at once is cut off. */
const waitingMax = 1_000;
/** Answers that nobody reads; a client of ours waits for less than this. */
const unreadBytesMax = 8_388_608;

export interface SignerServerPorts {
  readonly socketPath: string;
  /** group: the socket's group may connect, too; else only its user */
  readonly access: "owner" | "group";
  readonly desk: Pick<
    SigningDesk,
    "accounts" | "sign" | "nextNonce" | "claimIndexes" | "limitUses" | "position"
  >;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

export interface SignerServer {
  readonly close: () => Promise<void>;
}

/** To be called by the holder of the folder's lock: a socket that lies there was left by a dead one. */
export async function listenForIntents(ports: SignerServerPorts): Promise<SignerServer> {
  const { socketPath, access } = ports;
  if (Buffer.byteLength(socketPath) > socketPathBytesMax) {
    throw new SignerStartError(
      `The path ${socketPath} is too long for a socket: name a shorter one in SIGNER_SOCKET.`,
    );
  }
  mkdirSync(dirname(socketPath), { recursive: true, mode: access === "group" ? 0o750 : 0o700 });
  await removeSocket(socketPath);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(ports, socket);
  });
  server.maxConnections = connectionsMax;
  await listenOnSocket(server, socketPath, access === "group" ? 0o660 : 0o600);
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve()); // removes the file as well
      });
    },
  };
}

async function removeSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new SignerStartError(`${path} is there and is no socket.`);
  // The lock is on the folder; the socket may be that of a signer with another folder.
  if (await isAnswered(path)) {
    throw new SignerStartError(
      `Another process listens on ${path}: stop that one, or name another SIGNER_SOCKET.`,
    );
  }
  rmSync(path, { force: true });
}

function serve(ports: SignerServerPorts, socket: Socket): void {
  let text = "";
  let waiting = 0;
  let work = Promise.resolve();
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    waiting += lines.length;
    const isTooMuch = [...lines, text].some((line) => line.length > requestBytesMax);
    if (isTooMuch || waiting > waitingMax) {
      ports.log.warn({ waiting }, "a client sends too much at once, and is cut off");
      socket.destroy();
      return;
    }
    for (const line of lines) {
      work = work.then(async () => {
        waiting -= 1;
        if (socket.destroyed) return;
        socket.write(`${await answerTo(ports, line)}\n`);
        if (socket.writableLength <= unreadBytesMax) return;
        ports.log.warn({}, "a client does not read its answers, and is cut off");
        socket.destroy();
      });
    }
  });
}

async function answerTo(ports: SignerServerPorts, line: string): Promise<string> {
  let request: SignerRequest;
  try {
    request = parseRequest(line);
  } catch (error) {
    const isKnown = error instanceof ProtocolError;
    if (!isKnown) logFailure(ports, error);
    return failed(isKnown ? error.id : null, "invalid", isKnown ? error.message : "no request");
  }
  const { id } = request;
  try {
    return answerLine(await perform(ports, request));
  } catch (error) {
    if (error instanceof SignerRefusal) {
      ports.log.warn({ reason: error.message }, "refused to sign");
      const kind = error instanceof NonceTaken ? "taken" : "refused";
      return failed(id, kind, error.message);
    }
    logFailure(ports, error);
    return failed(id, "broken", "the signer failed inside; its log says more");
  }
}

async function perform(
  { desk, log }: SignerServerPorts,
  request: SignerRequest,
): Promise<SignerAnswer> {
  const { id } = request;
  switch (request.ask) {
    case "accounts":
      return { id, accounts: desk.accounts };
    case "journal":
      return { id, journal: desk.position };
    case "limits":
      return { id, limits: desk.limitUses(request.chainId).slice(0, limitUsesMax) };
    case "nonce":
      return { id, nextNonce: desk.nextNonce(request) };
    case "claim": {
      const { first, count } = request;
      const freeFrom = desk.claimIndexes(first, count);
      if (count > 0n && freeFrom <= first) log.info(claimFacts(first, count), "indexes claimed");
      return { id, freeFrom };
    }
    default: {
      const { chainId, intent } = request;
      const signed = await desk.sign(chainId, intent);
      log.info({ ...signedFacts(chainId, intent), tx_hash: signed.txHash }, "signed");
      return { id, signed };
    }
  }
}

function claimFacts(first: bigint, count: bigint) {
  return { first: first.toString(), count: count.toString() };
}

/** A line for each signature: what left, from where, and to whom. */
function signedFacts(chainId: string, { account, nonce, action }: ActionIntent) {
  const moved = action.kind === "settle" ? action.signed.authorization : action;
  const { to, contractAddress, amountRaw } = "authorization" in moved ? moved.authorization : moved;
  return {
    chain_id: chainId,
    account: accountName(account),
    // Not named nonce, which the log leaves out: those of requests are secret.
    number: nonce.toString(),
    kind: action.kind,
    to,
    contract_address: contractAddress,
    amount_raw: (action.kind === "settle" ? action.amountRaw : amountRaw).toString(),
  };
}

/** Only the kind of it and where: a library may put what it was given into its message. */
function logFailure({ log }: SignerServerPorts, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const stack = error instanceof Error ? error.stack : undefined;
  const places = stack?.split("\n").filter((place) => place.startsWith("    at "));
  log.error({ name, code, places }, "a request failed inside");
}

function failed(id: number | null, kind: ErrorKind, text: string): string {
  return answerLine({ id, error: { kind, text: text.slice(0, 1_000) } });
}
