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
    operationId: "searchPage",
    method: "QUERY",
    path: "/pages/{id}",
    tag: "pages",
    parameters: [{ in: "path", name: "id", required: true }],
    body: { required: true, mediaTypes: ["application/json"] },
    responses: [{ status: "200", mediaTypes: ["application/json"] }],
    defaultStatuses: null,
  },
  {
    operationId: "purgePage",
    method: "PURGE",
    path: "/pages/{id}",
    tag: "pages",
    parameters: [{ in: "path", name: "id", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "mSearchPagesById",
    method: "M-SEARCH",
    path: "/pages/{id}",
    tag: "pages",
    parameters: [
      { in: "path", name: "id", required: true },
      { in: "header", name: "depth", required: false },
    ],
    body: { required: false, mediaTypes: ["application/json"] },
    responses: [{ status: "200", mediaTypes: ["application/json"] }],
    defaultStatuses: null,
  },
  {
    operationId: "getPage",
    method: "GET",
    path: "/pages/{id}",
    tag: "pages",
    parameters: [{ in: "path", name: "id", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "brewAgain",
    method: "BREW",
    path: "/again",
    tag: "pages",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "purgeAgain",
    method: "purge",
    path: "/again",
    tag: "pages",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
];
