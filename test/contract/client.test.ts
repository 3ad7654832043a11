// The types of the contract and the server, seen from a client: typed calls of each operation.

import { join } from "node:path";
import createClient from "openapi-fetch";
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { createClient as createGeneratedClient } from "../../generated/client/client.ts";
import type { paths } from "../../generated/types.ts";
import type * as types from "../../generated/types.ts";
import {
  type Diagnostic,
  projectFolder,
  projectSubfolder,
  typeCheck,
  writeFile,
} from "../generator/work-folder.ts";
import { errorOf, readAnswer } from "../support/contract-answers.ts";
import { operations, textOf } from "../support/contract-document.ts";
import { exampleOf, newKey, targetOf, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useContractServer } from "../support/contract-server.ts";
import { programOf, type Style, type TypedCall, typedCalls, wrongCalls } from "./typed-calls.ts";

const server = useContractServer();

/** The types want them; signingFetch writes the true ones over them. */
const caller = { "X-Api-Key": "", "X-Signature": "", "X-Timestamp": "", "X-Nonce": "" };
const header = {
  ...caller,
  get "Idempotency-Key"() {
    return newKey();
  },
};
const path = { id: "any_1" };

/** `fetch` is looked up late: the address is known once the server runs. */
function client() {
  return createClient<paths>({ baseUrl: server.url, fetch: signingFetch(server) });
}

const shown = typedCalls();

/** A client that gives each of its exchanges to `tell`. */
const clients = {
  "openapi-fetch": (tell: Send): unknown =>
    createClient<paths>({ baseUrl: server.url, fetch: tell }),
  "the generated client": (tell: Send): unknown =>
    createGeneratedClient({ baseUrl: server.url, fetch: tell }),
} satisfies Record<Style, unknown>;

type Send = (request: Request) => Promise<Response>;
type Calls = Readonly<Record<string, (client: unknown, key: () => string) => Promise<unknown>>>;

describe.each([
  { style: "openapi-fetch", partsMin: 4 },
  { style: "the generated client", partsMin: 1 },
] as const)("by $style", ({ style, partsMin }) => {
  const wrong = wrongCalls(style);
  const folder = projectSubfolder();
  let diagnostics: readonly Diagnostic[] = [];
  let calls: Calls = {};

  beforeAll(async () => {
    const generated = join(projectFolder, "generated");
    const files = [...wrong.map(({ name }) => `${name}.ts`), "calls.ts"];
    for (const { name, call } of wrong)
      writeFile(join(folder, `${name}.ts`), programOf([call], generated, style));
    writeFile(join(folder, "calls.ts"), programOf(shown, generated, style));
    diagnostics = await typeCheck(folder, files);
    // The compiler has just looked at it.
    ({ calls } = (await import(join(folder, "calls.ts"))) as { readonly calls: Calls });
  });

  test("what the document shows compiles, for every operation", () => {
    expect(diagnostics.filter(({ file }) => file === "calls.ts")).toEqual([]);
    const called = new Set(shown.map(({ operation }) => operation.operationId));
    expect([...called]).toEqual(operations.map(({ operationId }) => operationId));
  });

  test("a call without one of its required parts does not, whichever it is", () => {
    const said = diagnostics.filter(({ text }) => /is missing|is not assignable/.test(text));
    const found = new Set(said.map(({ file }) => file));
    const missed = wrong.filter(({ name }) => !found.has(`${name}.ts`));
    expect(missed.map(({ name }) => name)).toEqual([]);
    expect(wrong.length).toBeGreaterThan(partsMin * operations.length);
  });

  test.each(shown)("$name is sent as it is shown, and answered", async (shownCall) => {
    const { [shownCall.name]: call } = calls;
    if (call === undefined) throw new Error("the program lacks the call");
    const exchanges: Exchange[] = [];
    await call(clients[style](signedAndRead(shownCall, exchanges)), newKey);
    const [exchange, ...more] = exchanges;
    expect([exchange, more]).toEqual([expectedOf(shownCall), []]);
  });
});

interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

