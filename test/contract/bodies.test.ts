// How a body may be written: JSON of every kind, its media type, its size.

import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  briefly,
  checkAnswer,
  errorOf,
  readAnswer,
} from "../support/contract-answers.ts";
import { type Json, type Operation, operations } from "../support/contract-document.ts";
import { sendPlain, signedHeaders, targetOf, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useContractServer } from "../support/contract-server.ts";
import { effortOf } from "../support/patience.ts";

const server = useContractServer();
const withBody = operations.filter(({ body }) => body !== undefined);
const withoutBody = operations.filter(({ body, method }) => body === undefined && method !== "GET");

const payment = operationBy("createPayment");
const bodyMax = 65_536;

interface Sent {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(operation: Operation, { body, headers }: Sent): Promise<Answer> {
  const plain = validRequest(operation);
  const response = await sendPlain(server, {
    method: operation.method,
    target: targetOf(plain),
    headers: { ...plain.headers, ...headers },
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  });
  return readAnswer(response, operation);
}

const json = { "Content-Type": "application/json" };
const postJson = (body: Sent["body"]): Promise<Answer> => post(payment, { body, headers: json });

function paymentText(members: string): string {
  return `{"merchant_order_no":"A-1","quotes":{"cur_usdc":{"amount":"1"}}${members}}`;
}

const bytesOf = (...list: readonly number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(list);
const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, "utf16le"));

describe("what is not JSON is invalid_json", () => {
  test.each<[string, Sent["body"]]>([
    ["only white space", " \n\t"],
    ["an open object", "{"],
    ["an open text", '{"a":"b'],
    ["an open array", '{"a":[1'],
    ["a lost bracket", '{"a":1}}'],
    ["the wrong bracket", '{"a":[1}'],
    ["two documents", "{}{}"],
    ["trailing words", "{} end"],
    ["a comma at the end", '{"a":1,}'],
    ["a comma at the end of an array", '{"a":[1,]}'],
    ["two commas", '{"a":1,,"b":2}'],
    ["no colon", '{"a" 1}'],
    ["single quotes", "{'a':1}"],
    ["a bare name", "{a:1}"],
    ["a comment", '{"a":1 /* one */}'],
    ["NaN", '{"a":NaN}'],
    ["Infinity", '{"a":Infinity}'],
    ["undefined", "undefined"],
    ["a leading zero", '{"a":01}'],
    ["a plus sign", '{"a":+1}'],
    ["a bare point", '{"a":.5}'],
    ["a point at the end", '{"a":5.}'],
    ["hexadecimal", '{"a":0x10}'],
    ["True", '{"a":True}'],
    ["a line feed in a text", '{"a":"b\nc"}'],
    ["a NUL in a text", '{"a":"b\0c"}'],
    ["a bad escape", '{"a":"\\x41"}'],
    ["a short escape", '{"a":"\\u12"}'],
    ["a byte order mark", "\ufeff{}"],
    ["Latin-1", bytesOf(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe9, 0x22, 0x7d)],
    ["an overlong form", bytesOf(0x22, 0xc0, 0x80, 0x22)],
    ["a surrogate as bytes", bytesOf(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["half a character", bytesOf(0x22, 0xf0, 0x9f, 0x98, 0x22)],
    ["UTF-16", utf16('{"a":1}')],
    ["a form", "merchant_order_no=A-1"],
    ["nesting of 33 levels", `${'{"a":'.repeat(33)}1${"}".repeat(33)}`],
    ["nesting without end", "[".repeat(60_000)],
  ])("%s", async (_name, body) => {
    const answer = await postJson(body);
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body).code).toBe("invalid_json");
    expect(briefly(answer)).toEqual(["body  json"]);
  });

  test("a name that stands twice is refused with its place, and nothing is made", async () => {
    const twice = '{"merchant_order_no":"A-1","quotes":{"cur_usdc":{"amount":"1","amount":"2"}}}';
    const answer = await postJson(twice);
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body).code).toBe("invalid_request");
    expect(briefly(answer)).toEqual(["body /quotes/cur_usdc/amount repeated"]);
  });

  test("no body at all is a missing body", async () => {
    const answer = await postJson("");
    expect(answer.status).toBe(400);
    expect(briefly(answer)).toEqual(["body  required"]);
  });

  test.each([["null"], ["[]"], ['"text"'], ["1"], ["true"]])(
    "%s is JSON, but no object",
    async (body) => {
      const answer = await postJson(body);
      expect({ status: answer.status, problems: briefly(answer) }).toEqual({
        status: 400,
        problems: ["body  type"],
      });
    },
  );

  test("the answer costs next to nothing, whatever was sent", async () => {
    const texts = ["[", "1", " "].map((unit) => unit.repeat(65_000));
    texts.push(`"${"\\".repeat(65_000)}`);
    const send = async (): Promise<void> => {
      for (const text of texts) expect((await postJson(text)).status).toBe(400);
    };
    expect(await effortOf(send)).toBeLessThan(60);
  });
});

