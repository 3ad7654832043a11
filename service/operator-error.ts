// What an operator asked for cannot be done. The message is for the person at the terminal; no
// merchant ever sees it.

export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OperatorError";
  }
}

/** Who would have to answer does not: what was asked may have been done, or may be done later. */
export class NotReachable extends OperatorError {}
