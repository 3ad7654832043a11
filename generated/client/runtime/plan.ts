// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// What a client knows of an operation: data, as the generator writes it.

export interface OperationPlan {
  readonly operationId: string;
  readonly method: string;
  /** below the URL of a server, with its templates */
  readonly path: string;
  readonly parameters: readonly ParameterPlan[];
  /** two arguments would have one name: they stand below `path`, `query`, `header`, `cookie` and `body` */
  readonly isGrouped?: true;
  readonly body?: BodyPlan;
  /** the header that names a request, so that a repetition has no second effect */
  readonly key?: { readonly header: string; readonly isRequired: boolean };
  /** what may come back; undefined: nothing is preferred */
  readonly accept?: string;
  /** by status, by range or by "default": the media type of the body; null: there is none */
  readonly answers: Readonly<Record<string, string | null>>;
  /** what "default" stands for; left out: whatever is not named, but for a success beside one that is */
  readonly defaultStatuses?: readonly number[];
}

export interface ParameterPlan {
  readonly in: "path" | "query" | "header" | "cookie";
  readonly name: string;
  /** OpenAPI 3.1.1, section 4.8.12.2.1; the one that its place has when it is left out */
  readonly style?:
    "label" | "matrix" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";
  readonly explode?: true;
  readonly isRequired?: true;
  /** its text is JSON */
  readonly isJson?: true;
  /** it is the query as a whole (OpenAPI 3.2.0, section 4.12.1) */
  readonly whole?: "form" | "json" | "text";
  /** of a form */
  readonly fields?: FieldPlans;
}

/**
 * How fields of forms are written. Where nothing is said lists are exploded, and objects are deep; of a multipart body
 * they are JSON.
 */
export type FieldPlans = Readonly<Record<string, FieldPlan>>;

export interface FieldPlan extends Pick<ParameterPlan, "style" | "explode" | "isJson"> {
  /** of a part of a multipart body: what a file is that does not say it, or which JSON it is */
  readonly mediaType?: string;
}

export interface BodyPlan {
  readonly mediaType: string;
  readonly isRequired?: true;
  /** its members stand among the arguments */
  readonly isSpread?: true;
  readonly fields?: FieldPlans;
}

/** How an operation is paged through. */
export interface PagePlan {
  /**
   * arguments of the next page by what an answer says (OpenAPI, runtime expressions), as `query.cursor` where they are
   * grouped; left out: `Link` says it
   */
  readonly next?: Readonly<Record<string, string>>;
  /** the member that has the items; "": the body is the list */
  readonly items?: string;
  /** each page has them, an empty one too */
  readonly isAlways?: true;
}
