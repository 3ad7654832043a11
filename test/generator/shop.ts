// A small contract, handlers that keep it, and mistakes that the compiler must find.

export const shop = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getThing
      parameters:
        - { name: size, in: query, schema: { type: integer, default: 3 } }
        - { name: color, in: query, schema: { type: string } }
      responses:
        "200":
          description: The thing.
          headers:
            X-Total: { required: true, schema: { type: integer } }
            X-Note: { schema: { type: string } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
        "404": { $ref: "#/components/responses/Failure" }
    put:
      operationId: putThing
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
      responses:
        "204": { description: Kept. }
        default: { $ref: "#/components/responses/Failure" }
components:
  responses:
    Failure:
      description: What went wrong.
      content: { application/problem+json: { schema: { $ref: "#/components/schemas/Problem" } } }
  schemas:
    Thing:
      type: object
      additionalProperties: false
      required: [id, state, tags]
      properties:
        id: { type: string }
        name: { type: string, maxLength: 5 }
        note: { type: [string, "null"] }
        state: { type: string, enum: [new, old] }
        tags: { type: array, items: { type: string } }
        parent: { $ref: "#/components/schemas/Thing" }
        choice:
          oneOf:
            - { type: string }
            - { type: object, required: [x], properties: { x: { type: integer } } }
    Problem:
      type: object
      required: [code]
      properties:
        code: { type: string }
`;

const right = `import type { Handlers } from "./generated/handlers.ts";
import type * as operations from "./generated/operations/default.ts";

export const handlers: Handlers<string> = {
  // with its return type written, what is too much is found as well
  getThing: ({ path, query }, caller): operations.GetThingAnswer => {
    const size: number = query.size;
    const color: string | undefined = query.color;
    if (caller === color) {
      return {
        status: 404,
        contentType: "application/problem+json",
        body: { code: path.id.padEnd(size) },
      };
    }
    return {
      status: 200,
      headers: { "X-Total": 1 },
      body: { id: path.id, state: "new", tags: [], note: null },
    };
  },
  putThing: async ({ body }): Promise<operations.PutThingAnswer> => {
    await Promise.resolve(body.tags.length);
    return { status: 204 };
  },
};

// the edge adds the header that the contract requires
export const withEdge: Handlers<string, "X-Total"> = {
  ...handlers,
  getThing: () => ({ status: 200, body: { id: "a", state: "old", tags: [] } }),
};
`;

interface Mistake {
  readonly name: string;
  readonly promise: string;
  readonly from: string;
  readonly to: string;
  readonly error: RegExp;
}

export const wrongHandlers: readonly Mistake[] = [
  {
    name: "missing-operation",
    promise: "an operation without a handler; the error names it",
    from: right.slice(right.indexOf("  putThing"), right.indexOf("};\n\n//")),
    to: "",
    error: /Property 'putThing' is missing/,
  },
  {
    name: "unknown-operation",
    promise: "a handler of no operation",
    from: "  putThing: async",
    to: "  dropThing: () => ({ status: 204 }),\n  putThing: async",
    error: /'dropThing' does not exist/,
  },
  {
    name: "undocumented-status",
    promise: "an answer with a status that is not documented",
    from: "status: 200,\n      headers",
    to: "status: 418,\n      headers",
    error: /418/,
  },
  {
    name: "wrong-body",
    promise: "an answer with a wrong value in its body",
    from: 'state: "new", tags',
    to: 'state: "newish", tags',
    error: /"newish"/,
  },
  {
    name: "missing-property",
    promise: "an answer without a required property",
    from: ", tags: [], note: null",
    to: ", note: null",
    error: /tags/,
  },
  {
    name: "unknown-property",
    promise: "an answer with a property that a closed body does not have",
    from: ", tags: [], note: null",
    to: ", tags: [], colour: null",
    error: /colour/,
  },
  {
    name: "undefined-property",
    promise: "an answer with an optional property that is undefined",
    from: "note: null",
    to: "name: undefined",
    error: /undefined/,
  },
  {
    name: "missing-header",
    promise: "an answer without a required header",
    from: '      headers: { "X-Total": 1 },\n',
    to: "",
    error: /headers/,
  },
  {
    name: "unknown-header",
    promise: "an answer with a header that is not documented",
    from: '"X-Total": 1',
    to: '"X-Total": 1, "X-Other": "1"',
    error: /X-Other/,
  },
  {
    name: "text-for-number",
    promise: "a header as text where the contract has a number",
    from: '"X-Total": 1',
    to: '"X-Total": "1"',
    error: /'string' is not assignable to type 'number'/,
  },
  {
    name: "wrong-media-type",
    promise: "an answer with a media type that is not documented",
    from: 'contentType: "application/problem+json"',
    to: 'contentType: "application/json"',
    error: /application\/json/,
  },
  {
    name: "body-without-content",
    promise: "a body where the contract has none",
    from: "return { status: 204 };",
    to: 'return { status: 204, body: "kept" };',
    error: /body/,
  },
  {
    name: "unknown-parameter",
    promise: "reading a parameter that is not in the contract",
    from: "query.color;",
    to: "query.colour;",
    error: /did you mean 'color'/i,
  },
  {
    name: "asks-for-more",
    promise: "a handler that asks for more than the contract gives",
    from: "async ({ body }):",
    to: "async ({ body }: { body: { id: string; tags: string[]; name: string } }):",
    error: /name/,
  },
];

function edited(
  { name, from, to }: { name: string; from: string; to: string },
  text: string,
): string {
  if (text.split(from).length !== 2) throw new Error(`"${name}" must change one place`);
  return text.replace(from, () => to);
}

/** Name of the module (below the folder of the generated code) and its text. */
export const handlerModules: readonly (readonly [name: string, text: string])[] = [
  ["right", right],
  ...wrongHandlers.map((mistake) => [mistake.name, edited(mistake, right)] as const),
];

interface BrokenSchema {
  readonly name: string;
  readonly edit: (schemas: string) => string;
}

const replacement = (name: string, from: string | RegExp, to: string): BrokenSchema => ({
  name,
  edit: (schemas) => schemas.replace(from, () => to),
});

/** Edits of component schemas, each of one schema. */
export const brokenSchemas: readonly BrokenSchema[] = [
  replacement("another type", "id: z.string()", "id: z.number()"),
  replacement("a required property is gone", /state: z.enum\(.*?\),\n/, ""),
  replacement("an optional property is required", ".nullable().exactOptional()", ".nullable()"),
  replacement(
    "a required property is optional",
    "id: z.string()",
    "id: z.string().exactOptional()",
  ),
  replacement("null is refused", ".nullable()", ""),
  replacement("null is welcome", "id: z.string()", "id: z.string().nullable()"),
  replacement("a value of an enum is gone", '["new", "old"]', '["new"]'),
  replacement("an enum has one more value", '["new", "old"]', '["new", "old", "used"]'),
  replacement("items of another type", "keywords.array(z.string())", "keywords.array(z.boolean())"),
  replacement("one item instead of many", "keywords.array(z.string())", "z.string()"),
  replacement(
    "one more required property",
    "code: z.string()",
    "code: z.string(), more: z.string()",
  ),
  replacement("an alternative of another type", "oneOf(z.string()", "oneOf(z.boolean()"),
];
