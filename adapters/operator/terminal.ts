// The person at the terminal. Standard output stays for what a command answers.

import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/** As long as a terminal takes to hand over what it has; nobody reads a question in that. */
const typedMilliseconds = 50;

export interface Terminal {
  readonly write: (text: string) => void;
  /** A line. Undefined: there is none, since they have pressed Ctrl-C or Ctrl-D. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

interface Streams {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly setRawMode?: (isRaw: boolean) => unknown;
  };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Undefined where nobody can read a question and answer it. */
export function openTerminal({ stdin, stderr }: Streams): Terminal | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return {
    write: (text) => void stderr.write(text),
    ask: async (question) => {
      const isThere = await dropTyped(stdin);
      return isThere ? await askNow({ stdin, stderr }, question) : undefined;
    },
  };
}

/** What was typed or pasted before the question stood there is no answer to it. False: nothing more can come. */
async function dropTyped(stdin: Streams["stdin"]): Promise<boolean> {
  let isThere = true;
  const drop = (): void => undefined;
  const end = (): void => void (isThere = false);
  stdin.on("data", drop);
  stdin.once("end", end);
  // What has no line end yet comes as well.
  stdin.setRawMode?.(true);
  await wait(typedMilliseconds);
  stdin.setRawMode?.(false);
  stdin.off("data", drop);
  stdin.off("end", end);
  stdin.pause();
  return isThere;
}

/** Several lines at once were pasted: their first one was not meant as the answer. */
function askNow({ stdin, stderr }: Streams, question: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, output: stderr });
    const typed: string[] = [];
    lines.on("SIGINT", () => lines.close());
    lines.on("line", (line) => {
      typed.push(line);
      if (typed.length === 1) setImmediate(() => lines.close());
    });
    lines.on("close", () => {
      if (typed.length !== 1) stderr.write("\n");
      resolve(typed.length === 1 ? typed[0] : undefined);
    });
    lines.setPrompt(question);
    lines.prompt();
  });
}
