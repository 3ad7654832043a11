// Connections to receivers that wait for the next event: to connect anew costs more than an event.
//
// One that stands is used again only for the endpoint that it was made for, so that no receiver has a say in what
// becomes of another one's events, and only while the name leads to the very addresses that were looked at before
// it was dialled. It ends when nothing is sent for a while, and after its time however busy it is: then the
// certificate is looked at again.

import { Agent as HttpAgent } from "node:http";
import type { AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface KeptLimits {
  readonly idleMilliseconds: number;
  readonly ageMillisecondsMax: number;
  /** that nothing is sent on, of all receivers together */
  readonly idleMax: number;
}

export const keptLimits: KeptLimits = {
  idleMilliseconds: 10_000,
  ageMillisecondsMax: 60_000,
  idleMax: 1_024,
};

/** Options of a request, handed on by Node to its agent. */
export interface KeptBy {
  readonly keptBy?: string;
}

/** @param addresses that the name of the endpoint leads to now */
export function keptBy(endpointId: string, addresses: readonly string[]): string {
  return [endpointId, ...addresses.toSorted()].join(" ");
}

export interface KeptConnections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export function keepConnections(limits: KeptLimits = keptLimits): KeptConnections {
  const options: AgentOptions = { keepAlive: true, timeout: limits.idleMilliseconds };
  const kept = {
    http: new HttpAgent(options),
    // No certificate is believed because another connection has looked at it.
    https: new HttpsAgent({ ...options, maxCachedSessions: 0 }),
  };
  const waiting = new Set<Socket>();
  keeping(kept.http, waiting, limits);
  keeping(kept.https, waiting, limits);
  return kept;
}

/** @param waiting those of all agents that nothing is sent on, in the order in which they came to wait */
function keeping(agent: HttpAgent, waiting: Set<Socket>, limits: KeptLimits): void {
  const dialledAt = new WeakMap<Duplex, number>();
  const use = agent.reuseSocket.bind(agent);
  const nameOf = agent.getName.bind(agent);
  const dial = agent.createConnection.bind(agent);
  const keep = agent.keepSocketAlive.bind(agent);
  // Those with the same name are alike to an agent.
  agent.getName = (request?: Parameters<typeof nameOf>[0] & KeptBy) =>
    `${nameOf(request)} ${request?.keptBy}`;
  agent.createConnection = (request, whenThere) => {
    const socket = dial(request, whenThere);
    if (!socket) return socket;
    dialledAt.set(socket, performance.now());
    if (socket instanceof Socket) socket.once("close", () => waiting.delete(socket));
    return socket;
  };
  agent.keepSocketAlive = (socket) => {
    const age = performance.now() - (dialledAt.get(socket) ?? Number.NEGATIVE_INFINITY);
    const left = limits.ageMillisecondsMax - age;
    if (left <= 0) return false;
    // What the receiver says of itself counts as well: false too.
    const isKept: unknown = keep(socket);
    if (isKept === false || !(socket instanceof Socket)) return false;
    socket.setTimeout(Math.min(socket.timeout ?? limits.idleMilliseconds, left));
    waiting.add(socket);
    // Of too many that wait, those end that wait longest.
    for (const one of waiting) {
      if (waiting.size <= limits.idleMax) break;
      waiting.delete(one);
      one.destroy();
    }
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    if (socket instanceof Socket) waiting.delete(socket);
    use(socket, request);
  };
}
