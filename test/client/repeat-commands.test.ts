// The commands that a report of the contract's tests gives for an answer that failed: pasted into a
// shell, they make it come again.

import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { repeatCommands } from "../support/contract-repeat.ts";
import type { PlainRequest } from "../support/contract-requests.ts";
import { useContractServer } from "../support/contract-server.ts";
import { projectRoot } from "../programs/child.ts";

const server = useContractServer();
const json = { "Content-Type": "application/json" };

/** Status and code. */
function paste(commands: string): Promise<readonly string[]> {
  const env = {
    ...process.env,
    CONTRACT_URL: server.url,
    MERCHANT_API_KEY: server.key,
    MERCHANT_API_SECRET: server.secret,
  };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", commands], { cwd: projectRoot, env }, (error, stdout) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const [head = "", body = ""] = stdout.split("\r\n\r\n");
      const answer = JSON.parse(body) as { readonly code?: string };
      resolve([/ (\d{3}) /.exec(head)?.[1] ?? "", answer.code ?? ""]);
    });
  });
}

const post = { method: "POST", target: "/v1/webhook-endpoints" } as const;
const url = "http://shop.example/it's/$HOME/$(id)/!1?a=1&b=2;c#d";

test.each<readonly [string, PlainRequest, readonly string[]]>([
  [
    "a read with a query",
    { method: "GET", target: "/v1/currencies?limit=0" },
    ["400", "invalid_limit"],
  ],
  [
    "a body with all that a shell reads as its own",
    { ...post, headers: json, body: JSON.stringify({ url, event_types: ["*"] }) },
    ["400", "webhook_url_not_allowed"],
  ],
  [
    "bytes that are no text",
    { ...post, headers: json, body: Uint8Array.of(0x7b, 0xff, 0, 0x7d) },
    ["400", "invalid_json"],
  ],
  [
    "a header that is left out",
    { ...post, headers: json, absent: ["Idempotency-Key"], body: "{}" },
    ["400", "missing_header"],
  ],
  [
    "a header of its own in place of the signature's",
    { ...post, headers: { ...json, "X-Nonce": "short" }, body: "{}" },
    ["400", "invalid_header"],
  ],
  [
    "a key",
    {
      ...post,
      headers: { ...json, "Idempotency-Key": "it's-mine" },
      body: JSON.stringify({ url: "https://shop.example/repeated" }),
    },
    ["201", ""],
  ],
])("%s", async (_name, request, expected) => {
  const commands = repeatCommands(request);
  expect(commands).not.toContain(server.secret);
  expect(await paste(commands)).toEqual(expected);
});
