// The webhooks of the document, event by event: what is shown there reaches a receiver in the form that is
// described, and whoever judges it notices what is not described.

import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { eventTypes } from "../../service/events/types.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  textOf,
} from "../support/contract-document.ts";
import { deliveryClaims } from "../support/relations/events.ts";
import { openDatabase } from "../support/engines.ts";
import { headerProblems, judgePayload, shownEvents } from "../support/sent-events.ts";
import { Outbox } from "./outbox.ts";
import { answerWith, startReceiver } from "./receiver.ts";

const shown = shownEvents.filter(isObject);
const typeOf = ({ type }: JsonObject): string => textOf(type);

test("every event that there is has its example", () => {
  expect(shown.map(typeOf).toSorted()).toEqual([...eventTypes].toSorted());
});

test("each reaches a receiver as it is described, headers and all", async () => {
  const receiver = await startReceiver(answerWith(204));
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const outbox = new Outbox({ database: await openDatabase("PGlite") });
  const { secret } = await outbox.addEndpoint({ url: receiver.url });
  for (const event of shown) {
    const type = eventTypes.find((one) => one === typeOf(event));
    if (type === undefined) throw new Error(`${typeOf(event)} is no event`);
    const { type: kind, id } = objectAt(event, "resource");
    const resource = { type: textOf(kind), id: textOf(id) };
    await outbox.record({ type, resource, data: objectAt(event, "data") });
  }
  for (let round = 0; round < shown.length; round += 1) await outbox.round();
  expect(receiver.received).toHaveLength(44);
  for (const { headers, body } of receiver.received) {
    const sent = new Webhook(secret).verify(body, headers as Record<string, string>) as Json;
    expect({ sent, findings: judgePayload(sent) }).toEqual({ sent, findings: [] });
    expect(headerProblems(headers)).toEqual([]);
    expect(deliveryClaims(headers, sent).filter(({ problem }) => problem !== undefined)).toEqual(
      [],
    );
  }
});

test.each(shown.map((event) => [typeOf(event), event] as const))(
  "%s: no member of it may be missing, null, of another type or more than there are",
  (_, event) => {
    const faults = [
      ...Object.keys(event).map((name) => ({ ...event, [name]: undefined })),
      ...Object.keys(event).map((name) => ({ ...event, [name]: null })),
      { ...event, surprise: true },
      { ...event, data: { ...objectAt(event, "data"), surprise: true } },
      { ...event, type: "payment.surprise" },
      { ...event, resource: { ...objectAt(event, "resource"), type: "surprise" } },
    ].map((fault) => JSON.parse(JSON.stringify(fault)) as Json);
    expect(faults.filter((fault) => judgePayload(fault).length === 0)).toEqual([]);
  },
);

test("headers of another form are noticed", () => {
  expect(
    headerProblems({
      "webhook-id": "evt_1",
      "webhook-timestamp": "soon",
      "webhook-signature": ["v1,a"],
      traceparent: "00",
    }),
  ).toEqual([
    "webhook-id: evt_1",
    "webhook-timestamp: soon",
    "webhook-signature: v1,a",
    "traceparent: 00",
  ]);
  expect(headerProblems({})).toEqual([
    "webhook-id: undefined",
    "webhook-timestamp: undefined",
    "webhook-signature: undefined",
  ]);
});
