// Requests drawn at random from the hand-written document alone: those that it allows, and those in which
// exactly one of its rules is broken.

import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { type Known, valuesAt } from "./contract-arbitraries.ts";
import { judgeOf, type Said, singleBreaks } from "./contract-breaks.ts";
import { type Json, type Operation, type ParameterPlace, textOf } from "./contract-document.ts";
import { repeatCommands } from "./contract-repeat.ts";
import {
  type ContractRequest,
  newKey,
  type PlainRequest,
  sendPlain,
  type Signer,
  targetOf,
  validRequest,
  withHeader,
  withoutHeader,
} from "./contract-requests.ts";
import { spell } from "./contract-spelling.ts";

export interface GeneratedRequest extends ContractRequest {
  /** the body as it is sent */
  readonly text: string | undefined;
}

export interface ExpectedViolation {
  readonly in: string;
  readonly pointer: string;
  readonly rule: string;
}

export interface BrokenRequest {
  readonly request: GeneratedRequest;
  /** the rule that was broken first, then what is said of the same mistake beside it */
  readonly expected: readonly [ExpectedViolation, ...ExpectedViolation[]];
  /** below the first the answer may say more */
  readonly isVague: boolean;
}

type Requests = fc.Arbitrary<GeneratedRequest>;

const dice = fc.oneof(
  fc.constant<number[]>([]),
  fc.array(fc.nat({ max: 999 }), { minLength: 5, maxLength: 40 }),
);
/** Names of media types have no case; what else stands there may be ignored (RFC 9110 section 8.3). */
const mediaTypes = fc.constantFrom(
  "application/json",
  "application/json; charset=utf-8",
  'Application/JSON;charset="UTF-8"',
);

/** These the signature gives; a nonce may be any of its form, used once. */
const signed = new Set(["X-Api-Key", "X-Signature", "X-Timestamp"]);

export function allowedRequests(operation: Operation, known: Known = () => undefined): Requests {
  const { parameters, body } = operation;
  const plain = validRequest(operation);
  const paths = parameters.filter((one) => one.in === "path");
  const headers = parameters.filter((one) => one.in === "header" && !signed.has(one.name));
  const values =
    body === undefined ? fc.constant(undefined) : valuesAt(`${body.pointer}/schema`, known);
  const whole = fc.record({
    path: fc.record(Object.fromEntries(paths.map((one) => [one.name, pathTexts(one, known)]))),
    query: queriesOf(operation, known),
    headers: headersOf(headers),
    body: values,
    media: mediaTypes,
    dice,
  });
  return whole
    .map(({ media, dice: thrown, ...drawn }): GeneratedRequest => {
      const text = drawn.body === undefined ? undefined : spell(drawn.body, thrown);
      const type = text === undefined ? {} : { "Content-Type": media };
      const own = { ...plain.headers, ...type, ...drawn.headers };
      return { ...plain, ...drawn, headers: own, text };
    })
    .filter(isSmall);
}

/** No body has more than 64 kB, says the document. */
function isSmall({ text = "" }: GeneratedRequest): boolean {
  return Buffer.byteLength(text) <= 65_536;
}

/** No segment is a dot segment, and none has a slash: what the document says of paths. */
function pathTexts(parameter: ParameterPlace, known: Known): fc.Arbitrary<string> {
  return valuesAt(`${parameter.pointer}/schema`, known)
    .map(textOf)
    .filter((text) => text !== "" && !/^\.{1,2}$|[/\\]/.test(text));
}

