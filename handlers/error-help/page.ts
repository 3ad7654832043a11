// The page at /docs/errors: the table of help as HTML. It is one file without a script, and its style is
// the one that its policy names, so nothing else can come into it.

import { createHash } from "node:crypto";
import { Html, html } from "../checkout/html.ts";
import { againTexts } from "./entry.ts";
import type { ErrorHelp } from "./entry.ts";
import { helpSections } from "./help.ts";
import { readCodePlaces } from "./where.ts";
import type { CodePlaces } from "./where.ts";
import { answeredTo } from "./words.ts";

const style = `
:root { color-scheme: light dark; --line: #d9dfea; --quiet: #56617a; --mark: #e8edff; --link: #2a4bd7 }
@media (prefers-color-scheme: dark) {
  :root { --line: #2c364d; --quiet: #a3aec6; --mark: #222d52; --link: #9db3ff }
}
body { margin: 0 auto; max-width: 46rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif;
  background: Canvas; color: CanvasText; -webkit-text-size-adjust: 100%; overflow-wrap: anywhere }
a { color: var(--link) }
code { font: 0.9em ui-monospace, monospace }
h3 { margin: 0; font-size: 1.1rem }
section { padding: 0.75rem; border-top: 1px solid var(--line) }
section:target { background: var(--mark) }
dl { margin: 0 }
dt { margin-top: 0.4rem; font-size: 0.85rem; color: var(--quiet) }
dd { margin: 0 }
ul { padding-left: 1.2rem }
@media (min-width: 34rem) { ul { columns: 2 } }
`;

/** Outside of any template: white space beside the style would change its hash. */
const styleElement = new Html(`<style>${style}</style>`);
const styleHash = createHash("sha256").update(style).digest("base64");

export const errorPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Addresses in it are relative, so that it also works behind a proxy's path prefix. */
export function errorPage(): string {
  const places = readCodePlaces();
  const lists = helpSections.map(
    ([title, help]) => html`
      <p><strong>${title}</strong></p>
      <ul>
        ${Object.keys(help).map(
          (code) =>
            html`<li>
              <a href="#${code}"><code>${code}</code></a>
            </li>`,
        )}
      </ul>
    `,
  );
  const sections = helpSections.map(
    ([title, help]) => html`
      <h2>${title}</h2>
      ${Object.entries(help).map(([code, one]) => section(code, one, places))}
    `,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Errors</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>Errors</h1>
          <p>
            Every error has a <code>code</code>, and a <code>Link</code> header that leads to its
            entry here. The same request is the same operation, path, query, body and
            <code>Idempotency-Key</code>, signed anew. The contract is at
            <a href="../openapi.json">openapi.json</a>.
          </p>
          <nav aria-label="All codes">${lists}</nav>
          ${sections}
        </main>
      </body>
    </html> `.text;
}

function section(code: string, { cause, remedy, again }: ErrorHelp, places: CodePlaces): Html {
  return html`
    <section id="${code}">
      <h3><code>${code}</code></h3>
      <dl>
        <dt>Answer</dt>
        <dd>${marked(answeredTo(code, places))}</dd>
        <dt>Cause</dt>
        <dd>${marked(cause)}</dd>
        <dt>Remedy</dt>
        <dd>${marked(remedy)}</dd>
        <dt>Sent again</dt>
        <dd>The same request ${againTexts[again]}</dd>
      </dl>
    </section>
  `;
}

/** Backticks are the only markup of the texts. */
function marked(text: string): readonly Html[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
