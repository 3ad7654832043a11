// What HTTP/1.1 asks of any server (RFC 9112, RFC 9110), over a socket of its own: what no client library sends.

import { connect } from "node:net";

export interface RawTry {
  readonly name: string;
  readonly text: string;
  /** status lines, in order; of each one that may stand there */
  readonly statuses: readonly (readonly number[])[];
}

const end = "\r\n\r\n";
const silenceMilliseconds = 5_000;

export function rawTries(host: string): readonly RawTry[] {
  const get = (target: string, ...headers: readonly string[]): string =>
    [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers].join("\r\n") + end;
  const nowhere = "/a-path-that-no-document-has";
  const bad = [[400]];
  const post = (...headers: readonly string[]): string =>
    [`POST ${nowhere} HTTP/1.1`, `Host: ${host}`, ...headers].join("\r\n") + end;
  return [
    { name: "a path that the document does not have", text: get(nowhere), statuses: [[404]] },
    {
      name: "two requests at once are answered in order",
      text: get(nowhere) + get(nowhere, "Connection: close"),
      statuses: [[404], [404]],
    },
    { name: "no HTTP", text: `hello${end}`, statuses: bad },
    { name: "a header without a colon", text: get(nowhere, "no colon"), statuses: bad },
    { name: "a header with a space before its colon", text: get(nowhere, "A : b"), statuses: bad },
    { name: "no Host", text: `GET ${nowhere} HTTP/1.1${end}`, statuses: bad },
    {
      name: "two lengths",
      text: `${post("Content-Length: 1", "Content-Length: 2")}ab`,
      statuses: bad,
    },
    {
      name: "a length and chunks",
      text: `${post("Content-Length: 5", "Transfer-Encoding: chunked")}0${end}`,
      statuses: bad,
    },
    { name: "a length below 0", text: post("Content-Length: -1"), statuses: bad },
    {
      name: "a chunk of no length",
      text: `${post("Transfer-Encoding: chunked")}zz\r\na${end}`,
      statuses: [[400, 404]],
    },
    {
      name: "headers of a megabyte",
      text: get(nowhere, `A: ${"b".repeat(1_000_000)}`),
      statuses: [[431, 400]],
    },
    {
      name: "a method that nobody knows",
      text: get(nowhere).replace("GET", "BREW"),
      statuses: [[400, 404, 405, 501]],
    },
  ];
}

/** Undefined: it is answered as it must be. */
export async function runRaw(url: string, one: RawTry): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const said = await exchange({ hostname, port: Number(port) }, one);
  const found = [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const isRight = one.statuses.every((any, at) => any.includes(found[at] ?? 0));
  if (isRight && found.length === one.statuses.length) return undefined;
  const wanted = one.statuses.map((any) => any.join(" or ")).join(", then ");
  return `${found.join(", then ") || "no answer"} in place of ${wanted}`;
}

/** All that comes back until the server closes, or until all answers are there and nothing more comes. */
function exchange(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  { text, statuses }: RawTry,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname);
    let said = "";
    const finish = (): void => {
      socket.destroy();
      resolve(said);
    };
    const wanted = (): boolean => (said.match(/HTTP\/1\.1 /g) ?? []).length >= statuses.length;
    socket.setEncoding("latin1").setTimeout(silenceMilliseconds, finish);
    socket.on("data", (chunk: string) => {
      said += chunk;
      if (wanted()) finish();
    });
    // What is refused may be closed while it is still being sent.
    socket.on("error", finish).on("close", finish);
    socket.on("connect", () => socket.write(text, "latin1"));
  });
}
