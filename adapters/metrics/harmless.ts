// Whoever counts must not stop what is counted: between a transaction that is stored and its sending, or after a
// commit, an error would look like one of the work.

/** Gives the call, with what it throws told to the log once and nothing as its answer then. */
export type Harmless = <Given extends readonly unknown[], Answer>(
  call: (...given: Given) => Answer,
) => (...given: Given) => Answer | undefined;

export function harmless(log: {
  readonly warn: (fields: object, message: string) => void;
}): Harmless {
  let isTold = false;
  return (call) =>
    (...given) => {
      try {
        return call(...given);
      } catch (error) {
        if (!isTold) log.warn({ err: error }, "something could not be counted");
        isTold = true;
        return undefined;
      }
    };
}