/** Any of the parameters in any order, with more escapes than there have to be. */
function queriesOf({ parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const named = parameters.filter((one) => one.in === "query");
  const values = named.map((one) =>
    fc
      .tuple(valuesAt(`${one.pointer}/schema`, known).map(textOf), fc.boolean())
      .map(([text, isEscaped]) => `${one.name}=${isEscaped ? escaped(text) : plainly(text)}`),
  );
  return fc
    .tuple(fc.tuple(...values), fc.shuffledSubarray(named.map((_, at) => at)))
    .map(([texts, chosen]) => chosen.map((at) => texts[at]).join("&"));
}

const plainly = (text: string): string => encodeURIComponent(text);

function escaped(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function headersOf(parameters: readonly ParameterPlace[]): fc.Arbitrary<Record<string, string>> {
  const texts = parameters.map((one) => [one.name, headerTexts(one)] as const);
  const requiredKeys = parameters.filter((one) => one.required).map(({ name }) => name);
  return fc.record(Object.fromEntries(texts), { requiredKeys });
}

/** What HTTP lets through as it is (RFC 9110 section 5.5). */
const headerText = /^([!-~]([ -~]*[!-~])?)?$/;

function headerTexts(parameter: ParameterPlace): fc.Arbitrary<string> {
  const { name, pointer, node } = parameter;
  const judge = judgeOf(`${pointer}/schema`);
  const schema = node["schema"];
  const isAnyText = judge("any text,\u00e9").length === 0;
  const texts = isAnyText
    ? fc.string({ unit: "grapheme-ascii", maxLength: 60 })
    : valuesAt(`${pointer}/schema`).map(textOf);
  if (schema === undefined) throw new Error(`the header ${name} has no schema`);
  const own = texts.filter((text) => headerText.test(text) && judge(text).length === 0);
  // A key names one request: a short one is soon taken.
  if (name !== "Idempotency-Key") return own;
  return fc.oneof(
    { weight: 1, arbitrary: own },
    { weight: 4, arbitrary: own.map((text) => `${newKey()}${text}`.slice(0, 128)) },
  );
}

// ---------------------------------------------------------------------------------------------
// One rule broken

export function brokenRequests(operation: Operation, known?: Known): fc.Arbitrary<BrokenRequest> {
  const { parameters, body } = operation;
  const allowed = allowedRequests(operation, known);
  const parts = parameters.flatMap((one) => brokenParameters(allowed, one));
  parts.push(unknownParameters(allowed, parameters));
  const others = fc.oneof(...parts);
  if (body === undefined) return others;
  const pointer = `${body.pointer}/schema`;
  const bodies = fc.tuple(allowed, dice).chain(([request, thrown]) =>
    singleBreaks(pointer, request.body ?? null).map(({ value, said, isVague }): BrokenRequest => {
      const [first, ...beside] = said;
      const at = (one: Said): ExpectedViolation => ({ in: "body", ...one });
      const broken = { ...request, body: value, text: spell(value, thrown) };
      return { request: broken, expected: [at(first), ...beside.map(at)], isVague };
    }),
  );
  const small = bodies.filter(({ request }) => isSmall(request));
  return fc.oneof({ weight: 3, arbitrary: small }, { weight: 2, arbitrary: others });
}

type Broken = fc.Arbitrary<BrokenRequest>;

function exactly(request: GeneratedRequest, ...expected: BrokenRequest["expected"]): BrokenRequest {
  return { request, expected, isVague: false };
}

function brokenParameters(allowed: Requests, parameter: ParameterPlace): readonly Broken[] {
  const { name, required } = parameter;
  const pointer = `/${name}`;
  const part = parameter.in;
  const texts = brokenTexts(parameter);
  const found: Broken[] = [];
  if (texts !== undefined) {
    const broken = fc.tuple(allowed, texts).map(([request, { text, rules }]) => {
      const [first, ...beside] = rules;
      const at = (rule: string): ExpectedViolation => ({ in: part, pointer, rule });
      return exactly(withText(request, parameter, text), at(first), ...beside.map(at));
    });
    found.push(broken);
  }
  if (part === "header" && required) {
    const expected = { in: part, pointer, rule: "required" };
    const without = allowed.map((one) =>
      exactly({ ...one, ...withoutHeader(one, name) }, expected),
    );
    found.push(without);
  }
  if (part === "query") {
    const expected = { in: part, pointer, rule: "repeated" };
    const value = valuesAt(`${parameter.pointer}/schema`).map((one) => plainly(textOf(one)));
    const twice = fc.tuple(allowed, value, value).map(([request, one, other]) => {
      const rest = withoutQuery(request.query, name);
      return exactly(
        { ...request, query: joined(rest, `${name}=${one}`, `${name}=${other}`) },
        expected,
      );
    });
    found.push(twice);
  }
  return found;
}

interface BrokenText {
  readonly text: string;
  readonly rules: readonly [string, ...string[]];
}

/** Texts that stand for no integer (RFC 8259 section 6 has none of these forms). */
const notIntegers = ["ten", "", " 5", "5 ", "0x10", "1e1", "+5", "05", "true", "٥", "5.5", "--5"];

/** Undefined: every text is right. */
function brokenTexts(parameter: ParameterPlace): fc.Arbitrary<BrokenText> | undefined {
  const pointer = `${parameter.pointer}/schema`;
  const isNumber = judgeOf(pointer)("text").some(({ rule }) => rule === "type");
  const broken = valuesAt(pointer)
    .chain((value) => singleBreaks(pointer, value))
    // every text is a text, and a number that is none is written by hand
    .filter(({ value, said: [{ rule }] }) => rule !== "type" && isOfKind(value, isNumber))
    .map(({ value, said: [first, ...beside] }): BrokenText => {
      return { text: textOf(value), rules: [first.rule, ...beside.map(({ rule }) => rule)] };
    })
    .filter(({ text }) => canSend(parameter, text) && (!isNumber || /^-?\d+$/.test(text)));
  const numbers = fc
    .constantFrom(...notIntegers)
    .map((text): BrokenText => ({ text, rules: ["type"] }));
  if (isNumber) return fc.oneof(numbers, broken);
  return hasRules(parameter) ? broken : undefined;
}

function isOfKind(value: Json, isNumber: boolean): boolean {
  return typeof value === (isNumber ? "number" : "string");
}

/** Whether the schema says more of a text than that it is one. */
function hasRules({ pointer }: ParameterPlace): boolean {
  const judge = judgeOf(`${pointer}/schema`);
  return ["", "x".repeat(10_000), "\n"].some((text) => judge(text).length > 0);
}

function canSend({ in: part }: ParameterPlace, text: string): boolean {
  if (part === "header") return headerText.test(text);
  return part !== "path" || (text !== "" && !/^\.{1,2}$|[/\\]/.test(text));
}

function withText(
  request: GeneratedRequest,
  parameter: ParameterPlace,
  text: string,
): GeneratedRequest {
  const { name } = parameter;
  if (parameter.in === "header") return { ...request, ...withHeader(request, name, text) };
  if (parameter.in === "path") return { ...request, path: { ...request.path, [name]: text } };
  const rest = withoutQuery(request.query, name);
  return { ...request, query: joined(rest, `${name}=${plainly(text)}`) };
}

function withoutQuery(query: string, name: string): string {
  return query
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith(`${name}=`))
    .join("&");
}

const joined = (...pairs: readonly string[]): string => pairs.filter((one) => one !== "").join("&");

function unknownParameters(allowed: Requests, parameters: readonly ParameterPlace[]): Broken {
  const declared = new Set(parameters.map(({ name }) => name));
  const names = fc
    .oneof(
      fc.constantFrom("undeclared", "__proto__", "constructor", "LIMIT", "limit[]", "a/b", "a~b"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
    )
    .filter((name) => !declared.has(name));
  return fc.tuple(allowed, names).map(([request, name]) => {
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const query = joined(request.query, `${plainly(name)}=1`);
    return exactly({ ...request, query }, { in: "query", pointer, rule: "unknown" });
  });
}

export function sendGenerated(signer: Signer, request: GeneratedRequest): Promise<Response> {
  return sendPlain(signer, plainOf(request));
}

function plainOf(request: GeneratedRequest): PlainRequest {
  const { operation, headers, absent, text } = request;
  const target = targetOf(request);
  return {
    method: operation.method,
    target,
    headers: withFreshNonce(request, headers),
    absent,
    body: text,
  };
}

type Headers = GeneratedRequest["headers"];

/** A nonce is taken once, and the same seed draws the same ones: it has another start each time. */
function withFreshNonce({ operation }: ContractRequest, headers: Headers): Headers {
  const { "X-Nonce": nonce } = headers;
  const parameter = operation.parameters.find(({ name }) => name === "X-Nonce");
  if (nonce === undefined || parameter === undefined) return headers;
  if (judgeOf(`${parameter.pointer}/schema`)(nonce).length > 0) return headers;
  const start = randomBytes(12).toString("base64url");
  return { ...headers, "X-Nonce": start + nonce.slice(start.length) };
}

/** A failure is made smaller so many times at most: each time is a request. */
const shrinksMax = 200;

/** A failure is shown as the commands that send it again. */
export function shown<Drawn extends object>(
  arbitrary: fc.Arbitrary<Drawn>,
  requestOf: (drawn: Drawn) => GeneratedRequest,
): fc.Arbitrary<Drawn> {
  const showing = arbitrary.map((drawn) => {
    const show = (): string => `\n${repeatCommands(plainOf(requestOf(drawn)))}\n`;
    return { ...drawn, [fc.toStringMethod]: show };
  });
  return fc.limitShrink(showing, shrinksMax);
}
