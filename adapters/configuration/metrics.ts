// Where the numbers for Prometheus are, as METRICS_LISTEN says it.

import { isIP } from "node:net";
import type { Rule } from "./reader.ts";

export type MetricsPlace =
  | { readonly kind: "address"; readonly host: string; readonly port: number }
  | { readonly kind: "socket"; readonly path: string };

/** What the kernel takes as the path of a socket, with a little to spare. */
const pathBytesMax = 100;
const address = /^(?:\[(?<six>[0-9A-Fa-f:.]+)\]|(?<host>[0-9.]+|localhost)):(?<port>[0-9]{1,5})$/;

/** Undefined: it is of none of the two forms. */
export function parseMetricsPlace(text: string): MetricsPlace | undefined {
  if (text.startsWith("unix:")) {
    const path = text.slice("unix:".length);
    const fits =
      path.startsWith("/") && !path.includes("\0") && Buffer.byteLength(path) <= pathBytesMax;
    return fits ? { kind: "socket", path } : undefined;
  }
  const { six, host, port } = address.exec(text)?.groups ?? {};
  const named = six ?? host;
  if (named === undefined || Number(port) > 65_535) return undefined;
  if (named !== "localhost" && isIP(named) === 0) return undefined;
  return { kind: "address", host: named, port: Number(port) };
}

export const metricsRule: Rule = {
  fits: (text) => parseMetricsPlace(text) !== undefined,
  instead:
    "an address of this machine and a port, such as 127.0.0.1:9464 or [::1]:9464, or a socket such as " +
    `unix:/run/pay/metrics.sock (${pathBytesMax} bytes at most)`,
};