describe("numbers", () => {
  test.each([
    ["9007199254740991", []],
    ["1.0", []],
    ["1e2", []],
    ["100e-2", []],
    ["9007199254740992", ["body /expires_in_secs maximum"]],
    ["9007199254740993", ["body /expires_in_secs maximum"]],
    ["9223372036854775807", ["body /expires_in_secs maximum"]],
    ["1e400", ["body /expires_in_secs type"]],
    ["1.5", ["body /expires_in_secs type"]],
    ["0", ["body /expires_in_secs minimum"]],
    ["-0", ["body /expires_in_secs minimum"]],
    ['"1"', ["body /expires_in_secs type"]],
  ])("expires_in_secs: %s", async (text, problems) => {
    const answer = await postJson(paymentText(`,"expires_in_secs":${text}`));
    expect(answer.status === 400 ? briefly(answer) : []).toEqual(problems);
    expect(answer.status === 400).toBe(problems.length > 0);
  });
});

describe("decimal amounts", () => {
  const amount = async (text: string): Promise<readonly string[]> => {
    const quotes: Json = { cur_usdc: { amount: text } };
    const answer = await postJson(JSON.stringify({ merchant_order_no: "A-1", quotes }));
    return answer.status === 400 ? briefly(answer) : [];
  };
  test.each(["0", "1", "0.0", "25.50", "9".repeat(128), `0.${"1".repeat(126)}`])(
    "%j is one",
    async (text) => {
      expect(await amount(text)).toEqual([]);
    },
  );
  test.each([
    "",
    "00",
    "01",
    "-1",
    "+1",
    "1.",
    ".5",
    "1e3",
    "1,5",
    " 1",
    "1 ",
    "1\n",
    "٣",
    "１",
    "0x1",
    "NaN",
    "1_000",
  ])("%j is none", async (text) => {
    expect(await amount(text)).toEqual(["body /quotes/cur_usdc/amount pattern"]);
  });
  test("129 digits are too many", async () => {
    expect(await amount("1".repeat(129))).toEqual(["body /quotes/cur_usdc/amount maxLength"]);
  });
});

describe.each(withBody)("media types of $operationId", (operation) => {
  const body = JSON.stringify(validRequest(operation).body);

  test.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "text/plain",
    "text/json",
    "application/problem+json",
    "application/jsonx",
    "application",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    "*/*",
  ])("%s is refused", async (contentType) => {
    const answer = await post(operation, { body, headers: { "Content-Type": contentType } });
    expect(answer.status).toBe(415);
    expect(errorOf(answer.body).code).toBe("unsupported_media_type");
    expect(answer.headers.has("Accept-Encoding")).toBe(false);
  });

  test("none is refused", async () => {
    expect((await post(operation, { body })).status).toBe(415);
  });

  test.each(["gzip", "br", "deflate", "gzip, gzip", "unheard-of"])(
    "Content-Encoding: %s is refused",
    async (encoding) => {
      const headers = { ...json, "Content-Encoding": encoding };
      const answer = await post(operation, { body, headers });
      expect(errorOf(answer.body).code).toBe("unsupported_media_type");
      expect(answer.headers.get("Accept-Encoding")).toBe("identity");
      // Announced, and nothing follows.
      const none = await post(operation, { body: "", headers });
      expect([none.status, errorOf(none.body).code]).toEqual([415, "unsupported_media_type"]);
    },
  );

  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; profile=x",
    "application/json ; charset=utf-8",
  ])("%s is taken", async (contentType) => {
    const answer = await post(operation, { body, headers: { "Content-Type": contentType } });
    expect([400, 415]).not.toContain(answer.status);
  });
});

