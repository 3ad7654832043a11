// merchant-payments listen: whatever goes wrong while it opens or ends, nothing of the merchant's stays turned here.

import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endChildren, makeFolder } from "../../programs/child.ts";
import { patienceMilliseconds } from "../../support/patience.ts";
import { answerWith, startReceiver } from "../../webhooks/receiver.ts";
import { nowhere, stop, ToolWorld } from "./listening.ts";
import { type Asked, startMeddlingProxy } from "./meddling-proxy.ts";
import { endOf, installTool, recordsIn } from "./packed-tool.ts";
import { startToolService, type ToolShop } from "./tool-service.ts";

let world: ToolWorld;
beforeAll(async () => {
  world = new ToolWorld(installTool(), await startToolService());
});
afterAll(endChildren);

const mine = { url: nowhere, event_types: ["payment.expired"] };

/** One of the merchant's, to borrow; what a shop says of it in its environment. */
async function makeEndpoint(shop: ToolShop, active = true) {
  const calls = shop.client.webhookEndpoints;
  const { id, secret } = await calls.registerWebhookEndpoint(mine);
  if (!active) await calls.setWebhookEndpointStatus({ id, active });
  return { id, environment: { ...shop.environment, WEBHOOK_SECRET: secret } };
}

/** The same environment, with the proxy in place of the service. */
function behind(shop: Pick<ToolShop, "environment">, url: string) {
  return { environment: { ...shop.environment, PAY_URL: url } };
}

function listenOnce(environment: ToolShop["environment"], ...words: readonly string[]) {
  return world.tool.run(["listen", "--json", "--forward-to", nowhere, ...words], environment);
}

describe("Ctrl-C before it is ready", () => {
  test("ends it though the service never answers", async () => {
    const asked = Promise.withResolvers<undefined>();
    await using service = await startMeddlingProxy(undefined, () => {
      asked.resolve(undefined);
      return new Promise(() => undefined);
    });
    const shop = await world.service.newShop();
    const words = ["listen", "--forward-to", nowhere];
    const child = world.tool.start(words, behind(shop, service.url).environment);
    await asked.promise;
    child.kill("SIGINT");
    const { code, output, errors } = await endOf(child);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(
      /^asking .*\nlisten was ended before .* had answered\. .*\nPOST \/v1\/webhook-endpoints with the url http:\S+ says its id/,
    );
  });

  test("waits a moment for an answer, and switches off what was made", async () => {
    const shop = await world.service.newShop();
    const asked = Promise.withResolvers<undefined>();
    const stopped = Promise.withResolvers<undefined>();
    await using proxy = await startMeddlingProxy(shop.environment["PAY_URL"], async ({ pass }) => {
      const answer = await pass();
      asked.resolve(undefined);
      await stopped.promise;
      return answer;
    });
    const words = ["listen", "--json", "--forward-to", nowhere];
    const child = world.tool.start(words, behind(shop, proxy.url).environment);
    await asked.promise;
    child.kill("SIGINT");
    stopped.resolve(undefined);
    const records = await stop(child);
    expect(records.map(({ kind }) => kind)).toEqual(["ready", "end"]);
    const id = String(records[0]?.["endpoint"]);
    const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id });
    expect(after.active).toBe(false);
  });
});

