// Stands between the tool and the service, and decides what becomes of each request.

import { type Receiver, startReceiver } from "../../webhooks/receiver.ts";

export interface Asked {
  /** method and path */
  readonly line: string;
  /** The answer of the service. */
  readonly pass: () => Promise<Response>;
}

/** @returns what the tool gets; where it throws, the connection ends without an answer */
type Meddle = (asked: Asked) => Promise<Response>;

export interface MeddlingProxy extends AsyncDisposable {
  readonly url: string;
}

export async function startMeddlingProxy(
  target: string | undefined,
  meddle: Meddle,
): Promise<MeddlingProxy> {
  const receiver: Receiver = await startReceiver(
    (response, { method = "", path = "", ...asked }) => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(asked.headers)) {
        if (!/^(?:host|connection|content-length|transfer-encoding|expect)$/.test(name)) {
          headers.set(name, String(value));
        }
      }
      const body = asked.body === "" ? null : asked.body;
      const pass = () => fetch(`${target}${path}`, { method, headers, body });
      void meddle({ line: `${method} ${path}`, pass }).then(
        async (answer) => {
          const bytes = Buffer.from(await answer.arrayBuffer());
          const answered = new Headers(answer.headers);
          for (const name of ["Transfer-Encoding", "Content-Encoding", "Content-Length"]) {
            answered.delete(name);
          }
          response.writeHead(answer.status, Object.fromEntries(answered)).end(bytes);
        },
        () => response.destroy(),
      );
    },
  );
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
