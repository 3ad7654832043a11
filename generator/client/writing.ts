// What the parts of a client are written from.

import type { Model, Operation } from "../model/model.ts";
import type { Added } from "./names.ts";
import type { TypedOperation } from "./typed.ts";

/** What is said of a client beside the contract. */
export interface ClientWish {
  /** headers that the caller does not give: the `fetch` that it sends by adds them */
  readonly addedHeaders: readonly string[];
}

/** One operation, with all that is needed to write it. */
export interface Writing {
  readonly operation: Operation;
  readonly model: Model;
  readonly typed: TypedOperation;
  readonly added: Added;
}