describe("an endpoint that is borrowed", () => {
  test("keeps its secret, and is put back", async () => {
    const shop = await world.service.newShop();
    const { id, environment } = await makeEndpoint(shop, false);
    const { child, ready } = await world.listen({ environment }, nowhere, "--endpoint", id);
    const before = { ...mine, active: false };
    expect(ready).toMatchObject({ endpoint: id, webhook_secret: null, borrowed: before });
    await world.trigger(shop, "payment.created");
    await child.waitFor(/"type":"payment\.created"/);
    const said = `borrowing ${id}, to be put back at the end: ${nowhere}, for payment.expired, active: false\n`;
    await stop(child, new RegExp(`^${said}$`));
    expect(await shop.client.webhookEndpoints.getWebhookEndpoint({ id })).toMatchObject(before);
  });

  const failing: readonly (readonly [string, (asked: Asked) => Promise<Response>, RegExp])[] = [
    [
      "may not be switched on",
      async ({ line, pass }) =>
        line.endsWith("/status")
          ? Response.json({ code: "insufficient_scope", message: "no" }, { status: 403 })
          : pass(),
      /403/,
    ],
    [
      "is changed, and nobody says so",
      async ({ line, pass }) => {
        const answer = await pass();
        const isFirst =
          line.startsWith("PUT") && (await answer.clone().text()).includes("-listen/");
        if (isFirst) throw new Error("no answer");
        return answer;
      },
      /no answer came/,
    ],
  ];
  test.each(failing)("is put back where it %s", async (_, meddle, expected) => {
    const shop = await world.service.newShop();
    const { id, environment } = await makeEndpoint(shop, false);
    await using proxy = await startMeddlingProxy(shop.environment["PAY_URL"], meddle);
    const inFront = behind({ environment }, proxy.url).environment;
    const { code, output, errors } = await listenOnce(inFront, "--endpoint", id);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(expected);
    expect(errors).not.toMatch(/not given back/);
    const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id });
    expect(after).toMatchObject({ ...mine, active: false });
  });

  test("is given back by the next listen after a kill -9, and lent to one at a time", async () => {
    const shop = await world.service.newShop();
    const { id, environment } = await makeEndpoint(shop);
    const killed = await world.listen({ environment }, nowhere, "--endpoint", id);
    const second = await listenOnce(environment, "--endpoint", id);
    expect(second).toMatchObject({ code: 1, output: "" });
    expect(second.errors).toMatch(/leads to another listen: end that first/);
    killed.child.kill("SIGKILL");
    await killed.child.ended;
    const elsewhere = { ...environment, XDG_STATE_HOME: makeFolder() };
    const unknown = await listenOnce(elsewhere, "--endpoint", id);
    expect(unknown).toMatchObject({ code: 1, output: "" });
    expect(unknown.errors).toMatch(/runs elsewhere or was killed.*\n.*own URL back first/);
    const own = await world.listen(shop, nowhere);
    expect(own.ready.endpoint).not.toBe(id);
    await stop(own.child);
    const { child } = await world.listen({ environment }, nowhere, "--endpoint", id);
    await stop(child, /^borrowing/);
    const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id });
    expect(after).toMatchObject({ ...mine, active: true });
  });

  test("leaves what is older to its own receiver", async () => {
    const shop = await world.service.newShop();
    const { id, environment } = await makeEndpoint(shop);
    const { child } = await world.listen({ environment }, nowhere, "--endpoint", id);
    const { url } = await shop.client.webhookEndpoints.getWebhookEndpoint({ id });
    const now = new Date();
    const event = { id: "evt_1", type: "payment.paid" };
    const send = async (timestamp: string): Promise<number> => {
      const body = JSON.stringify({ ...event, timestamp });
      const signature = new Webhook(environment.WEBHOOK_SECRET).sign("evt_1", now, body);
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": signature,
      };
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    expect(await send("2020-01-01T00:00:00Z")).toBe(503);
    expect(await send(now.toISOString())).toBe(204);
    const said =
      /^borrowing .*\nolder events wait for the endpoint's own receiver, such as payment\.paid/;
    expect((await stop(child, said)).at(-1)).toMatchObject({ events: 1 });
  });

  test("with the secret of another one: each delivery is refused, and it says why", async () => {
    const shop = await world.service.newShop();
    const { id } = await makeEndpoint(shop);
    const wrong = { environment: { ...shop.environment, WEBHOOK_SECRET: "whsec_MDEy" } };
    const { child } = await world.listen(wrong, nowhere, "--endpoint", id);
    await world.trigger(shop, "payment.created");
    await expect
      .poll(() => child.errors(), { timeout: patienceMilliseconds })
      .toMatch(/refused, for its signature/);
    const records = await stop(
      child,
      /Is WEBHOOK_SECRET the secret of whe_\w+\? .*\n.*rotate-secret/,
    );
    expect(records.at(-1)).toMatchObject({ kind: "end", events: 0, refused: 1 });
  });
});

