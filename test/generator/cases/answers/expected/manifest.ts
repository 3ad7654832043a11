// Written by "npm run generate" from openapi.yaml; do not edit.

export interface ManifestOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly required: boolean;
  }[];
  readonly body: { readonly required: boolean; readonly mediaTypes: readonly string[] } | null;
  readonly responses: readonly {
    readonly status: string;
    readonly mediaTypes: readonly string[];
  }[];
  /** what `default` stands for; null: every status that is not listed */
  readonly defaultStatuses: readonly number[] | null;
}

/** Every operation of the contract, in its order. */
export const manifest: readonly ManifestOperation[] = [
  {
    operationId: "getRange",
    method: "GET",
    path: "/range",
    tag: "default",
    parameters: [],
    body: null,
    responses: [
      { status: "200", mediaTypes: ["application/json"] },
      { status: "404", mediaTypes: ["application/json"] },
      { status: "4XX", mediaTypes: ["application/json"] },
      { status: "5XX", mediaTypes: [] },
    ],
    defaultStatuses: null,
  },
  {
    operationId: "getDefault",
    method: "GET",
    path: "/default",
    tag: "default",
    parameters: [],
    body: null,
    responses: [
      { status: "200", mediaTypes: ["application/json"] },
      { status: "4XX", mediaTypes: [] },
      { status: "default", mediaTypes: ["application/json"] },
    ],
    defaultStatuses: null,
  },
  {
    operationId: "getListed",
    method: "GET",
    path: "/listed",
    tag: "default",
    parameters: [],
    body: null,
    responses: [
      { status: "204", mediaTypes: [] },
      { status: "default", mediaTypes: ["application/json"] },
    ],
    defaultStatuses: [429, 500],
  },
  {
    operationId: "deleteNothing",
    method: "DELETE",
    path: "/nothing",
    tag: "default",
    parameters: [],
    body: null,
    responses: [
      { status: "204", mediaTypes: [] },
      { status: "304", mediaTypes: [] },
    ],
    defaultStatuses: null,
  },
  {
    operationId: "getHeaders",
    method: "GET",
    path: "/headers",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "201", mediaTypes: ["application/json"] }],
    defaultStatuses: null,
  },
  {
    operationId: "getDeprecated",
    method: "GET",
    path: "/deprecated",
    tag: "old things",
    parameters: [],
    body: null,
    responses: [{ status: "200", mediaTypes: [] }],
    defaultStatuses: null,
  },
];
