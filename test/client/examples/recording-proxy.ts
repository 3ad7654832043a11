// Stands between a program and the service, passes on what each says, and remembers it.

import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Operation } from "../../support/contract-document.ts";
import { operations } from "../../support/contract-document.ts";

export interface Recorded {
  /** undefined: none of the contract */
  readonly operation: Operation | undefined;
  readonly idempotencyKey: string | undefined;
  /** whole, and not read yet */
  readonly response: Response;
}

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** what was answered since the last time, in its order */
  readonly taken: () => readonly Recorded[];
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  let recorded: Recorded[] = [];
  const server = createServer((asked, answer) => {
    const exchange = async (): Promise<void> => {
      const body = await buffer(asked);
      const passed = request(new URL(asked.url ?? "/", target), {
        method: asked.method,
        headers: asked.headers,
        agent: false,
      });
      passed.end(body);
      // It emits nothing else with this name.
      const [said] = (await once(passed, "response")) as [IncomingMessage];
      const text = await buffer(said);
      const fields = Object.entries(said.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const status = said.statusCode ?? 0;
      recorded.push({
        operation: operationOf(asked),
        idempotencyKey: asked.headersDistinct["idempotency-key"]?.join(", "),
        response: new Response(text, { status, headers: fields }),
      });
      answer.writeHead(status, said.rawHeaders).end(text);
    };
    exchange().catch((error: unknown) => answer.destroy(error as Error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    taken: () => {
      const all = recorded;
      recorded = [];
      return all;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function operationOf({ method, url = "" }: IncomingMessage): Operation | undefined {
  const [path = ""] = url.split("?");
  return operations.find(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path),
  );
}
