// What values are compared by: every component schema, and every body of JSON of a request and of an answer, with
// the values that the document shows of it.

import { ZodType } from "zod";
import type { Reading } from "../../generator/generate.ts";
import { methodOf } from "../../generator/runtime/methods.ts";
import type { Operation } from "../../generator/runtime/runtime.ts";
import { type Contract, examplesOf, isJson, type Place } from "../../generator/suite/contract.ts";
import { escapeToken, isObject, type Json, listAt, objectAt } from "../../generator/suite/json.ts";
import type { Side } from "./convert.ts";

export interface Target {
  readonly name: string;
  /** JSON Pointer of the schema in the document */
  readonly pointer: string;
  readonly schema: ZodType;
  /** undefined: without regard to directions */
  readonly side: Side | undefined;
  readonly examples: readonly Json[];
}

export interface Generated {
  readonly reading: Reading;
  readonly operations: readonly Operation[];
  /** exports of schemas.ts */
  readonly schemas: Readonly<Record<string, unknown>>;
}

export function targetsOf(contract: Contract, generated: Generated): readonly Target[] {
  return [...componentsOf(contract, generated), ...bodiesOf(contract, generated)];
}

function componentsOf(contract: Contract, { reading, schemas }: Generated): readonly Target[] {
  const written = objectAt(objectAt(contract.document, "components"), "schemas");
  return reading.model.schemas.flatMap(({ name, identifier }) => {
    // others have been made for one direction, and come with the bodies that need them
    const node = written[name];
    if (node === undefined) return [];
    const pointer = `/components/schemas/${escapeToken(name)}`;
    // each export of schemas.ts is a schema
    const schema = schemas[identifier] as ZodType;
    const examples = isObject(node)
      ? [...(node["example"] === undefined ? [] : [node["example"]]), ...listAt(node, "examples")]
      : [];
    return [{ name, pointer, schema, side: undefined, examples }];
  });
}

function bodiesOf(contract: Contract, { operations }: Generated): readonly Target[] {
  const byRoute = new Map(operations.map((one) => [routeOf(one), one]));
  return contract.operations.flatMap(({ method, path, body, mediaType = "", responses }) => {
    const route = byRoute.get(`${method} ${path}`)?.route;
    if (route === undefined) return [];
    const name = `${method} ${path}`;
    const content = contentOf(route.request?.body);
    const asked =
      body === undefined
        ? []
        : ofMedia(contract, { place: body, mediaType, name, side: "request", content });
    const answered = Array.from(responses).flatMap(([status, response]) =>
      Array.from(contract.members(response, "content"))
        .filter(([one]) => isJson(one))
        .flatMap(([one, place]) =>
          ofMedia(contract, {
            place,
            mediaType: one,
            name: `${name} ${status}`,
            side: "answer",
            content: contentOf(route.responses[status]),
          }),
        ),
    );
    return [...asked, ...answered];
  });
}

/** Of a route, whose answers may be references in theory. */
function contentOf(part: object | undefined): Content | undefined {
  return part !== undefined && "content" in part ? (part.content as Content) : undefined;
}

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

interface Body {
  readonly place: Place;
  readonly mediaType: string;
  readonly name: string;
  readonly side: Side;
  readonly content: Content | undefined;
}

function ofMedia(contract: Contract, body: Body): readonly Target[] {
  const { place, mediaType, name, side, content } = body;
  const schema = content?.[mediaType]?.schema;
  if (!(schema instanceof ZodType) || place.node["schema"] === undefined) return [];
  const { example } = place.node;
  const examples = [
    ...(example === undefined ? [] : [example]),
    ...examplesOf(contract, place).values(),
  ];
  return [{ name, pointer: `${place.pointer}/schema`, schema, side, examples }];
}

function routeOf({ route }: Operation): string {
  return `${methodOf(route)} ${route.path}`;
}
