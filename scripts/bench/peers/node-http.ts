// Node's own server: read the body, parse it, write the answer. Nothing is checked.

import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { samples, type Sample } from "../requests.ts";

export function start(): Server {
  return createServer((incoming, outgoing) => {
    const sample = samples.find((one) => matches(one, incoming));
    if (sample === undefined) {
      outgoing.writeHead(404).end();
    } else if (sample.method === "GET") {
      write(outgoing, sample);
    } else {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        JSON.parse(Buffer.concat(chunks).toString());
        write(outgoing, sample);
      });
    }
  });
}

function matches({ method, template }: Sample, incoming: IncomingMessage): boolean {
  return (
    incoming.method === method && incoming.url?.startsWith(template.replace("{id}", "")) === true
  );
}

function write(outgoing: ServerResponse, { status, answer }: Sample): void {
  const text = JSON.stringify(answer);
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  outgoing.writeHead(status, headers).end(text);
}