/** Signs, holds the answer against the document, and notes what was sent. */
function signedAndRead({ operation }: TypedCall, exchanges: Exchange[]): Send {
  return async (request) => {
    const { method, url } = request;
    const text = await request.clone().text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const response = await signingFetch(server)(request);
    expect((await readAnswer(response.clone(), operation)).status).not.toBe(501);
    exchanges.push({ method, target: url.slice(server.url.length), body });
    return response;
  };
}

function expectedOf({ operation, parameters, body }: TypedCall): Exchange {
  const own = parameters.filter((one) => one.in === "path");
  const values = Object.fromEntries(own.map((one) => [one.name, textOf(exampleOf(one))]));
  const asked = parameters.filter((one) => one.in === "query");
  const query = new URLSearchParams();
  for (const one of asked) {
    const value = exampleOf(one);
    query.append(one.name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const target = targetOf(validRequest(operation, { path: values, query: query.toString() }));
  return { method: operation.method, target, body };
}

test("a refusal arrives in the type of the contract", async () => {
  const { data, error, response } = await client().GET("/v1/currencies", {
    params: { header: caller, query: { limit: 0 } },
  });
  expect([response.status, data]).toEqual([400, undefined]);
  expect(error?.code).toBe("invalid_limit");
  expect(error?.details).toHaveProperty("violations", [
    {
      in: "query",
      pointer: "/limit",
      rule: "minimum",
      message: expect.stringMatching(/1/) as string,
    },
  ]);
});

test("the bytes a typed client sends are what the contract means", async () => {
  const payment = operationBy("createPayment");
  const answers: Promise<unknown>[] = [];
  const observed = createClient<paths>({
    baseUrl: server.url,
    fetch: async (request) => {
      const response = await signingFetch(server)(request);
      answers.push(readAnswer(response.clone(), payment));
      return response;
    },
  });
  const body = { merchant_order_no: "", quotes: {} };
  const { error } = await observed.POST("/v1/payments", { params: { header }, body });
  expect(errorOf(error as never).details.violations).toHaveLength(2);
  expect(await Promise.all(answers)).toHaveLength(1);
});

describe("types, checked by the compiler", () => {
  const typed = () => client();

  test("success and error are told apart", () => {
    const check = async (): Promise<void> => {
      const answer = await typed().POST("/v1/withdrawals/{id}/cancel", {
        params: { header, path },
      });
      if (answer.error === undefined) {
        expectTypeOf(answer.data).toEqualTypeOf<types.CancelledWithdrawal>();
      } else {
        expectTypeOf(answer.error).toEqualTypeOf<types.ApiError>();
        expectTypeOf(answer.data).toEqualTypeOf<undefined>();
      }
    };
    expectTypeOf(check).returns.resolves.toBeVoid();
  });

  test("what the contract refuses does not compile", () => {
    const neverCalled = (): readonly unknown[] => [
      // @ts-expect-error -- X-Signature is required
      typed().GET("/v1/currencies", { params: { header: { "X-Api-Key": "mk" } } }),
      // @ts-expect-error -- there is no such path
      typed().GET("/v1/currency", { params: { header: caller } }),
      // @ts-expect-error -- the path answers to POST only
      typed().GET("/v1/payments", { params: { header: caller } }),
      // @ts-expect-error -- the path needs its id
      typed().GET("/v1/currencies/{id}", { params: { header: caller } }),
      typed().GET("/v1/payout-schedules", {
        // @ts-expect-error -- not one of the three statuses
        params: { header: caller, query: { status: "gone" } },
      }),
      typed().GET("/v1/payout-schedules", {
        // @ts-expect-error -- the limit is a number
        params: { header: caller, query: { limit: "5" } },
      }),
      // @ts-expect-error -- the body is required
      typed().POST("/v1/payments", { params: { header } }),
      typed().POST("/v1/payments", {
        params: { header },
        // @ts-expect-error -- an amount is text
        body: { merchant_order_no: "A-1", quotes: { cur_usdc: { amount: 25 } } },
      }),
      typed().PUT("/v1/webhook-endpoints/{id}", {
        params: { header, path },
        // @ts-expect-error -- event_types are required on an update
        body: { url: "https://shop.example/hooks" },
      }),
    ];
    expectTypeOf(neverCalled).toBeFunction();
  });
});
