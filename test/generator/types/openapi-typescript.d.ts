// The parts of openapi-typescript that it has no types for. Its own entrance loads a linter, and lints the document
// first; ours has been checked by then.

declare module "openapi-typescript/dist/transform/index.mjs" {
  import type { GlobalContext, OpenAPI3 } from "openapi-typescript";
  import type { Node } from "typescript";

  /** `redoc` is for the linter. */
  export type Context = Omit<GlobalContext, "redoc">;
  export default function transformSchema(schema: OpenAPI3, context: Context): Node[];
}

declare module "openapi-typescript/dist/lib/ts.mjs" {
  export { astToString } from "openapi-typescript";
}

declare module "openapi-typescript/dist/lib/utils.mjs" {
  export { resolveRef } from "openapi-typescript";
}
