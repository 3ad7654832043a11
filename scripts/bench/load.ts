// The load: so many connections, each with one request at a time.
//
// Our own, because a general client (autocannon, measured: a quarter of the server's time was spent
// waiting for it) costs more for a request than the servers compared here. This one writes the
// same bytes again and again and only counts what comes back, so that the server is what is measured.

import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { Sample } from "./requests.ts";

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** milliseconds */
  readonly p50: number;
  readonly p99: number;
}

interface Plan {
  readonly url: URL;
  readonly sample: Sample;
  readonly connections: number;
  readonly seconds: number;
}

/** Every answer must have this status and all of them the same length; anything else throws. */
export async function load({ url, sample, connections, seconds }: Plan): Promise<Load> {
  const request = bytesOf(sample, url.host);
  const start = `HTTP/1.1 ${sample.status} `;
  const length = await lengthOfAnswer(url, request);
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => new Client(await open(url), start, length)),
  );
  const begin = performance.now();
  const end = begin + seconds * 1000;
  // never asleep: waking a process costs the one that writes to it more than the whole answer does
  let spinning = true;
  const spin = (): void => {
    if (spinning) setImmediate(spin);
  };
  spin();
  await Promise.all(clients.map((client) => client.run(request, end)));
  spinning = false;
  const took = (performance.now() - begin) / 1000;
  const latencies = Float64Array.from(clients.flatMap((client) => client.latencies)).toSorted();
  return {
    requests: latencies.length,
    seconds: took,
    p50: at(latencies, 0.5),
    p99: at(latencies, 0.99),
  };
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function bytesOf({ method, target, headers, body }: Sample, host: string): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

async function open(url: URL): Promise<Socket> {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

/** Asked with `Connection: close`, minus that line: the length of the answers to come. */
async function lengthOfAnswer(url: URL, request: Buffer): Promise<number> {
  const socket = await open(url);
  socket.write(request);
  let text = "";
  for await (const chunk of socket.setEncoding("latin1")) {
    text += String(chunk);
    const head = text.indexOf("\r\n\r\n");
    const size = /^content-length: *([0-9]+)/im.exec(text.slice(0, head))?.[1];
    if (head !== -1 && size === undefined) throw new Error("the answer has no Content-Length");
    if (head !== -1 && text.length >= head + 4 + Number(size)) return head + 4 + Number(size);
  }
  throw new Error("the server has closed the connection");
}

class Client {
  readonly latencies: number[] = [];
  readonly #socket: Socket;
  readonly #start: string;
  readonly #length: number;

  constructor(socket: Socket, start: string, length: number) {
    this.#socket = socket;
    this.#start = start;
    this.#length = length;
  }

  run(request: Buffer, end: number): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let received = 0;
      let sent = performance.now();
      const fail = (error: Error): void => {
        socket.destroy();
        reject(error);
      };
      socket.on("data", (chunk) => {
        if (received === 0 && chunk.toString("latin1", 0, this.#start.length) !== this.#start) {
          fail(new Error(`an answer begins with ${chunk.toString("latin1", 0, 40)}`));
        }
        received += chunk.length;
        if (received < this.#length) return;
        if (received > this.#length) fail(new Error("an answer is longer than the first one"));
        received = 0;
        const now = performance.now();
        this.latencies.push(now - sent);
        sent = now;
        if (now < end) socket.write(request);
        else socket.end();
      });
      socket.on("error", fail);
      socket.on("close", () => resolve());
      socket.write(request);
    });
  }
}