describe("the size of a body", () => {
  const bodyOf = (bytes: number): string => {
    const shortest = paymentText(',"memo":""');
    return shortest.replace('"memo":""', `"memo":"${"a".repeat(bytes - shortest.length)}"`);
  };

  /** Chunks carry no length, so the limit has to be noticed on the way. */
  function sendChunked(operation: Operation, body: string): Promise<Answer> {
    const plain = validRequest(operation);
    return new Promise((resolve, reject) => {
      const target = targetOf(plain);
      const { method } = operation;
      const headers = { ...plain.headers, ...json, "Transfer-Encoding": "chunked" };
      const signed = signedHeaders(server, { method, target, headers, body });
      const options = { method, headers: Object.fromEntries(signed), agent: false } as const;
      const sent = httpRequest(server.url + target, options, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        incoming.once("end", () => {
          const fields = Object.entries(incoming.headers).map(([name, value]) => [
            name,
            String(value),
          ]);
          const answer: Answer = {
            status: incoming.statusCode ?? 0,
            headers: new Headers(fields as [string, string][]),
            body: JSON.parse(text) as Json,
          };
          resolve(answer);
          sent.destroy();
        });
      });
      sent.once("error", reject);
      for (let at = 0; at < body.length; at += 10_000) sent.write(body.slice(at, at + 10_000));
      sent.end();
    });
  }

  test.each(withBody)(
    "$operationId refuses one byte more than 64 kB, with a length",
    async (operation) => {
      const answer = await post(operation, { body: bodyOf(bodyMax + 1), headers: json });
      expect(answer.status).toBe(413);
      expect(errorOf(answer.body).code).toBe("body_too_large");
    },
  );

  test.each(withBody)("$operationId refuses it in chunks", async (operation) => {
    const answer = await sendChunked(operation, bodyOf(bodyMax + 1));
    checkAnswer(answer, operation);
    expect(answer.status).toBe(413);
  });

  test("64 kB are looked at, with a length and in chunks", async () => {
    const problem = ["body /memo maxLength"];
    expect(briefly(await postJson(bodyOf(bodyMax)))).toEqual(problem);
    expect(briefly(await sendChunked(payment, bodyOf(bodyMax)))).toEqual(problem);
  });

  test("a body in many small chunks is one body", async () => {
    const answer = await sendChunked(payment, paymentText(',"memo":1'));
    expect(briefly(answer)).toEqual(["body /memo type"]);
  });

  test.each(withoutBody)(
    "$operationId counts the body that it does not read",
    async (operation) => {
      const answer = await post(operation, { body: bodyOf(bodyMax + 1), headers: json });
      expect(answer.status).toBe(413);
    },
  );
});

describe.each(withoutBody)("$operationId, which takes no body,", (operation) => {
  test.each<[string, Sent]>([
    ["JSON", { body: "{}", headers: json }],
    ["no JSON", { body: "{", headers: json }],
    ["a form", { body: "a=b", headers: { "Content-Type": "application/x-www-form-urlencoded" } }],
    ["bytes", { body: bytesOf(0, 255) }],
  ])("refuses %s", async (_name, sent) => {
    // "A body sent to an operation that takes none is refused with 400" (info.description, Values)
    const answer = await post(operation, sent);
    expect(answer.status).toBe(400);
    expect(briefly(answer)).toEqual(["body  unexpected"]);
  });
});
