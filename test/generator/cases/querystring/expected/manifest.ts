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
    operationId: "byForm",
    method: "GET",
    path: "/forms",
    tag: "queries",
    parameters: [{ in: "querystring", name: "all", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "byJson",
    method: "GET",
    path: "/json",
    tag: "queries",
    parameters: [{ in: "querystring", name: "Filter", required: false }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "searchByJson",
    method: "SEARCH",
    path: "/json",
    tag: "queries",
    parameters: [{ in: "querystring", name: "Filter", required: false }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "byPath",
    method: "GET",
    path: "/path",
    tag: "queries",
    parameters: [
      { in: "cookie", name: "session", required: false },
      { in: "cookie", name: "colours", required: false },
      { in: "querystring", name: "selector", required: false },
    ],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "byAnything",
    method: "GET",
    path: "/anything",
    tag: "queries",
    parameters: [{ in: "querystring", name: "it", required: false }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
];