describe("listen's own endpoint", () => {
  test("that a kill left on is off where it cannot be used again", async () => {
    const shop = await world.service.newShop();
    let isRefused = false;
    await using proxy = await startMeddlingProxy(
      shop.environment["PAY_URL"],
      async ({ line, pass }) =>
        isRefused && line.startsWith("PUT ")
          ? Response.json({ code: "insufficient_scope", message: "no" }, { status: 403 })
          : pass(),
    );
    const { child, ready } = await world.listen(behind(shop, proxy.url), nowhere);
    child.kill("SIGKILL");
    await child.ended;
    isRefused = true;
    const { code } = await listenOnce(behind(shop, proxy.url).environment);
    expect(code).toBe(1);
    const { endpoint: id } = ready;
    const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id });
    expect(after.active).toBe(false);
  });

  test("of a service that is gone at Ctrl-C: it counts all the same, and says what is left", async () => {
    const shop = await world.service.newShop();
    let isGone = false;
    await using proxy = await startMeddlingProxy(shop.environment["PAY_URL"], ({ pass }) =>
      isGone ? Promise.reject(new Error("gone")) : pass(),
    );
    const { child, ready } = await world.listen(behind(shop, proxy.url), nowhere);
    isGone = true;
    child.kill("SIGINT");
    const { code, output, errors } = await endOf(child);
    expect(code).toBe(1);
    expect(recordsIn(output).at(-1)).toMatchObject({ kind: "end", events: 0 });
    expect(errors).toMatch(
      new RegExp(`the endpoint ${ready.endpoint} was not switched off .*\nThe next listen`),
    );
  });

  test("is told to the merchant's others", async () => {
    const shop = await world.service.newShop();
    await using receiver = await startReceiver(answerWith(204));
    await shop.client.webhookEndpoints.registerWebhookEndpoint({
      url: receiver.url,
      event_types: ["*"],
    });
    await stop((await world.listen(shop, nowhere)).child);
    const { child } = await world.listen(shop, nowhere, "--events", "webhook_endpoint.disabled");
    await stop(child);
    await expect
      .poll(() => new Set(receiver.received.map(({ body }) => typeOf(body))), {
        timeout: patienceMilliseconds,
      })
      .toEqual(
        new Set([
          "webhook_endpoint.updated",
          "webhook_endpoint.secret_rotated",
          "webhook_endpoint.disabled",
        ]),
      );
  });

  test("is not written down where nothing can be, and it says how it is used again", async () => {
    const shop = await world.service.newShop();
    const environment = { ...shop.environment, XDG_STATE_HOME: join(import.meta.filename, "no") };
    const { child, ready } = await world.listen({ environment }, nowhere);
    const said = `^nothing can be written down in .*ENOTDIR[^]*XDG_STATE_HOME[^]*made ${ready.endpoint}, and it is written down nowhere\\. .* --endpoint ${ready.endpoint}`;
    await stop(child, new RegExp(said));
  });

  test("is the twenty-first: it says how to borrow one, also without its secret", async () => {
    const shop = await world.service.newShop();
    for (let number = 0; number < 20; number += 1) {
      await shop.client.webhookEndpoints.registerWebhookEndpoint({
        ...mine,
        url: `${nowhere}/${number}`,
      });
    }
    const { code, errors } = await listenOnce(shop.environment);
    expect(code).toBe(1);
    expect(errors).toMatch(/endpoint_limit_reached.*\nBorrow one that exists: .*\n.*rotate-secret/);
  });
});

function typeOf(body: string): unknown {
  // An event of the service.
  return (JSON.parse(body) as { readonly type: unknown }).type;
}
