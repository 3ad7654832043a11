// A process of its own for documents, so that one that needs too much ends nothing but itself.

import type { Sampling } from "./agreement.ts";
import { tryDocument } from "./document.ts";

export interface Job {
  readonly path: string;
  readonly folder: string;
  readonly sampling: Sampling;
}

process.on("message", ({ path, folder, sampling }: Job) => {
  void tryDocument(path, folder, sampling).then((outcome) => process.send?.(outcome));
});
