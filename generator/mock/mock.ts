// A server that answers by its contract, without a handler that anybody has written. Routes and validation are
// those of generated servers.

import { OpenAPIHono } from "@hono/zod-openapi";
import type { Reading } from "../generate.ts";
import { methodOf } from "../runtime/methods.ts";
import type { HandlerRequest } from "../runtime/plan.ts";
import type {
  Edge,
  Handler,
  Operation as Served,
  RawRequest,
  WireAnswer,
} from "../runtime/runtime.ts";
import type { Operation } from "../suite/contract.ts";
import { Dice } from "../suite/dice.ts";
import { isObject, type Json } from "../suite/json.ts";
import { Answers, type AnswerWish, type Made } from "./answers.ts";
import { chooseMediaType, chooseStatus } from "./choosing.ts";
import { loadApplication } from "./load.ts";
import { PreferenceError, type Preferences, readPreferences } from "./preferences.ts";
import { FaultError, inContractsWords, plainBody, type Refusal, refusalOf } from "./refusals.ts";
import { State } from "./state.ts";
import { wireOf } from "./wire.ts";

export interface MockOptions {
  readonly seed: number;
  /** values are drawn, whatever examples there are, unless a request prefers otherwise */
  readonly isDynamic: boolean;
  readonly hasState: boolean;
  /** whether refusals say in a header what their body has no place for */
  readonly explains: boolean;
  readonly streamDelayMilliseconds: number;
  /** headers of every answer */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytesMax: number;
  /** the fault of a request, decided before it is read */
  readonly faultOf: (raw: Omit<RawRequest, "body">) => Preferences["fault"];
  readonly answered: (line: Line) => void;
}

/** One request, and what became of it. */
export interface Line {
  readonly method: string;
  /** with its query */
  readonly target: string;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly refusal: Refusal | undefined;
}

export interface Mock {
  readonly app: OpenAPIHono;
  readonly operations: number;
}

interface Passing {
  readonly raw: Omit<RawRequest, "body">;
  readonly startedAt: number;
  refusal: Refusal | undefined;
}

export const documentPath = "/openapi.json";
const depthMax = 64;
/** Where the body has no place for what is wrong. */
const violationsHeader = "X-Mock-Violations";
const headerCharactersMax = 4_000;

export async function buildMock(reading: Reading, options: MockOptions): Promise<Mock> {
  const application = await loadApplication(reading);
  const mocking = new Mocking(reading, options);
  const handlers = application.operations.map((served): readonly [string, Handler] => {
    const handler = (request: HandlerRequest, raw: RawRequest): WireAnswer =>
      mocking.answer(served, request, raw);
    return [served.operationId, handler];
  });
  const app = new OpenAPIHono();
  const isTaken = application.operations.some(({ route }) => route.path === documentPath);
  if (!isTaken) {
    const text = JSON.stringify(reading.bundled);
    app.get(documentPath, (c) => {
      const headers = { ...options.headers, "Content-Type": "application/json" };
      return c.body(text, 200, headers);
    });
  }
  const others = isTaken ? {} : { otherRoutes: { [documentPath]: ["GET"] } };
  application.register(app, Object.fromEntries(handlers), mocking.edge(), others);
  return { app, operations: application.operations.length };
}

