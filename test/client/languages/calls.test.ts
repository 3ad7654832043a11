// What the clients for other languages send, and what they make of answers that a service, a proxy in front of it, or an
// attacker may give.

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalQuery } from "../../../scripts/client/canonical.ts";
import { signSync } from "../../../scripts/client/sign-sync.ts";
import { endChildren } from "../../programs/child.ts";
import {
  type Answer,
  pem,
  type Received,
  type Receiver,
  startReceiver,
} from "../../webhooks/receiver.ts";
import { describeLanguages, openShop, type Shop } from "./language.ts";

const authority = join(import.meta.dirname, "../../webhooks/certificates/authority.pem");
const key = "mk_test_0123456789abcdef";
const secret = "sk_test_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

type Headers = Readonly<Record<string, string>>;

const json =
  (status: number, body: unknown, headers: Headers = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body));
const done = json(201, { id: "pay_1", memo: "é" });
const page =
  (status: number, headers: Headers = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end("<html>a proxy</html>");
const broken: Answer = (response) => void response.destroy();
const short: Answer = (response) => {
  response
    .writeHead(201, { "Content-Length": 1_000 })
    .write('{"id":"pay_1"}', () => response.destroy());
};
const shortChunks: Answer = (response) => {
  response.writeHead(201).write('{"id":', () => response.destroy());
};
const silent: Answer = () => undefined;
const refusal = { code: "order_already_exists", message: "No.", details: { payment_id: "pay_1" } };

interface Case {
  readonly answers: readonly Answer[];
  readonly ask?: object;
  readonly said: object;
  /** how often it is sent; of all answers when left out */
  readonly sent?: number;
}

const ok = { ok: { id: "pay_1", memo: "é" } };
const failed = { error: "payment", mayHaveHappened: true };
const noAnswer = { ...failed, code: "no_answer", status: 0 };
const refused = (status: number, code: string): object => ({
  error: "payment",
  status,
  code,
  mayHaveHappened: false,
});
const unknown = (status: number, code = `http_${status}`): object => ({ ...failed, status, code });
const runs = (seconds: string): Answer =>
  json(409, { code: "idempotency_in_progress" }, { "Retry-After": seconds });

const cases: Readonly<Record<string, Case>> = {
  "an answer": { answers: [done], said: ok },
  "a query and a body that are not plain": {
    answers: [done],
    ask: { target: "/v1/x?b=2&a=x+y%2b&a-=1&&n&e=~!*'()&a=1", body: { text: 'é 😀 \\ " <&>' } },
    said: ok,
  },
  "what breaks off, then a proxy, then an answer": {
    answers: [broken, page(502), done],
    said: ok,
  },
  "an answer that breaks off": { answers: [short, done], said: ok },
  "chunks that break off": { answers: [shortChunks, done], said: ok },
  "not now, with a time": { answers: [json(429, refusal, { "Retry-After": "1" }), done], said: ok },
  "not now, with a time that is none": {
    answers: [
      page(503, { "Retry-After": "Mon, the first" }),
      page(504, { "Retry-After": "soon" }),
      done,
    ],
    said: ok,
  },
  "the first one still runs": {
    answers: [...Array.from({ length: 4 }, () => runs("0")), done],
    said: ok,
  },
  "the first one runs too long": {
    answers: [runs("0"), runs("3")],
    ask: { total: 3 },
    said: unknown(409, "idempotency_in_progress"),
  },
  "a time that is long": { answers: [page(503, { "Retry-After": "31" })], said: unknown(503) },
  "a time without end": {
    answers: [page(429, { "Retry-After": "9".repeat(5_000) })],
    said: unknown(429),
  },
  "a date that is far": {
    answers: [page(503, { "Retry-After": new Date(Date.now() + 600_000).toUTCString() })],
    said: unknown(503),
  },
  "a date that is past": {
    answers: [page(503, { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" }), done],
    said: ok,
  },
  "what is not known, then an answer": { answers: [page(408), page(425), done], said: ok },
  "a nonce that came twice": {
    answers: [json(401, { code: "nonce_reused" }), page(500), done],
    said: ok,
  },
  "not now, to the end": { answers: [page(429), page(429), page(429)], said: unknown(429) },
  "sent twice, to the end": {
    answers: Array.from({ length: 3 }, () => json(401, { code: "nonce_reused" })),
    said: unknown(401, "nonce_reused"),
  },
  "another refusal of the signature": {
    answers: [json(401, { code: "authentication_failed" })],
    said: refused(401, "authentication_failed"),
  },
  "nothing, then a refusal": {
    answers: [broken, json(401, { code: "authentication_failed" })],
    said: unknown(401, "authentication_failed"),
  },
  "a conflict": {
    answers: [json(409, refusal, { "X-Request-Id": "req_1" })],
    said: { ...refused(409, "order_already_exists"), requestId: "req_1", details: refusal.details },
  },
  "a fault of the service": { answers: [page(500), page(507), page(500)], said: unknown(500) },
  "what will never be": { answers: [page(501)], said: unknown(501) },
  "a version that will never be": { answers: [page(505)], said: unknown(505) },
  "an error of other types": {
    answers: [json(400, { code: 5, message: ["no"], details: "no" })],
    said: refused(400, "http_400"),
  },
  "an error that is a list": { answers: [json(422, [refusal])], said: refused(422, "http_422") },
  "pages that say 200": { answers: [page(200), page(200), page(200)], said: noAnswer },
  "no answer in time": { answers: [silent, silent, silent], ask: { timeout: 0.5 }, said: noAnswer },
  "connections that break": { answers: [broken, broken, broken], said: noAnswer },
};

const ended = { ...noAnswer, isCanceled: true };
const goCases = [
  {
    name: "an answer that is not wanted",
    answer: done,
    ask: { want: "nothing" },
    said: { ok: null },
  },
  {
    name: "an answer that does not fit",
    answer: done,
    ask: { want: "number" },
    said: unknown(201, "unexpected_answer"),
  },
  { name: "a context that ends in flight", answer: silent, ask: { ending: 0.5 }, said: ended },
  {
    name: "a context that ends in a wait",
    answer: page(429, { "Retry-After": "29" }),
    ask: { ending: 0.5 },
    said: ended,
  },
];

const moved = [301, 302, 303, 307, 308];

afterAll(endChildren);

describeLanguages("what it sends", (language) => {
  let shop: Shop;
  let server: Receiver;
  const scripts = new Map<string, Answer[]>();
  const arrivals = new Map<string, number[]>();
  beforeAll(async () => {
    shop = openShop(language);
    server = await startReceiver((response, request) => {
      const name = request.headers["idempotency-key"]?.toString() ?? "";
      arrivals.set(name, [...(arrivals.get(name) ?? []), performance.now()]);
      (scripts.get(name)?.shift() ?? page(404))(response, request);
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const urlOf = ({ url }: Receiver): string => new URL(url).origin;
  const call = (change: object = {}): object => ({
    op: "call",
    url: urlOf(server),
    key,
    secret,
    timeout: 20,
    total: 120,
    method: "POST",
    target: "/v1/payments",
    body: { memo: "é" },
    ...change,
  });
  const sentWith = (idempotencyKey: string): readonly Received[] =>
    server.received.filter(({ headers }) => headers["idempotency-key"] === idempotencyKey);

  test.concurrent.each(Object.entries(cases))("%s", async (name, { answers, ask, said, sent }) => {
    const idempotencyKey = name.replaceAll(/\W/g, "-");
    scripts.set(idempotencyKey, [...answers]);
    const [outcome] = await shop.ask([call({ idempotencyKey, ...ask })]);
    expect(outcome).toMatchObject(said);
    const received = sentWith(idempotencyKey);
    expect(received).toHaveLength(sent ?? answers.length);
    const nonces = received.map(({ headers }) => headers["x-nonce"]);
    expect(new Set(nonces).size).toBe(received.length);
    for (const one of received) expect(signatureOf(one)).toBe(one.headers["x-signature"]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test("it waits as long as it is told, or else longer each time", async () => {
    scripts.set("told", [json(429, refusal, { "Retry-After": "1" }), done]);
    scripts.set("untold", [page(503), page(503), done]);
    const names = ["told", "untold"];
    await Promise.all(names.map((idempotencyKey) => shop.ask([call({ idempotencyKey })])));
    const waits = names.flatMap((name) => {
      const times = arrivals.get(name) ?? [];
      return times.slice(1).map((time, at) => time - (times[at] ?? 0));
    });
    const least = [1_000, 250, 500];
    // Clocks of two processes tell milliseconds in their own ways.
    expect(waits.map((wait, at) => wait > (least[at] ?? Infinity) - 5)).toEqual([true, true, true]);
  });

  test("a key is drawn for each call that has none and writes, and for none that reads", async () => {
    const before = server.received.length;
    await shop.ask([call(), call(), call({ method: "GET", body: undefined })]);
    const keys = server.received.slice(before).map(({ headers }) => headers["idempotency-key"]);
    expect(keys.join(" ")).toMatch(/^[0-9a-f]{32} [0-9a-f]{32} $/);
    expect(new Set(keys).size).toBe(3);
  });

  test("an error carries the key that was drawn, and what reads has changed nothing", async () => {
    const before = server.received.length;
    const outcomes = await shop.ask([
      call({ url: "http://127.0.0.1:1" }),
      call(),
      call({ url: "http://127.0.0.1:1", method: "GET", body: undefined }),
    ]);
    expect(outcomes).toMatchObject([
      noAnswer,
      refused(404, "http_404"),
      { mayHaveHappened: false },
    ]);
    expect(outcomes[0]?.["idempotencyKey"]).toMatch(/^[0-9a-f]{32}$/);
    expect(outcomes[1]?.["idempotencyKey"]).toBe(
      server.received[before]?.headers["idempotency-key"],
    );
  });

  test.each(language.name === "Go" ? goCases : [])("$name", async ({ name, answer, ask, said }) => {
    const idempotencyKey = name.replaceAll(/\W/g, "-");
    scripts.set(idempotencyKey, [answer]);
    expect(await shop.ask([call({ idempotencyKey, ...ask })])).toMatchObject([said]);
    expect(sentWith(idempotencyKey)).toHaveLength(1);
  });

  test("no nonce is sent twice, though an earlier call went well", async () => {
    scripts.set("", [done, broken, broken, done]);
    const before = server.received.length;
    const read = call({ method: "GET", body: undefined });
    expect(await shop.ask([read, read])).toEqual([ok, ok]);
    const nonces = server.received.slice(before).map(({ headers }) => headers["x-nonce"]);
    expect(nonces).toHaveLength(4);
    expect(new Set(nonces).size).toBe(4);
  });

  const more = (cursor: string): Answer =>
    json(200, { before: cursor }, { "X-Next-Cursor": cursor });
  const last = json(200, { before: null });

  test.each([
    ["/v1/x", ["", "cursor=a%2B%2F%3D", "cursor=a%2B%2F%3D", "cursor=c"]],
    [
      "/v1/x?n=%C3%A9&cursor=z&limit=1",
      [
        "cursor=z&limit=1&n=%C3%A9",
        "cursor=a%2B%2F%3D&limit=1&n=%C3%A9",
        "cursor=a%2B%2F%3D&limit=1&n=%C3%A9",
        "cursor=c&limit=1&n=%C3%A9",
      ],
    ],
  ])("%s is read page after page, with its filters", async (target, queries) => {
    scripts.set("", [more("a+/="), broken, more("c"), last]);
    const before = server.received.length;
    expect(await shop.ask([call({ op: "pages", method: "GET", target })])).toEqual([
      { ok: [{ before: "a+/=" }, { before: "c" }, { before: null }] },
    ]);
    const received = server.received.slice(before);
    expect(received.map(({ path }) => canonicalQuery(path?.split("?")[1] ?? ""))).toEqual(queries);
    for (const one of received) expect(signatureOf(one)).toBe(one.headers["x-signature"]);
  });

  test("a page that is refused ends the list with its error, and one that cannot be asked for", async () => {
    scripts.set("", [more("a"), json(400, { code: "invalid_cursor", message: "No." })]);
    const before = server.received.length;
    const list = call({ op: "pages", method: "GET", target: "/v1/x" });
    const outcomes = await shop.ask([list, { ...list, target: "v1/x" }]);
    expect(outcomes).toMatchObject([refused(400, "invalid_cursor"), { error: "mistake" }]);
    expect(server.received).toHaveLength(before + 2);
  });

  test.each(moved)("a redirect with %i is not followed", async (status) => {
    const idempotencyKey = `moved-${status}`;
    scripts.set(idempotencyKey, [page(status, { Location: `${urlOf(server)}/v1/other` })]);
    const [outcome] = await shop.ask([call({ idempotencyKey })]);
    expect(outcome).toMatchObject(refused(status, `http_${status}`));
    expect(sentWith(idempotencyKey)).toHaveLength(1);
    expect(server.received.filter(({ path }) => path === "/v1/other")).toEqual([]);
  });

  test.each([
    { whose: "by itself", name: "self-signed", known: {}, why: /certificate/ },
    { whose: "by nobody who is known", name: "receiver", known: {}, why: /certificate/ },
    {
      whose: "for another name",
      name: "receiver",
      known: { SSL_CERT_FILE: authority },
      why: /mismatch|did not match|any IP SANs/,
    },
  ])("nothing is sent to a server with a certificate $whose", async ({ name, known, why }) => {
    await using impostor = await startReceiver(done, pem(name));
    const [outcome] = await shop.ask([call({ url: urlOf(impostor) })], known);
    expect(outcome).toMatchObject(noAnswer);
    expect(String(outcome?.["message"])).toMatch(why);
    expect(impostor.connections()).toBe(3);
    expect(impostor.received).toEqual([]);
  });

  test.each([
    [
      "target",
      [
        "v1/x",
        "",
        ".evil.example/",
        "@evil.example/",
        "/v1/a b",
        "/v1/\r\nX-A: b",
        "/v1/#a",
        "/v1/é",
        "/v1/x?a=%zz",
      ],
    ],
    ["method", ["get", "DELETE", "", "GET /v1/x HTTP/1.1\r\nX-A: b\r\n\r\nGET", "POST\n"]],
    ["idempotencyKey", ["a\r\nX-A: b", "a\n", "a b", "é", "a".repeat(129)]],
    ["key", ["", "mk_test\n", "mk test", "mk\r\nX-A: b", "é"]],
    ["secret", ["", "sk_test\n", " sk_test", "sk test"]],
    [
      "url",
      [
        "",
        "pay.example",
        "ftp://pay.example",
        "https://pay.example/",
        "https://a:b@pay.example",
        "https://pay.example\n",
      ],
    ],
  ])("a %s that would send something else is a mistake", async (name, values) => {
    const before = server.received.length;
    const outcomes = await shop.ask(values.map((value) => call({ [name]: value })));
    expect(outcomes.map(({ error }, at) => [values[at], error])).toEqual(
      values.map((value) => [value, "mistake"]),
    );
    expect(server.received).toHaveLength(before);
  });
});

/** What a service makes of what came. */
function signatureOf({ method = "", path: target = "", headers, body }: Received): string {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const { "x-timestamp": timestamp, "x-nonce": nonce, "idempotency-key": idempotencyKey } = headers;
  const [first, second, third] = [timestamp, nonce, idempotencyKey].map((one) => one?.toString());
  const signed = signSync({
    key,
    secret,
    method,
    path,
    query,
    body,
    timestamp: first,
    nonce: second,
    idempotencyKey: third,
  });
  return signed["X-Signature"];
}
