// A client of a public contract calls each of its operations on the mock of the contract, over a port: every call is
// answered as the contract says, and none is refused.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { argumentsOf, arrangementOf, sentContent } from "../../../generator/client/names.ts";
import type { Reading } from "../../../generator/generate.ts";
import type { Operation } from "../../../generator/model/model.ts";
import { Dice } from "../../../generator/suite/dice.ts";
import { Drawing } from "../../../generator/suite/drawing.ts";
import { isObject, type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { buildJudges } from "../../../generator/suite/schemas.ts";
import { ContractSuite } from "../../../generator/suite/suite.ts";
import type { TryWish } from "../../../generator/suite/try.ts";
import { draw, formOf } from "../../../generator/suite/wholes.ts";
import { serve, type Serving } from "../mock/serving.ts";
import { projectFolder } from "../work-folder.ts";
import { generate, loadClient } from "./both-sides.ts";

const seed = Number(process.env["SEED"] ?? 1);
const examples = join(projectFolder, "node_modules/@readme/oas-examples");

const contracts: readonly (readonly [name: string, path: string])[] = [
  ["petstore", join(examples, "3.0/json/petstore.json")],
  ["petstore, 3.1", join(examples, "3.1/json/petstore.json")],
  ["train-travel", join(examples, "3.1/json/train-travel.json")],
  ["star-trek", join(examples, "3.0/json/star-trek.json")],
  ["our own", join(projectFolder, "generated/openapi.json")],
];

/** What the `fetch` of a client adds: of a call here, as its options. */
const added = ["X-Signature", "X-Timestamp", "X-Nonce"];
/** A credential of our own contract, too. */
const noArguments = new Set([...added, "X-Api-Key"].map((name) => name.toLowerCase()));

interface Given {
  readonly given: object;
  readonly options: { readonly headers: Readonly<Record<string, string>> };
}

const servings: Serving[] = [];
afterAll(() => Promise.all(servings.map((one) => one.close())));

interface Valued {
  readonly in: string;
  readonly name: string;
  readonly value: Json;
}

/** Draws what an operation may be given, the suite's way. */
class Arguments {
  readonly #suite: ContractSuite;
  readonly #wish: TryWish;
  readonly #document: JsonObject;

  constructor(reading: Reading) {
    const document = reading.bundled;
    const send = (): Promise<Response> => Promise.reject(new Error("the client sends"));
    this.#suite = new ContractSuite({ document, seed, send });
    this.#document = reading.model.document;
    const { contract } = this.#suite;
    this.#wish = {
      drawing: new Drawing(contract, buildJudges(contract.document)),
      dice: new Dice(seed),
      draws: 0,
      known: new Map(),
      refusesUnknownParameters: true,
    };
  }

  /** Undefined: a list that is empty, say, has no form. */
  of(operation: Operation, optional: "all" | "some" | "none"): Given | undefined {
    const asked = this.#suite.operations.find(
      ({ method, path }) => method === operation.method && path === operation.writtenPath,
    );
    if (asked === undefined) throw new Error(`the suite knows no ${operation.operationId}`);
    const drawn = draw({ ...asked, otherMediaTypes: [] }, this.#wish, optional);
    if ("why" in drawn) return undefined;
    const { parameters, body = this.#otherBody(operation, asked) } = drawn.parts;
    const valued = operation.parameters.flatMap((parameter) => {
      const value = parameters.get(`${parameter.in} ${parameter.name}`);
      return value === undefined ? [] : [{ ...parameter, value }];
    });
    const own = argumentsOf({ ...operation, parameters: valued }, noArguments) as typeof valued;
    const others = valued.filter((one) => !own.includes(one));
    const headers = Object.fromEntries(others.map(({ name, value }) => [name, textOf(value)]));
    return { given: this.#arranged(operation, own, body), options: { headers } };
  }

  #arranged(operation: Operation, own: readonly Valued[], body: unknown): object {
    const arrangement = arrangementOf(operation, noArguments, this.#document);
    if (arrangement !== "grouped") {
      const members = arrangement === "spread" ? body : body === undefined ? {} : { body };
      return {
        ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
        ...(members as object),
      };
    }
    const groups = Object.entries(Object.groupBy(own, (one) => one.in));
    const byPlace = groups.map(([place, all = []]) => [
      place,
      Object.fromEntries(all.map(({ name, value }) => [name, value])),
    ]);
    return { ...(Object.fromEntries(byPlace) as object), ...(body === undefined ? {} : { body }) };
  }

  /** Of a form, of a text or of bytes. */
  #otherBody(operation: Operation, asked: ContractSuite["operations"][number]): unknown {
    const content = sentContent(operation);
    if (content === undefined || content.codec === "json") return undefined;
    if (content.codec !== "form" && content.codec !== "multipart") return new Blob(["bytes"]);
    const value = formOf(asked, content.mediaType, this.#wish)?.value ?? {};
    return isObject(value) ? withFiles(value, content.parts ?? {}) : value;
  }
}

function withFiles(value: JsonObject, parts: NonNullable<ReturnType<typeof partsOf>>): object {
  const isFile = (name: string): boolean => {
    const kind = parts[name]?.kind;
    return kind !== undefined && kind !== "json" && "file" in kind;
  };
  const fileOf = (one: Json): File => new File([textOf(one)], "file");
  const entries = Object.entries(value).map(([name, one]) => {
    if (!isFile(name)) return [name, one] as const;
    return [name, Array.isArray(one) ? one.map(fileOf) : fileOf(one)] as const;
  });
  return Object.fromEntries<unknown>(entries);
}

const partsOf = (operation: Operation) => sentContent(operation)?.parts;

describe.each(contracts)("%s", (_, path) => {
  test.each([false, true])("by what is drawn: %j", async (isDynamic) => {
    // JSON of a package
    const generated = generate(JSON.parse(readFileSync(path, "utf8")) as JsonObject, added);
    const { model } = generated.reading;
    const serving = await serve(path, { seed, isDynamic });
    servings.push(serving);
    const { createClient } = await loadClient(generated);
    const client = createClient({ baseUrl: serving.url });
    const given = new Arguments(generated.reading);
    const problems: string[] = [];
    const called = new Set<string>();
    for (const { identifier, operations } of model.groups) {
      for (const operation of operations) {
        const call = client[identifier]?.[operation.identifier];
        for (const optional of ["all", "none", "some"] as const) {
          const one = given.of(operation, optional);
          if (one === undefined) continue;
          called.add(operation.operationId);
          try {
            const answer = await call?.answer(one.given, one.options);
            if (!(Number(answer?.status) < 400)) throw new Error(JSON.stringify(answer));
          } catch (error) {
            problems.push(`${operation.operationId} of ${JSON.stringify(one)}: ${String(error)}`);
          }
        }
      }
    }
    expect(problems, `SEED=${seed}`).toEqual([]);
    expect([...called]).toEqual(
      model.groups.flatMap((one) => one.operations.map(({ operationId }) => operationId)),
    );
    expect(called.size).toBeGreaterThan(5);
  });
});
