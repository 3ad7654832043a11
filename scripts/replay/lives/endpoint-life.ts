// Webhook endpoints: two of them, so that one can be in the other's way. None can be taken away again, and
// there may be 20: whoever checks often hands in two that are there.

import { type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { newName } from "../requests.ts";
import { ChainStopped } from "../session.ts";
import { offBy } from "../values.ts";
import { differences, type Heard, type Life } from "./life.ts";

const register = "registerWebhookEndpoint";
const read = "getWebhookEndpoint";
const update = "updateWebhookEndpoint";
const switching = "setWebhookEndpointStatus";
const rotate = "rotateWebhookEndpointSecret";

const newUrl = (): string => `https://contract-check.example/${newName()}`;

/** `given`: ids of endpoints that are there. */
export async function liveEndpoints(life: Life, given: readonly string[]): Promise<void> {
  const url = newUrl();
  await life.may(register, {
    what: "an event that does not exist",
    change: { body: { url, event_types: ["contract.check"] } },
    expected: ["400 unknown_event_type"],
  });
  const [first, second] =
    given.length > 0 ? given : [await registered(life, url), await registered(life, newUrl())];
  if (first === undefined) return;
  if (given.length > 0) leaveOutRegistering(life);
  try {
    await lived(life, first, second);
  } finally {
    if (given.length === 0) await putAway(life, second === undefined ? [first] : [first, second]);
  }
}

async function lived(life: Life, first: string, second: string | undefined): Promise<void> {
  const path = { id: first };
  const before = await life.must(read, {
    what: "the endpoint",
    change: { path },
    expected: ["200"],
    check: (body) => [...differences(body, path), ...futureProblems(body)],
  });
  await life.may(update, {
    what: "an event that does not exist",
    change: { path, body: { url: newUrl(), event_types: ["contract.check"] } },
    expected: ["400 unknown_event_type"],
  });
  const changed = await updated(life, before);
  if (second !== undefined) await inTheWay(life, changed, second);
  await switched(life, changed);
  await rotated(life, first);
}

async function putAway(life: Life, ids: readonly string[]): Promise<void> {
  for (const id of ids) await switchOff(life, id);
  const again = ids.map((id) => `--endpoint ${id}`).join(" ");
  life.session.notes.push(
    `webhook endpoints were made, and are off; take them again with ${again}`,
  );
}

function futureProblems({ created_at: created }: JsonObject): readonly string[] {
  const now = Date.now();
  const off = offBy(Math.max(Date.parse(textOf(created)), now), now);
  return off === undefined ? [] : [`body /created_at: ${off}`];
}

function leaveOutRegistering({ session }: Life): void {
  session.leaveOut("endpoints were given: none is registered", [
    { operation: register, status: 201 },
    { operation: register, status: 409, code: "endpoint_already_exists" },
  ]);
}

async function registered(life: Life, url: string): Promise<string> {
  const made = await life.may(register, {
    what: url,
    change: { body: { url } },
    expected: ["201", "409 endpoint_limit_reached"],
    check: (body, { status, headers }) => {
      if (status !== 201) return [];
      const location = `/v1/webhook-endpoints/${textOf(body["id"])}`;
      const given = headers.get("Location");
      return [
        ...differences(body, { event_types: ["*"] }),
        ...(given === location
          ? []
          : [`header Location: is ${given ?? "missing"} in place of ${location}`]),
      ];
    },
  });
  if (made?.status !== 201) {
    life.session.leaveOut("the merchant has 20 endpoints: give two of them with --endpoint", [
      ...[register, read, update, switching, rotate].flatMap((operation) =>
        [200, 201].map((status) => ({ operation, status })),
      ),
      { operation: register, status: 409, code: "endpoint_already_exists" },
      { operation: update, status: 409, code: "endpoint_already_exists" },
    ]);
    throw new ChainStopped("no endpoint");
  }
  await life.replay(register, made);
  await life.may(register, {
    what: "its address again",
    change: { body: { url } },
    expected: ["409 endpoint_already_exists"],
  });
  return textOf(made.body["id"]);
}

async function updated(life: Life, { body: before }: Heard): Promise<JsonObject> {
  const path = { id: textOf(before["id"]) };
  const wanted = { url: newUrl(), event_types: ["payment.paid", "payment.expired"] };
  const check = (body: JsonObject) => differences(body, { ...before, ...wanted });
  const after = await life.mustTwice(update, {
    what: "url and events",
    change: { path, body: wanted },
    expected: ["200"],
    check,
  });
  await life.may(read, { what: "it has changed", change: { path }, expected: ["200"], check });
  return after.body;
}

async function inTheWay(life: Life, { url = "" }: JsonObject, second: string): Promise<void> {
  await life.may(update, {
    what: "the address of another endpoint",
    change: { path: { id: second }, body: { url, event_types: ["*"] } },
    expected: ["409 endpoint_already_exists"],
  });
}

async function switched(life: Life, endpoint: JsonObject): Promise<void> {
  const path = { id: textOf(endpoint["id"]) };
  for (const active of [false, true]) {
    const check = (body: JsonObject) => differences(body, { ...endpoint, active });
    await life.mustTwice(switching, {
      what: active ? "on" : "off",
      change: { path, body: { active } },
      expected: ["200"],
      check,
    });
    await life.may(read, {
      what: active ? "it is on" : "it is off",
      change: { path },
      expected: ["200"],
      check,
    });
  }
}

async function switchOff(life: Life, id: string): Promise<void> {
  await life.may(switching, {
    what: "off at the end",
    change: { path: { id }, body: { active: false } },
    expected: ["200"],
    check: (body) => differences(body, { id, active: false }),
  });
}

async function rotated(life: Life, id: string): Promise<void> {
  const path = { id };
  const check = (body: JsonObject) => differences(body, { id });
  const one = await life.mustTwice(rotate, {
    what: "its secret",
    change: { path },
    expected: ["200"],
    check,
  });
  await life.may(rotate, {
    what: "its secret once more",
    change: { path },
    expected: ["200"],
    check: (body) => [
      ...check(body),
      ...(body["secret"] === one.body["secret"] ? ["body /secret: is the one before"] : []),
    ],
  });
}
