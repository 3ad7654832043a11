// What /docs shows where the site is not built: where the errors and the contract are meanwhile, and, to those who can, what
// to do. It is one file without a script, and its style is the one that its policy names.

import { createHash } from "node:crypto";
import type { FileAnswer } from "./static-file.ts";

const style =
  ":root{color-scheme:light dark}body{margin:0 auto;max-width:46rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}";
const refreshSeconds = 3;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Missing {
  readonly isBuilding: boolean;
  /** a merchant's developer has no use for a command of ours */
  readonly isForBuilders: boolean;
}

function textOf({ isBuilding, isForBuilders }: Missing): string {
  if (isBuilding) {
    return "The pages are being built, which takes some seconds. This one shows them as soon as they are there.";
  }
  if (!isForBuilders) return "The pages are not available here.";
  return "The pages are not built here. Type <code>npm run docs</code> in the project's folder, and start the server again.";
}

/**
 * Addresses are relative, so that it also works behind a proxy's path prefix.
 * @param site undefined: nobody has one to build
 */
export function plainDocsPage(site: Missing | undefined): FileAnswer {
  const missing = site ?? { isBuilding: false, isForBuilders: false };
  const refresh = missing.isBuilding
    ? `\n    <meta http-equiv="refresh" content="${refreshSeconds}" />`
    : "";
  const content = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />${refresh}
    <title>Documentation</title>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Documentation</h1>
      <p>${textOf(missing)}</p>
      <p>There are <a href="docs/errors">the errors</a>, and <a href="openapi.json">the contract</a> for programs.</p>
    </main>
  </body>
</html>
`;
  return {
    status: 200,
    content,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
  };
}
