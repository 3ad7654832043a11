// Connections to receivers that wait for the next event: to connect anew costs more than an event.
//
// One that stands is used again only for the endpoint that it was made for, so that no receiver has a say in what
// becomes of another one's events, and only while the name leads to the very addresses that were looked at before
// it was dialled. It ends when nothing is sent for a while, and after its time however busy it is: then the
// certificate is looked at again.

import { Agent as HttpAgent } from "node:http";
import type { AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
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
  idleMax: 256,
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
  return {
    http: keeping(new HttpAgent(options), limits),
    // No certificate is believed because another connection has looked at it.
    https: keeping(new HttpsAgent({ ...options, maxCachedSessions: 0 }), limits),
  };
}

/** Those with the same name are alike to an agent. */
function keeping<Kind extends HttpAgent>(agent: Kind, limits: KeptLimits): Kind {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (request?: Parameters<typeof nameOf>[0] & KeptBy) =>
    `${nameOf(request)} ${request?.keptBy}`;
  const keep = agent.keepSocketAlive.bind(agent);
  const firstKeptAt = new WeakMap<Duplex, number>();
  agent.keepSocketAlive = (socket) => {
    const now = performance.now();
    const since = firstKeptAt.get(socket) ?? now;
    firstKeptAt.set(socket, since);
    const idle = Object.values(agent.freeSockets).reduce((sum, some = []) => sum + some.length, 0);
    if (now - since >= limits.ageMillisecondsMax || idle >= limits.idleMax) return false;
    // What the receiver says of itself counts as well: false too.
    return keep(socket);
  };
  return agent;
}
