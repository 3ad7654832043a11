// A QR code as an inline picture: one path, so that it costs few bytes.

import { Html, html } from "./html.ts";

/** Rows of dark (true) and light modules, without the quiet zone around them. */
export type QrModules = readonly (readonly boolean[])[];

/** As the standard wants it around the code, in modules. */
const quietModules = 4;

/** `label` is what those hear who do not see it. */
export function qrImage(modules: QrModules, label: string): Html {
  const size = modules.length + 2 * quietModules;
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
    <path class="light" d="M0 0h${size}v${size}H0z" />
    <path class="dark" d="${new Html(darkPath(modules))}" />
  </svg>`;
}

/** A rectangle for each run of dark modules in a row. Digits and letters only. */
function darkPath(modules: QrModules): string {
  let path = "";
  for (const [row, line] of modules.entries()) {
    let begin: number | undefined;
    for (let column = 0; column <= line.length; column++) {
      if (line[column] === true) {
        begin ??= column;
      } else if (begin !== undefined) {
        const width = column - begin;
        path += `M${begin + quietModules} ${row + quietModules}h${width}v1h-${width}z`;
        begin = undefined;
      }
    }
  }
  return path;
}
