// Programs of a client, one call for each request that the document shows: what the compiler and the server
// say of them holds for every operation, also for one that is new.

import { join } from "node:path";
import {
  examplesOf,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  operations,
  type Operation,
  type ParameterPlace,
  placeAt,
  textOf,
} from "../support/contract-document.ts";
import { exampleOf } from "../support/contract-requests.ts";

export interface TypedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: readonly ParameterPlace[];
  readonly body: Json | undefined;
}

export interface WrongCall {
  /** a name for a file, too */
  readonly name: string;
  readonly call: TypedCall;
}

/** One for each example of a body, and one with every parameter. */
export function typedCalls(): readonly TypedCall[] {
  return operations.flatMap((operation): TypedCall[] => {
    const { operationId, body } = operation;
    const parameters = operation.parameters.filter((one) => one.required);
    const bodies = body === undefined ? [] : [...examplesOf(body)];
    const call = { operation, parameters };
    const shown = bodies.map(([name, value]) => ({
      ...call,
      name: `${operationId}: ${name}`,
      body: value,
    }));
    const [first] = bodies;
    const all = { operation, parameters: operation.parameters, body: first?.[1] };
    return [...shown, { ...all, name: `${operationId}: every parameter` }];
  });
}

/** What must not compile: each operation without one of its parts. */
export function wrongCalls(style: Style): readonly WrongCall[] {
  const isGiven = ({ name }: ParameterPlace): boolean =>
    style === "openapi-fetch" || !isOfClient(name);
  return operations.flatMap((operation): WrongCall[] => {
    const call = typedCalls().find((one) => one.operation === operation);
    if (call === undefined) throw new Error("each operation has a call");
    const { operationId, body } = operation;
    const without = (name: string): WrongCall => ({
      name: `${operationId}-${name}`,
      call: { ...call, parameters: call.parameters.filter((one) => one.name !== name) },
    });
    const required = call.parameters.filter((one) => one.required && isGiven(one));
    const wrong = required.map(({ name }) => without(name));
    if (body === undefined) return wrong;
    return [
      ...wrong,
      { name: `${operationId}-body`, call: { ...call, body: undefined } },
      ...requiredMembers(body.node).map((member) => ({
        name: `${operationId}-body-${member}`,
        call: { ...call, body: withoutMember(call.body, member) },
      })),
    ];
  });
}

function requiredMembers({ schema = null }: JsonObject): readonly string[] {
  const reference = isObject(schema) ? textOf(schema["$ref"]) : "";
  return listAt(placeAt(reference.slice(1)).node, "required").map(textOf);
}

function withoutMember(body: Json | undefined, name: string): Json {
  const members = Object.entries(isObject(body) ? body : {});
  return Object.fromEntries(members.filter(([member]) => member !== name));
}

/** By which a client calls. */
export type Style = "openapi-fetch" | "the generated client";

/** A module whose `calls` are these, by name; `generated` is the folder where it finds the types. */
export function programOf(calls: readonly TypedCall[], generated: string, style: Style): string {
  const isGenerated = style === "the generated client";
  const textOfCall = isGenerated ? textOfOperation : textOfRequest;
  return [
    isGenerated
      ? `import type { Client } from ${JSON.stringify(join(generated, "client/client.ts"))};`
      : `import type { Client as ClientOf } from "openapi-fetch";
import type { paths } from ${JSON.stringify(join(generated, "types.ts"))};
type Client = ClientOf<paths>;`,
    "export const calls = {",
    ...calls.map((one) => `${JSON.stringify(one.name)}: ${textOfCall(one)},`),
    "};\n",
  ].join("\n");
}

/** All literals: what is no member of a type is an error then. */
function textOfOperation({ operation, parameters, body }: TypedCall): string {
  const [tag = ""] = listAt(operation.node, "tags").map(textOf);
  const group = tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const own = parameters.filter(({ name }) => !isOfClient(name));
  const values = own.map((one) => `${JSON.stringify(one.name)}: ${valueOf(one)}`);
  const members = Object.entries(isObject(body) ? body : {});
  const fields = members.map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const call = `client.${group}.${operation.operationId}.answer({ ${[...values, ...fields].join(", ")} })`;
  return `(client: Client) => ${call}`;
}

/** The client writes it by itself. */
function isOfClient(name: string): boolean {
  return /^(?:X-(?:Api-Key|Signature|Timestamp|Nonce)|Idempotency-Key)$/.test(name);
}

function textOfRequest({ operation, parameters, body }: TypedCall): string {
  const parts = ["header", "path", "query"].map((part) => {
    const members = parameters
      .filter((one) => one.in === part)
      .map((one) => `${JSON.stringify(one.name)}: ${valueOf(one)}`);
    return members.length === 0 ? "" : `${part}: { ${members.join(", ")} }, `;
  });
  const sent = body === undefined ? "" : `body: ${JSON.stringify(body)} `;
  const request = `{ params: { ${parts.join("")}}, ${sent}}`;
  const call = `client.${operation.method}(${JSON.stringify(operation.path)}, ${request})`;
  const key = call.includes("key()") ? ", key: () => string" : "";
  return `(client: Client${key}) => ${call}`;
}

/** A key names one request; those of the signature are written over when it is sent. */
function valueOf(parameter: ParameterPlace): string {
  if (parameter.name === "Idempotency-Key") return "key()";
  return JSON.stringify(exampleOf(parameter));
}
