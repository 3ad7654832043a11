// How many connections there are at most: in all, from strangers, and from one of them. What is beyond
// that is closed without an answer: whoever opens connections in thousands reads none.

import type { Server } from "node:http";
import type { DropArgument, Socket } from "node:net";
import { addressRanges } from "../system/address-ranges.ts";
import { clientOf } from "./rate-limits.ts";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** A flood must not fill the log as well. */
  readonly refusalsToldMilliseconds: number;
}

export interface ConnectionPorts {
  readonly clock: { readonly monotonicMilliseconds: () => number };
  readonly log: {
    readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
  };
  /** CIDR ranges; all clients of a proxy come from its address */
  readonly trustedProxies: readonly string[];
  /** hears of each that was closed */
  readonly onRefused?: (() => void) | undefined;
}

/** What looks after the server on its own machine. */
const loopback = ["127.0.0.0/8", "::1/128"];
/** Our choice: what is kept free of strangers, so that they cannot shut a balancer out: a tenth, rounded up. */
const keptPart = 10;
/** Our choice: the networks of a /48 of IPv6 have so many times what one of them has. */
const addressesOfSite = 4;

export function boundConnections(
  server: Server,
  limits: ConnectionLimits,
  { clock, log, trustedProxies, onRefused }: ConnectionPorts,
): void {
  const { connectionsMax, connectionsPerAddressMax } = limits;
  const strangersMax = connectionsMax - Math.ceil(connectionsMax / keptPart);
  const open = new Map<string, number>();
  const refuse = tellRefusals(server, limits, { clock, log, onRefused });
  server.maxConnections = connectionsMax;
  server.on("drop", (dropped?: DropArgument) => refuse(dropped?.remoteAddress));
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || addressRanges.contains(trustedProxies, address)) return;
    const { network, site } = clientOf(address);
    const places = [
      { name: network, max: connectionsPerAddressMax },
      { name: `site ${site}`, max: connectionsPerAddressMax * addressesOfSite },
      ...(addressRanges.contains(loopback, address) ? [] : [{ name: "all", max: strangersMax }]),
    ];
    if (places.some(({ name, max }) => (open.get(name) ?? 0) >= max)) {
      refuse(address);
      socket.destroy();
      return;
    }
    for (const { name } of places) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once("close", () => {
      for (const { name } of places) {
        const left = (open.get(name) ?? 1) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      }
    });
  });
}

/** Counts one more; the first is told at once, the others together, the last of them too. */
function tellRefusals(
  server: Server,
  { connectionsMax, connectionsPerAddressMax, refusalsToldMilliseconds }: ConnectionLimits,
  { clock, log, onRefused }: Pick<ConnectionPorts, "clock" | "log" | "onRefused">,
): (address: string | undefined) => void {
  const limits = { connectionsMax, connectionsPerAddressMax };
  let refused = 0;
  let last: string | undefined;
  let toldAt: number | undefined;
  let later: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(later);
    later = undefined;
    if (refused === 0) return;
    toldAt = clock.monotonicMilliseconds();
    log.warn({ refused, remote: last, ...limits }, "connections above the limit were closed");
    refused = 0;
  };
  server.once("close", tell);
  return (address) => {
    refused += 1;
    onRefused?.();
    last = address;
    const now = clock.monotonicMilliseconds();
    const left = toldAt === undefined ? 0 : toldAt + refusalsToldMilliseconds - now;
    if (left <= 0) tell();
    else later ??= setTimeout(tell, left).unref();
  };
}
