// The faults that are planted: in what a server answers, in what it takes, and in how it reads HTTP.

import type { Contract } from "../../generator/suite/contract.ts";
import { breaksIn } from "../../generator/suite/breaking.ts";
import { Dice } from "../../generator/suite/dice.ts";
import type { Drawing } from "../../generator/suite/drawing.ts";
import { isObject, type Json, listAt } from "../../generator/suite/json.ts";
import { documentEdits, placeOf } from "../mutate/document-rules.ts";
import { applied } from "../mutate/mutant.ts";
import type { Made } from "./mock.ts";

export interface AnswerFault {
  readonly kind: "answer";
  readonly name: string;
  readonly change: (made: Made) => Made;
}

/** The server is made of another document. */
export interface DocumentFault {
  readonly kind: "document";
  readonly name: string;
  readonly text: string;
}

/** What happens to a request or a response on its way through the server. */
export interface ProtocolFault {
  readonly kind: "protocol";
  readonly name: string;
  /** only where a request has a body of JSON */
  readonly needsBody?: true;
  readonly before?: (request: Request) => Promise<Request> | Request;
  readonly after?: (response: Response) => Promise<Response> | Response;
}

export type Fault = AnswerFault | DocumentFault | ProtocolFault;

// ---------------------------------------------------------------------------------------------
// Answers

export function answerFaults(drawing: Drawing, seen: readonly Made[]): readonly AnswerFault[] {
  return seen.flatMap((made) => [
    ...bodyFaults(drawing, made),
    ...partFaults(drawing.contract, made),
  ]);
}

function planted(made: Made, what: string, change: (made: Made) => Made): AnswerFault {
  const { operationId, status } = made;
  const isMeant = (one: Made): boolean => one.operationId === operationId && one.status === status;
  return {
    kind: "answer",
    name: `${operationId} ${status}: ${what}`,
    change: (one) => (isMeant(one) ? change(one) : one),
  };
}

/** Each rule of the schema broken once. */
function bodyFaults(drawing: Drawing, made: Made): readonly AnswerFault[] {
  const { body } = made;
  const pointer = schemaOf(drawing.contract, made);
  if (body === undefined || pointer === undefined) return [];
  const wish = { drawing, pointer, dice: new Dice(1), isRequest: false };
  return breaksIn(wish, body).broken.map(({ rule, pointer: place, value }) =>
    planted(made, `body ${place} breaks ${rule}`, (one) => ({ ...one, body: value })),
  );
}

function schemaOf(contract: Contract, { operationId, status, contentType }: Made) {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  const response = contract.responseFor(operation, status);
  if (response === undefined || contentType === undefined) return undefined;
  const media = contract.members(response, "content").get(contentType);
  return media?.node["schema"] === undefined ? undefined : `${media.pointer}/schema`;
}

function partFaults(contract: Contract, made: Made): readonly AnswerFault[] {
  const operation = contract.operations.find((one) => one.operationId === made.operationId);
  const response = contract.responseFor(operation, made.status);
  const headers = response === undefined ? [] : [...contract.members(response, "headers")];
  const faults = headers.flatMap(([name, { node }]) =>
    headerFaults(made, name, node["required"] === true),
  );
  const isKnown = (status: number): boolean =>
    contract.responseFor(operation, status) !== undefined;
  const other = [418, 599].find((status) => !isKnown(status));
  if (other !== undefined) {
    faults.push(planted(made, `status ${other}`, (one) => ({ ...one, status: other })));
  }
  faults.push(
    planted(made, "a header more", (one) => ({
      ...one,
      headers: { ...one.headers, "X-Surprise": "1" },
    })),
  );
  if (made.body === undefined) return faults;
  return [
    ...faults,
    planted(made, "no body", (one) => ({ ...one, body: undefined, contentType: undefined })),
    planted(made, "another media type", (one) => ({
      ...one,
      contentType: "text/html",
      body: "<p>",
    })),
  ];
}

function headerFaults(made: Made, name: string, isRequired: boolean): AnswerFault[] {
  if (!isRequired) return [];
  const without = ({ headers, ...one }: Made): Made => {
    const { [name]: _, ...others } = headers;
    return { ...one, headers: others };
  };
  return [planted(made, `no ${name}`, without)];
}

// ---------------------------------------------------------------------------------------------
// Documents

/** Edits of what the document says of requests; each is a server that takes other requests. */
export function documentFaults(contract: Contract, source: string): readonly DocumentFault[] {
  const within = placeOf(source);
  const reachable = requestComponents(contract);
  return documentEdits(source).flatMap((edit): readonly DocumentFault[] => {
    const place = within(edit.start);
    if (!isOfRequests(place, reachable) || unseen.has(edit.rule)) return [];
    const original = source.slice(edit.start, edit.end).replaceAll(/\s+/g, " ").slice(0, 60);
    if (saysNothing(contract, place, original)) return [];
    const name = `${place} ${edit.rule}: ${original} -> ${edit.text || "nothing"}`;
    return [{ kind: "document", name, text: applied(source, edit) }];
  });
}

