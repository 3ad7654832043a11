// Whether an answer is the one that was expected; anything else ends a load.

import type { Answer } from "./answers.ts";
import type { ExpectedAnswer } from "./load-plan.ts";

/** The id of what was made, if the answer is the right one; throws if it is not. */
export type Judge = (answer: Answer) => string | undefined;

export function buildJudge({ status, isReplay, body }: ExpectedAnswer): Judge {
  const start = `HTTP/1.1 ${status} `;
  const idOf = buildIdOf(body);
  return (answer) => {
    const { head } = answer;
    const isRight = head.startsWith(start) && isReplayed(head) === isReplay;
    const found = isRight ? idOf(answer.body) : undefined;
    if (found !== undefined) return found.id;
    const wanted = `${status}${isReplay ? ", replayed" : ""}, ${JSON.stringify(body)}`;
    throw new Error(`an answer was not ${wanted}, but:\n${head}\n\n${answer.body}`);
  };
}

function isReplayed(head: string): boolean {
  return /\nidempotent-replayed: *true\r?$/im.test(head);
}

/** Gives undefined for a body that is another one. */
function buildIdOf(body: ExpectedAnswer["body"]) {
  if ("text" in body) {
    // As the answers are read.
    const bytes = Buffer.from(body.text).toString("latin1");
    return (text: string) => (text === bytes ? { id: undefined } : undefined);
  }
  const pattern = new RegExp(Buffer.from(body.pattern).toString("latin1"));
  return (text: string) => {
    const match = pattern.exec(text);
    return match === null ? undefined : { id: match[1] };
  };
}
