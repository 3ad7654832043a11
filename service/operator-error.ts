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

/**
 * Looks at what is about to be changed, and throws where it is not what somebody was shown. It has no other effect: a
 * transaction may call it again.
 */
export type Look<Found> = (found: Found) => void;

/** Between looking and writing. */
export const changedMeanwhile =
  "Somebody else has changed it in this moment. Nothing was changed by this command: look, and run it again.";
