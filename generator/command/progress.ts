// What is being done, on runs that last: one line of a terminal, written over and wiped away at the end.

import type { Teller } from "./news.ts";
import type { Screen } from "./screen.ts";
import { columnsOf } from "./width.ts";

/** Whoever waits less long for an answer does not ask what is going on. */
const quietMilliseconds = 1000;

/** More often nobody could read it. */
const drawnEveryMilliseconds = 100;

export interface Progress {
  readonly progress: Teller["progress"];
  /** before anything else is written, and at the end */
  readonly clear: () => void;
}

/** `now`: a clock in milliseconds. */
export function progressOn(
  screen: Screen | undefined,
  now = (): number => performance.now(),
): Progress {
  const view = screen?.view;
  const draw = view?.draw;
  if (view === undefined || draw === undefined) return { progress: () => {}, clear: () => {} };
  const startedAt = now();
  let drawnAt = -Infinity;
  let isDrawn = false;
  return {
    progress(doing) {
      const at = now();
      if (at - startedAt < quietMilliseconds || at - drawnAt < drawnEveryMilliseconds) return;
      const seconds = Math.floor((at - startedAt) / 1000);
      // a line that is as wide as the terminal would begin the next one
      draw(`\r\u001b[2K${fitting(`${seconds} s  ${doing}`, view.columns() - 1)}`);
      drawnAt = at;
      isDrawn = true;
    },
    clear() {
      if (isDrawn) draw("\r\u001b[2K");
      isDrawn = false;
    },
  };
}

function fitting(text: string, columns: number): string {
  let width = 0;
  let cut = "";
  for (const part of columnsOf(text)) {
    if (width + part.width > columns) return cut;
    cut += part.text;
    width += part.width;
  }
  return cut;
}
