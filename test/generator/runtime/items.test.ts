// Answers that are a row of items, over real sockets and by each way that an answer can take.

import { describe, expect, test } from "vitest";
import { Client, appOf, host, operation } from "./harness.ts";
import { answering, ask, events, lines } from "./item-answers.ts";
import { startBy, ways } from "./ways.ts";

/** The text of a body in chunks, and whether its end was said. */
function unchunked(answer: string): { readonly text: string; readonly isWhole: boolean } {
  let rest = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  let text = "";
  for (;;) {
    const size = Number.parseInt(/^([0-9a-f]+)\r\n/i.exec(rest)?.[1] ?? "", 16);
    if (Number.isNaN(size)) return { text, isWhole: false };
    rest = rest.slice(rest.indexOf("\r\n") + 2);
    if (size === 0) return { text, isWhole: true };
    text += rest.slice(0, size);
    rest = rest.slice(size + 2);
  }
}

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const one of items) {
    await Promise.resolve();
    yield one;
  }
}

describe.each(ways)("by the %s", (way) => {
  test("sends events, lines and sequences from lists, generators and streams", async () => {
    const items = [{ a: 1 }, { a: 2 }];
    const sources = {
      list: () => items,
      set: () => new Set(items),
      generator: () => later(items),
      promises: () => items.map((one) => Promise.resolve(one)),
      stream: () =>
        new ReadableStream({
          start: (controller) => {
            for (const one of items) controller.enqueue(one);
            controller.close();
          },
        }),
    };
    for (const source of Object.values(sources)) {
      for (const [contentType, text] of [
        [lines, '{"a":1}\n{"a":2}\n'],
        ["application/json-seq", '\u{1e}{"a":1}\n\u{1e}{"a":2}\n'],
      ] as const) {
        const { url } = await startBy(
          way,
          answering(() => ({ status: 200, contentType, body: source() })),
        );
        const response = await fetch(`${url}/one`);
        expect(response.headers.get("content-type")).toBe(contentType);
        expect(await response.text()).toBe(text);
      }
    }
    const body = [
      { data: { a: 1 }, event: "x", id: "7", retry: 100, comment: "hi" },
      { data: "é" },
    ];
    const { url } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: events, body: later(body) })),
    );
    const response = await fetch(`${url}/one`);
    expect(response.headers.get("content-length")).toBeNull();
    expect(await response.text()).toBe(
      ': hi\nevent: x\nid: 7\nretry: 100\ndata: {"a":1}\n\ndata: é\n\n',
    );
  });

  test("sends pieces of any other body, and text or bytes that are items already", async () => {
    const bytes = new TextEncoder().encode("bytes\n");
    for (const [contentType, body, text] of [
      ["application/zip", () => later(["a", bytes]), "abytes\n"],
      [events, () => "data: x\n\n", "data: x\n\n"],
      [lines, () => bytes, "bytes\n"],
      [lines, () => later([{ a: 1 }, bytes]), '{"a":1}\nbytes\n'],
      [lines, () => [{ a: 1 }, bytes, { a: 2 }], '{"a":1}\nbytes\n{"a":2}\n'],
      [lines, () => [], ""],
    ] as const) {
      const { url } = await startBy(
        way,
        answering(() => ({ status: 200, contentType, body: body() })),
      );
      expect(await (await fetch(`${url}/one`)).text()).toBe(text);
    }
  });

  test("of a list with promises, one that fails breaks it off, and what is ready does not wait", async () => {
    const gate = Promise.withResolvers<object>();
    // nobody has asked for the last one when it fails
    const list = () => [{ data: { a: 1 } }, gate.promise, Promise.reject(new Error("secret"))];
    const { port } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: events, body: list() })),
    );
    const client = new Client(port);
    ask(client);
    await client.until((text) => text.includes('data: {"a":1}\n\n'));
    gate.resolve({ data: { a: 2 } });
    await client.until((text) => text.includes('data: {"a":2}\n\n'));
    await client.end();
    expect(client.text.endsWith("0\r\n\r\n")).toBe(false);
  });

  test("sends the head before an item that keeps everybody waiting, and each item at once", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* slow(): AsyncGenerator {
      for (const [index, gate] of gates.entries()) {
        await gate.promise;
        yield { data: { a: index } };
      }
    }
    const { port } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: events, body: slow() })),
    );
    const client = new Client(port);
    ask(client);
    await client.until((text) => text.includes("\r\n\r\n"));
    expect(client.text).toContain("200 OK");
    gates[0]?.resolve();
    await client.until((text) => text.includes('data: {"a":0}\n\n'));
    gates[1]?.resolve();
    await client.until((text) => text.endsWith("0\r\n\r\n"));
  });

  test("refuses what fails before its first item, whatever it has to say", async () => {
    const reject = (): Promise<never> => Promise.reject(new TypeError("secret"));
    const failing = {
      [Symbol.asyncIterator]: () => ({ next: reject }),
    };
    const broken = {
      [Symbol.asyncIterator]: (): never => {
        throw new TypeError("secret");
      },
    };
    const wrong: readonly (() => unknown)[] = [
      () => failing,
      () => broken,
      () => new ReadableStream({ pull: reject }),
      () => [() => 1],
      () => [reject()],
    ];
    for (const body of wrong) {
      const { url } = await startBy(
        way,
        answering(() => ({ status: 200, contentType: lines, body: body() })),
      );
      const response = await fetch(`${url}/one`);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ code: "internal_error" });
    }
  });

  test("ends the connection without an end of the body when an item fails, and tells the edge", async () => {
    for (const wrong of ["throws", "is no JSON", "breaks the contract"]) {
      let isClosed = false;
      const isReleased = Promise.withResolvers<void>();
      async function* failing(): AsyncGenerator {
        try {
          yield { a: 1 };
          await isReleased.promise;
          if (wrong === "throws") throw new TypeError("secret");
          yield wrong === "is no JSON" ? 1n : { a: "x" };
        } finally {
          isClosed = true;
        }
      }
      const edge = { checkAnswers: true };
      const { port, log } = await startBy(
        way,
        answering(() => ({ status: 200, contentType: lines, body: failing() }), { edge }),
      );
      const client = new Client(port);
      ask(client);
      await client.until((text) => text.includes('{"a":1}'));
      isReleased.resolve();
      const answer = await client.end();
      expect(unchunked(answer)).toEqual({ text: '{"a":1}\n', isWhole: false });
      expect(answer).not.toContain("secret");
      expect(isClosed).toBe(true);
      const error = wrong === "breaks the contract" ? "AnswerError" : "TypeError";
      expect(log.lines.slice(-2)).toEqual(["answered 200", `refuse ${error}`]);
    }
  });

  test("sends what came before an item that fails", async () => {
    function* failing(): Generator {
      yield { a: 1 };
      yield { a: 2 };
      throw new TypeError("secret");
    }
    const { port } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: lines, body: failing() })),
    );
    const client = new Client(port);
    ask(client);
    expect(unchunked(await client.end())).toEqual({ text: '{"a":1}\n{"a":2}\n', isWhole: false });
  });

  test("answers HEAD with the head alone, and begins nothing", async () => {
    const said: string[] = [];
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          said.push("next");
          return Promise.resolve({ done: false, value: { a: 1 } });
        },
        return: () => {
          said.push("return");
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const { port } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: lines, body })),
    );
    const client = new Client(port);
    client.send("HEAD /one HTTP/1.1", host, "Connection: close", "", "");
    const answer = await client.end();
    expect(answer).toContain("200 OK");
    expect(answer.toLowerCase()).toContain(`content-type: ${lines}`);
    expect(answer.split("\r\n\r\n")[1]).toBe("");
    expect(said).toEqual(["return"]);
  });

  test("keeps the connection for the next request when a stream has ended", async () => {
    const { port } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: lines, body: later([{ a: 1 }]) })),
    );
    const client = new Client(port);
    for (const round of [1, 2, 3]) {
      ask(client);
      await client.until((text) => text.split("HTTP/1.1 200").length === round + 1);
      await client.until((text) => text.split("0\r\n\r\n").length === round + 1);
    }
  });

  test("sends an item that is larger than any buffer, and text that is cut between its bytes", async () => {
    const text = "€".repeat(1_000_000);
    const { url } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: events, body: later([{ data: text }]) })),
    );
    const answer = await (await fetch(`${url}/one`)).text();
    expect(answer.length).toBe(text.length + "data: \n\n".length);
    expect(answer.startsWith("data: €€")).toBe(true);
  });
});

