// openapi.json: the contract in one piece, as it is served; document.ts: that file as text with an
// ETag; manifest.ts: the contract as plain data for the contract suite.

import type { Json, JsonObject } from "../json.ts";
import type { Model, Operation } from "../model/model.ts";
import type { FileWriter, GeneratedFile } from "./file.ts";
import { literal } from "./literals.ts";

export function emitDocument(bundled: JsonObject, writer: FileWriter): GeneratedFile[] {
  const text = `import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const written: unknown = JSON.parse(readFileSync(new URL("./openapi.json", import.meta.url), "utf8"));

/** The contract as it is served: every file of it in one, no white space. */
export const documentText: string = JSON.stringify(written);

/** A strong validator (RFC 9110 section 8.8.3): it changes with any byte of the text. */
export const documentEtag = \`"\${createHash("sha256").update(documentText).digest("base64url")}"\`;
`;
  return [
    { path: "openapi.json", language: "json", text: `${JSON.stringify(bundled, null, 2)}\n` },
    writer.verbatim("document.ts", text),
  ];
}

export function emitManifest(model: Model, writer: FileWriter): GeneratedFile {
  const entries = model.operations.map((operation) => literal(manifestOf(operation)));
  const text = `export interface ManifestOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly required: boolean }[];
  readonly body: { readonly required: boolean; readonly mediaTypes: readonly string[] } | null;
  readonly responses: readonly { readonly status: string; readonly mediaTypes: readonly string[] }[];
  /** what \`default\` stands for; null: every status that is not listed */
  readonly defaultStatuses: readonly number[] | null;
}

/** Every operation of the contract, in its order. */
export const manifest: readonly ManifestOperation[] = [
${entries.map((entry) => `${entry},`).join("\n")}
];
`;
  return writer.verbatim("manifest.ts", text);
}

function querystringOf({ querystring }: Operation): Json[] {
  if (querystring === undefined) return [];
  const { name, required } = querystring;
  return [{ in: "querystring", name, required }];
}

function manifestOf(operation: Operation): Json {
  const fallback = operation.responses.find((response) => response.key === "default");
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    parameters: [
      ...operation.parameters.map(({ in: place, name, required }) => ({
        in: place,
        name,
        required,
      })),
      ...querystringOf(operation),
    ],
    body:
      operation.body === undefined
        ? null
        : {
            required: operation.body.required,
            mediaTypes: operation.body.content.map(({ mediaType }) => mediaType),
          },
    responses: operation.responses.map((response) => ({
      status: response.key,
      mediaTypes: response.content.map(({ mediaType }) => mediaType),
    })),
    defaultStatuses: fallback?.statuses === undefined ? null : [...fallback.statuses],
  };
}
