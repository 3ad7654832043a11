// What the environment of the process says about the network is none of the sender's business.

import { afterEach, expect, test } from "vitest";
import { endChildren, startChild } from "../programs/child.ts";
import { answerWith, pem, startReceiver } from "./receiver.ts";

afterEach(endChildren);

test("a proxy or a lax certificate check from the environment is ignored", async () => {
  await using proxy = await startReceiver(answerWith(200));
  await using receiver = await startReceiver(answerWith(204));
  await using untrusted = await startReceiver(answerWith(200), pem("self-signed"));
  const program = `
    import { buildWebhookSender } from "./adapters/webhooks/sender.ts";
    const sender = buildWebhookSender({
      blockedRanges: [],
      clock: { nowMilliseconds: () => 0 },
      allowedHttpHosts: new Set(["127.0.0.1"]),
    });
    for (const url of process.argv.slice(1)) {
      const outcome = await sender.send({ url, isTest: true, headers: {}, body: Buffer.from("{}") });
      console.log(outcome.status ?? outcome.reason);
    }`;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const child = startChild(
    ["--input-type=module", "--eval", program, "--", receiver.url, untrusted.url],
    {
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl,
      https_proxy: proxyUrl,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    },
  );
  await child.ended;
  expect(child.output().trim().split("\n")).toEqual(["204", "tls"]);
  expect(proxy.connections()).toBe(0);
});