test("holds each item against the contract, and a note for nobody against nothing", async () => {
  const checked = async (contentType: string, body: unknown): Promise<unknown> => {
    const setup = answering(() => ({ status: 200, contentType, body }), {
      edge: { checkAnswers: true },
    });
    const response = await appOf(setup).app.request("/one");
    return response.status === 200 ? response.text() : response.json();
  };
  const said = (problem: string): unknown => ({
    code: "answer",
    message: `one: status 200: item 1: ${problem}`,
  });
  expect(await checked(lines, [{ a: "x" }])).toEqual(said("/a must be a number"));
  expect(await checked("application/json-seq", [1])).toEqual(said("it must be an object"));
  expect(await checked(events, [{ data: { a: 1.5 } }])).toEqual(said("/data/a must be an integer"));
  expect(await checked(events, [{ event: "x" }])).toEqual(said("/data is required"));
  expect(await checked(events, [{ comment: "alive" }, { retry: 5, id: "" }, {}])).toBe(
    ": alive\n\nid: \nretry: 5\n\n:\n\n",
  );
  // as a client sees it: without what is undefined
  expect(await checked(lines, [{ a: 1, b: undefined }])).toBe('{"a":1}\n');
});

test("writes texts in data as they are, or as JSON where the contract says so", async () => {
  const body = [{ data: "x" }, { data: { a: "x" } }, { data: 1 }, { data: null }, { data: "" }];
  const sent = async (jsonEvents?: string[]): Promise<string> => {
    const setup = answering(
      () => ({ status: 200, contentType: events, body }),
      jsonEvents === undefined ? {} : { jsonEvents },
    );
    return (await appOf(setup).app.request("/one")).text();
  };
  const rest = ['{"a":"x"}', "1", "null"].map((one) => `data: ${one}\n\n`).join("");
  expect(await sent()).toBe(`data: x\n\n${rest}data: \n\n`);
  expect(await sent(["200"])).toBe(`data: "x"\n\n${rest}data: ""\n\n`);
  expect(await sent(["default"])).toBe(`data: x\n\n${rest}data: \n\n`);
});

test("gives a signal to those whose answer may last, and to no others", async () => {
  const plain = operation({ id: "two", path: "/two" });
  let seen: unknown;
  const setup = answering((request) => {
    seen = request.signal;
    return { status: 200, contentType: lines, body: [] };
  });
  const { app } = appOf({ ...setup, operations: [...setup.operations, plain] });
  await app.request("/one");
  expect(seen).toBeInstanceOf(AbortSignal);
  expect(await (await app.request("/two")).json()).toEqual({ request: {} });
});
