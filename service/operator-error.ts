// What an operator asked for cannot be done. The message is for the person at the terminal; no
// merchant ever sees it.

export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}

/** It may be done later: who would have to answer for it does not. */
export class NotReachable extends OperatorError {}