class Mocking {
  readonly #answers: Answers;
  readonly #state: State | undefined;
  readonly #options: MockOptions;
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor({ bundled, model }: Reading, options: MockOptions) {
    const answers = new Answers(bundled);
    this.#answers = answers;
    this.#options = options;
    this.#state = options.hasState ? new State(answers) : undefined;
    const { operations } = answers.contract;
    const written = new Map(operations.map((one) => [`${one.method} ${one.path}`, one]));
    this.#operations = new Map(
      model.operations.flatMap(({ method, path, writtenPath }) => {
        const operation = written.get(`${method} ${writtenPath}`);
        return operation === undefined ? [] : [[`${method} ${path}`, operation] as const];
      }),
    );
  }

  edge(): Edge<Passing, RawRequest> {
    const { headers, bodyBytesMax, answered, faultOf } = this.#options;
    return {
      begin: (raw) => ({ raw, startedAt: performance.now(), refusal: undefined }),
      authenticate: (raw) => {
        const fault = faultOf(raw);
        if (fault === "500" || fault === "503") throw new FaultError(fault);
        return raw;
      },
      refuse: (error, passing, served) => this.#refuse(error, passing, served),
      headers: () => headers,
      answered: ({ raw, startedAt, refusal }, status, served) => {
        answered({
          method: raw.method,
          target: raw.query === "" ? raw.path : `${raw.path}?${raw.query}`,
          operationId: served?.operationId,
          status,
          milliseconds: performance.now() - startedAt,
          refusal,
        });
      },
      bodyBytesMax,
      depthMax,
      checkAnswers: false,
    };
  }

  answer(served: Served, request: HandlerRequest, raw: RawRequest): WireAnswer {
    const operation = this.#operationOf(served);
    const { contract } = this.#answers;
    const preferences = readPreferences(textOf(raw.headers["prefer"]));
    const chosen = chooseStatus(contract, operation, preferences.code);
    const mediaType = chooseMediaType(contract, chosen, textOf(raw.headers["accept"]));
    const wish: AnswerWish = {
      operation,
      ...chosen,
      mediaType,
      example: preferences.example,
      isDynamic: preferences.isDynamic ?? this.#options.isDynamic,
      dice: this.#diceOf(raw),
    };
    const { query } = request;
    const asked = { raw, body: bodyIn(request, served), query: isObject(query) ? query : {} };
    // who asks for an answer gets that one
    const isAsked = preferences.code !== undefined || preferences.example !== undefined;
    const made = isAsked ? undefined : this.#state?.answer(asked, wish);
    return this.#wireOf(made ?? this.#answers.make(wish));
  }

  /** The same request, the same dice. */
  #diceOf({ method, path, query, headers, body }: RawRequest): Dice {
    const said = ["accept", "prefer"].map((name) => textOf(headers[name]) ?? "");
    const text = [method, path, query, ...said].join("\n");
    const bytes = [...Buffer.from(text), ...body];
    // FNV-1a
    const hash = bytes.reduce((mixed, byte) => Math.imul(mixed ^ byte, 0x01000193), 0x811c9dc5);
    return new Dice(hash ^ Math.imul(this.#options.seed, 0x9e3779b1));
  }

  #operationOf({ route, operationId }: Served): Operation {
    const operation = this.#operations.get(`${methodOf(route)} ${route.path}`);
    if (operation === undefined) throw new Error(`${operationId} is not in the document`);
    return operation;
  }

  #wireOf(made: Made): WireAnswer {
    return wireOf(made, this.#options.streamDelayMilliseconds);
  }

  #refuse(error: unknown, passing: Passing, served: Served | undefined): WireAnswer {
    const refusal = refusalOf(error) ?? {
      status: 500,
      code: "internal_error",
      message: error instanceof Error ? error.message : String(error),
      violations: [],
      headers: {},
    };
    passing.refusal = refusal;
    // what a caller wants of the mock, and what the mock cannot do, is none of the contract's business
    const isOurs = error instanceof PreferenceError || refusal.status === 500;
    if (isOurs && !(error instanceof FaultError)) return plainWire(refusal);
    try {
      return this.#refusalAnswer(refusal, passing.raw, served);
    } catch {
      // its body cannot be made: it is told without the contract's words
      return plainWire(refusal);
    }
  }

  #refusalAnswer(
    refusal: Refusal,
    raw: Omit<RawRequest, "body">,
    served: Served | undefined,
  ): WireAnswer {
    const { status, violations } = refusal;
    const operation = served === undefined ? undefined : this.#operationOf(served);
    const response = this.#answers.contract.responseFor(operation, status);
    if (response === undefined) return plainWire(refusal);
    const { contract } = this.#answers;
    const accept = textOf(raw.headers["accept"]);
    const made = this.#answers.make({
      operation,
      response,
      status,
      mediaType: chooseMediaType(contract, { status, response }, accept),
      dice: this.#diceOf({ ...raw, body: new Uint8Array(0) }),
      adjust: (body, { isFitting }) => inContractsWords(body, refusal, isFitting),
    });
    const isSaid = JSON.stringify(made.body ?? "").includes(
      JSON.stringify(violations).slice(1, -1),
    );
    const explained =
      this.#options.explains && !isSaid && violations.length > 0
        ? { [violationsHeader]: headerOf(violations.map((one): Json => ({ ...one }))) }
        : {};
    const wire = this.#wireOf(made);
    return { ...wire, headers: { ...wire.headers, ...refusal.headers, ...explained } };
  }
}

function plainWire(refusal: Refusal): WireAnswer {
  const { status, headers } = refusal;
  return { status, headers, body: plainBody(refusal) };
}

/** As many as a header holds; what is no ASCII is escaped as JSON has it. */
function headerOf(list: readonly Json[]): string {
  const shown = list.map((one) => JSON.stringify(one));
  let text = "";
  for (const one of shown) {
    if (text.length + one.length > headerCharactersMax) break;
    text += text === "" ? one : `,${one}`;
  }
  const escaped = text.replaceAll(/[^ -~]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `[${escaped}]`;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}

/** What a handler gets; of several media types the value. Files and bytes are nothing to keep. */
function bodyIn({ body }: HandlerRequest, { route }: Served): Json | undefined {
  const isTagged = Object.keys(route.request?.body?.content ?? {}).length > 1;
  const value: unknown = isTagged ? Reflect.get(Object(body) as object, "value") : body;
  if (value instanceof FormData || value instanceof Uint8Array) return undefined;
  return asJson(value);
}

function asJson(value: unknown): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value).filter(([, one]) => !(one instanceof Blob));
  // what was sent as JSON, or as fields of a form, is JSON
  if (Array.isArray(value)) return value as Json[];
  const object = Object.fromEntries(entries) as Json;
  return isObject(object) ? object : undefined;
}
