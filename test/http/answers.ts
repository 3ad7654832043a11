// Reading answers: through fetch, and byte by byte where a client library would be too polite.

import { connect } from "node:net";
import { expect } from "vitest";
import type { ErrorBody } from "../support/contract-answers.ts";

const requestId = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Asserts everything that all refusals promise, and gives the body for the rest. */
export async function refusalBody(response: Response, status: number): Promise<ErrorBody> {
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status, text });
  return checkRefusal(text, (name) => response.headers.get(name));
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export function rawRefusalBody(answer: RawAnswer, status: number): ErrorBody {
  expect(answer).toMatchObject({ status });
  return checkRefusal(answer.body, (name) => answer.headers.get(name.toLowerCase()));
}

function checkRefusal(
  text: string,
  header: (name: string) => string | null | undefined,
): ErrorBody {
  // The assertions below check what this cast claims.
  const body = JSON.parse(text) as ErrorBody;
  expect(Object.keys(body)).toEqual(["code", "message", "details"]);
  expect(body.message).not.toBe("");
  expect(body.details.request_id).toMatch(requestId);
  expect(header("X-Request-Id")).toBe(body.details.request_id);
  expect(header("Content-Type")).toMatch(/^application\/json/);
  expect(header("Link")).toBe(`</docs/errors#${body.code}>; rel="help"`);
  return body;
}

/** Sends exactly these bytes and reads until the server closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(parseAnswer(Buffer.concat(chunks).toString("utf8"))));
  });
}

export function parseAnswer(text: string): RawAnswer {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [name = "", ...value] = line.split(":");
    headers.set(name.toLowerCase(), value.join(":").trim());
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}