/** Names that no caller sees, and answers, which have faults of their own. */
const unseen: ReadonlySet<string> = new Set([
  "operation name",
  "extension",
  "response",
  "header",
  "security",
  "x-error-codes",
  "x-default-statuses",
]);

/**
 * What says nothing to callers: a type beside the listed values, the type of a text in a parameter, which is
 * text anyhow, a format that only says how wide a number is, and what must be there but has a default.
 */
function saysNothing(contract: Contract, place: string, original: string): boolean {
  const { node } = contract.placeAt(place);
  if (/^[,\s]*"?type\b/.test(original)) {
    const isText = node["type"] === "string" && textPlaces.test(place);
    const isForm = node["type"] === "object" && textPlaces.test(place);
    return isText || isForm || node["enum"] !== undefined || node["format"] === "binary";
  }
  if (/^[,\s]*"?format\b/.test(original))
    return /int32|int64|float|double|binary|byte|password/.test(original);
  const schema = node["schema"];
  return original === "false" && isObject(schema) && schema["default"] !== undefined;
}

const textPlaces =
  /\/parameters\/\d+\/|\/content\/(?:multipart|application~1x-www-form-urlencoded)/;

function isOfRequests(place: string, reachable: ReadonlySet<string>): boolean {
  const [, root, kind = "", name = ""] = place.split("/");
  if (root === "components") return reachable.has(`${kind}/${name}`);
  return root === "paths" && !/\/(?:responses|callbacks)(?:\/|$)/.test(place);
}

/** Of components, those that requests are made of. */
function requestComponents(contract: Contract): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isObject(value)) return;
    const reference = value["$ref"];
    if (typeof reference === "string") {
      const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(reference) ?? [];
      const key = `${kind}/${name}`;
      if (!found.has(key)) {
        found.add(key);
        visit(contract.placeAt(`/components/${key}`).node);
      }
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const { node, pointer } of contract.operations) {
    const item = contract.placeAt(pointer.slice(0, pointer.lastIndexOf("/"))).node;
    visit([
      ...listAt(node, "parameters"),
      ...listAt(item, "parameters"),
      node["requestBody"] ?? null,
    ]);
  }
  return found;
}

// ---------------------------------------------------------------------------------------------
// HTTP

async function withBody(request: Request, change: (text: string) => string): Promise<Request> {
  const text = await request.text();
  const { method, url, headers } = request;
  return new Request(url, { method, headers, ...(text === "" ? {} : { body: change(text) }) });
}

function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: response.headers });
}

const repaired = (text: string): string => {
  for (const one of [text, `${text}}`, `${text}]`, `${text}"`, text.replace(/,\s*$/, "")]) {
    try {
      JSON.parse(one);
      return one;
    } catch {
      // the next one
    }
  }
  return "{}";
};

const atTheEdge: readonly Omit<ProtocolFault, "kind">[] = [
  {
    name: "any media type is taken for JSON",
    needsBody: true,
    before: async (request) => {
      const sound = await withBody(request, (text) => text);
      if (request.headers.has("Content-Type"))
        sound.headers.set("Content-Type", "application/json");
      return sound;
    },
  },
  {
    name: "a body that is no JSON is repaired",
    needsBody: true,
    before: (request) => withBody(request, repaired),
  },
  {
    name: "a body is read up to its first end",
    needsBody: true,
    before: (request) => withBody(request, (text) => firstValue(text)),
  },
  {
    name: "unknown parameters are left out",
    before: (request) => {
      const url = request.url.replace(/[?&]undeclared=1/, "");
      return url === request.url ? request : new Request(url, request);
    },
  },
  { name: "a refusal is 200", after: (one) => (one.status === 400 ? withStatus(one, 200) : one) },
  { name: "a refusal is 422", after: (one) => (one.status === 400 ? withStatus(one, 422) : one) },
  {
    name: "a media type is refused with 400",
    needsBody: true,
    after: (one) => (one.status === 415 ? withStatus(one, 400) : one),
  },
  {
    name: "a refusal does not say what is wrong",
    after: async (one) => {
      if (one.status !== 400) return one;
      const body = (await one.json()) as { violations?: Json };
      return Response.json({ ...body, violations: [] }, { status: 400 });
    },
  },
  {
    name: "a refusal names the whole body",
    after: async (one) => {
      if (one.status !== 400) return one;
      const body = (await one.json()) as { violations?: { in: string }[] };
      const violations = (body.violations ?? []).map((each) => ({ ...each, pointer: "" }));
      return Response.json({ ...body, violations }, { status: 400 });
    },
  },
  { name: "every answer is 500", after: (one) => withStatus(one, 500) },
];

export function protocolFaults({ operations }: Contract): readonly ProtocolFault[] {
  const hasBody = operations.some(({ body }) => body !== undefined);
  return atTheEdge
    .filter(({ needsBody = false }) => hasBody || !needsBody)
    .map((one) => ({ kind: "protocol", ...one }));
}

function firstValue(text: string): string {
  for (let end = 1; end < text.length; end++) {
    if (text.charAt(end - 1) !== "}") continue;
    try {
      JSON.parse(text.slice(0, end));
      return text.slice(0, end);
    } catch {
      // longer
    }
  }
  return text;
}
