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
    operationId: "ping",
    method: "GET",
    path: "/ping",
    tag: "default",
    parameters: [],
    body: null,
    responses: [{ status: "200", mediaTypes: ["application/json"] }],
    defaultStatuses: null,
  },
];
