// The API reference at /docs: Swagger UI from its package, served by us. Nothing comes from
// another host and nothing runs inline, which the page's content policy enforces.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findOptional } from "../system/optional-package.ts";
import { once } from "./static-file.ts";

export interface PageFile {
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** Addresses are relative, so that the page also works behind a proxy's path prefix. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference</title>
    <link rel="icon" type="image/png" href="docs/assets/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/assets/swagger-ui.css" />
  </head>
  <body>
    <main id="reference"></main>
    <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/assets/swagger-ui-bundle.js" defer></script>
    <script src="docs/assets/start.js" defer></script>
  </body>
</html>
`;

/** deepLinking: /docs#/{tag}/{operationId} opens that operation. No badge of a foreign validator. */
const startScript = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  queryConfigEnabled: false,
  validatorUrl: null,
});
`;

/** Styles come from 'self' and from script (which a policy leaves alone); images are in the CSS. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const pageFile: PageFile = { contentType: "text/html; charset=utf-8", content: page };

/** Every file there is, by name: nothing else is ever looked for on the disk. */
const packageFiles = [
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["favicon-32x32.png", "image/png"],
] as const;

type ReadBytes = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

/** The package that the page is made of; an image for production has none. */
export const pagePackage = "swagger-ui-dist";

/** Undefined: the package is not installed, and there is no page. */
export function findPageFolder(): string | undefined {
  const manifest = findOptional(`${pagePackage}/package.json`);
  return manifest === undefined ? undefined : dirname(manifest);
}

/** Name of each asset with the way to its content; files are read from the disk once. */
export function buildAssets(
  folder: string,
  read: ReadBytes = (path) => readFile(path),
): ReadonlyMap<string, () => Promise<PageFile>> {
  const start = { contentType: "text/javascript; charset=utf-8", content: startScript };
  const assets = new Map([["start.js", () => Promise.resolve<PageFile>(start)]]);
  for (const [name, contentType] of packageFiles) {
    const content = once(() => read(join(folder, name)));
    assets.set(name, async () => ({ contentType, content: await content() }));
  }
  return assets;
}
