// How many connections there are at most, in all and from one address. What is beyond that is closed
// without an answer: whoever opens connections in thousands reads none.

import type { Server } from "node:http";
import type { DropArgument, Socket } from "node:net";
import { addressRanges } from "../system/address-ranges.ts";
import { networkOf } from "./rate-limits.ts";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
}

export interface ConnectionPorts {
  readonly clock: { readonly monotonicMilliseconds: () => number };
  readonly log: {
    readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  };
  /** CIDR ranges; all clients of a proxy come from its address */
  readonly trustedProxies: readonly string[];
}

/** A flood must not fill the log as well. */
const toldMilliseconds = 60_000;

export function boundConnections(
  server: Server,
  { connectionsMax, connectionsPerAddressMax }: ConnectionLimits,
  { clock, log, trustedProxies }: ConnectionPorts,
): void {
  const open = new Map<string, number>();
  let refused = 0;
  let toldAt: number | undefined;
  const refuse = (address: string | undefined): void => {
    refused += 1;
    const now = clock.monotonicMilliseconds();
    if (toldAt !== undefined && now - toldAt < toldMilliseconds) return;
    toldAt = now;
    const limits = { connectionsMax, connectionsPerAddressMax };
    log.warn({ refused, remote: address, ...limits }, "connections above the limit were closed");
    refused = 0;
  };
  server.maxConnections = connectionsMax;
  server.on("drop", (dropped?: DropArgument) => refuse(dropped?.remoteAddress));
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || addressRanges.contains(trustedProxies, address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= connectionsPerAddressMax) {
      refuse(address);
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
