// The document that is served is the one that was written, and the application is what it says.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { buildApplication } from "../../adapters/http/application.ts";
import { manifest } from "../../generated/manifest.ts";
import { buildEdge } from "../../handlers/edge.ts";
import { buildHandlers } from "../../handlers/handlers.ts";
import {
  document,
  isObject,
  listAt,
  type Json,
  type JsonObject,
  operations,
  placeAt,
  textOf,
} from "../support/contract-document.ts";
import type { Services } from "../../handlers/services.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

/** The document with every reference replaced by what it leads to; circles stay circles. */
function resolveAll(root: JsonObject): Json {
  const targets = new Map<string, JsonObject>();
  const resolve = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isObject(node)) return node;
    const { $ref: reference, ...beside } = node;
    const copy: JsonObject = {};
    if (typeof reference === "string") copy["$ref"] = target(reference);
    for (const [name, value] of Object.entries(beside)) copy[name] = resolve(value);
    return copy;
  };
  const target = (reference: string): JsonObject => {
    const known = targets.get(reference);
    if (known !== undefined) return known;
    const holder: JsonObject = {};
    targets.set(reference, holder);
    let node: Json | undefined = root;
    for (const token of reference.slice(2).split("/")) {
      const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      node = isObject(node) ? node[name] : undefined;
    }
    if (node === undefined) throw new Error(`${reference} leads nowhere`);
    holder["resolved"] = resolve(node);
    return holder;
  };
  return resolve(root);
}

describe("GET /openapi.json", () => {
  test("serves the written document", async () => {
    const response = await fetch(`${server.url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const served = (await response.json()) as JsonObject;
    expect(isDeepStrictEqual(resolveAll(served), resolveAll(document))).toBe(true);
    // in reading order too: documentation is shown in it
    expect(Object.keys(served["paths"] ?? {})).toEqual(Object.keys(document["paths"] ?? {}));
  });

  test("the comparison notices a difference", () => {
    const changed = structuredClone(document);
    const components = changed["components"] as Record<string, Record<string, JsonObject>>;
    const amount = components["schemas"]?.["DecimalAmount"];
    if (amount === undefined) throw new Error("the document has no DecimalAmount");
    amount["maxLength"] = 129;
    expect(isDeepStrictEqual(resolveAll(changed), resolveAll(document))).toBe(false);
  });
});

describe("the application", () => {
  const never = (): never => {
    throw new Error("only the routes are looked at");
  };
  // No operation is called.
  const handlers = buildHandlers({} as Services);
  const application = buildApplication({
    handlers,
    edge: buildEdge({
      clock: { monotonicMilliseconds: never },
      ids: { next: never },
      log: { debug: never, info: never, error: never },
      authentication: { meet: never, verify: never, admit: never },
      clientAddress: never,
      judge: never,
      checkAnswers: true,
    }),
    isReady: never,
    checkHealth: never,
  });
  const ownPages = ["/", "/openapi.json", "/docs", "/healthz", "/readyz"];

  test("has exactly one route for each operation, besides its own few pages", () => {
    const routes = application.routes.filter(({ path }) => !path.startsWith("/docs/"));
    const pages = routes.filter(({ path }) => ownPages.includes(path));
    expect(pages.map(({ method }) => method)).toEqual(ownPages.map(() => "GET"));
    // Hono's own notation says ":p3" for a segment; what exactly may stand there is tested by paths
    const served = routes.filter(({ path }) => !ownPages.includes(path));
    const operationsOf = ({
      method,
      path,
    }: {
      method: string;
      path: string;
    }): readonly string[] => {
      const form = new RegExp(`^${path.replace(/:p\d+/g, "[^/]+")}$`);
      const found = operations.filter((one) => one.method === method && form.test(one.path));
      return found.map(({ operationId }) => operationId);
    };
    expect(served.map((one) => operationsOf(one).join()).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test("has told the library of the same operations", () => {
    const told = application.openAPIRegistry.definitions.flatMap((one) =>
      one.type === "route" ? [one.route] : [],
    );
    const briefly = told.map(({ operationId, method, path }) => ({
      operationId,
      method: method.toUpperCase(),
      path,
    }));
    const wanted = operations.map(({ operationId, method, path }) => ({
      operationId,
      method,
      path,
    }));
    expect(new Set(briefly.map((one) => JSON.stringify(one)))).toEqual(
      new Set(wanted.map((one) => JSON.stringify(one))),
    );
    expect(briefly).toHaveLength(wanted.length);
  });

  test("has a handler for each", () => {
    expect(Object.keys(handlers).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });
});

test("the manifest says what the document says", () => {
  const written = operations.map((one) => ({
    operationId: one.operationId,
    method: one.method,
    path: one.path,
    tag: textOf(listAt(one.node, "tags")[0]),
    parameters: one.parameters.map(({ in: part, name, required }) => ({
      in: part,
      name,
      required,
    })),
    body: one.body === undefined ? null : { required: true, mediaTypes: ["application/json"] },
    responses: Array.from(one.responses, ([status, { node }]) => ({
      status,
      mediaTypes: Object.keys(node["content"] ?? {}),
    })),
    defaultStatuses: [...one.defaultStatuses],
  }));
  expect(manifest).toEqual(written);
});

test("every component is used", () => {
  const text = JSON.stringify(document);
  const unused = Object.entries(placeAt("/components").node).flatMap(([kind, list]) =>
    kind === "securitySchemes"
      ? []
      : Object.keys(isObject(list) ? list : {})
          .map((name) => `#/components/${kind}/${name}`)
          .filter((reference) => !text.includes(JSON.stringify(reference))),
  );
  expect(unused).toEqual([]);
});
