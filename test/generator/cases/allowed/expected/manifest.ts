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
    operationId: "references",
    method: "POST",
    path: "/references/{lost}/{id}",
    tag: "default",
    parameters: [
      { in: "path", name: "id", required: true },
      { in: "path", name: "lost", required: true },
    ],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "schemas",
    method: "PUT",
    path: "/schemas/{name}",
    tag: "default",
    parameters: [{ in: "path", name: "name", required: true }],
    body: { required: true, mediaTypes: ["application/json"] },
    responses: [{ status: "200", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "styles",
    method: "GET",
    path: "/styles/{id}",
    tag: "default",
    parameters: [
      { in: "path", name: "id", required: true },
      { in: "query", name: "free", required: false },
      { in: "query", name: "ids", required: false },
      { in: "query", name: "limit", required: false },
      { in: "header", name: "X-A", required: false },
      { in: "query", name: "filter", required: false },
    ],
    body: null,
    responses: [{ status: "200", mediaTypes: ["application/json"] }],
    defaultStatuses: null,
  },
  {
    operationId: "same",
    method: "POST",
    path: "/bodies",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "putBodies",
    method: "PUT",
    path: "/bodies",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "twice",
    method: "GET",
    path: "/twice/{id}/and/{id}.txt",
    tag: "default",
    parameters: [{ in: "path", name: "id", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "first",
    method: "GET",
    path: "/clash/{a}",
    tag: "default",
    parameters: [{ in: "path", name: "a", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "third",
    method: "DELETE",
    path: "/clash/{b}",
    tag: "default",
    parameters: [{ in: "path", name: "b", required: true }],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "closed",
    method: "GET",
    path: "/closed",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "halfOpen",
    method: "POST",
    path: "/closed",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
  {
    operationId: "optional",
    method: "PUT",
    path: "/closed",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "204", mediaTypes: [] }],
    defaultStatuses: null,
  },
];
