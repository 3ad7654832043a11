// What a project says once and for all in its generator.config.ts.

import type { Code } from "../diagnostics/codes.ts";

/** How generated files and stubs name each other: `./app.ts`, `./app.js`, or `./app`. */
export type ImportEndings = "ts" | "js" | "none";

export interface ContractConfiguration {
  /** the document, YAML or JSON */
  readonly spec: string;
  /** where generated files go; a folder of this contract alone */
  readonly out: string;
  /** where stubs of handlers go; left out: none are written */
  readonly handlers?: string;
  /**
   * by address, the file that stands for what lies there, or of an address that ends with "/", the folder;
   * nothing is ever fetched
   */
  readonly copies?: Readonly<Record<string, string>>;
  /**
   * where operations are mounted: "first" below the path of the first of the contract's `servers`, another text below
   * that of the server with this name, description or URL, and "/api" below that path. Left out: where `paths` says
   */
  readonly basePath?: string;
  /**
   * whether a client is generated, in `client/` of `out`; `{ addedHeaders }` names headers that nobody gives as an
   * argument, since the client's `fetch` adds them: those of a signature, say
   */
  readonly client?: boolean | { readonly addedHeaders?: readonly string[] };
  /** of this contract, in place of that of all */
  readonly importEndings?: ImportEndings;
  /** codes of problems that are allowed in this contract, besides those for all */
  readonly allow?: readonly Code[];
}

/** Paths are relative to the file that says them. What the command line says stands in place of it. */
export interface Configuration {
  /** by a name of your choice, which is what `--contract` and messages use */
  readonly contracts: Readonly<Record<string, ContractConfiguration>>;
  /** codes of problems that are allowed: warnings are not said, and of errors happens what their table says */
  readonly allow?: readonly Code[];
  /** "ts", which Node, Bun and Deno run as it is, if it is left out */
  readonly importEndings?: ImportEndings;
}

/** Gives the editor the types of all fields; it returns what it was given. */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
