// The person at the terminal. Standard output stays for what a command answers.

import { createInterface } from "node:readline";

export interface Terminal {
  readonly write: (text: string) => void;
  /** A line. Undefined: there is none, since they have pressed Ctrl-C or Ctrl-D. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Undefined where nobody can read a question and answer it. */
export function openTerminal({ stdin, stderr }: Streams): Terminal | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return {
    write: (text) => void stderr.write(text),
    ask: (question) =>
      new Promise((resolve) => {
        const lines = createInterface({ input: stdin, output: stderr });
        lines.on("SIGINT", () => lines.close());
        lines.on("close", () => {
          stderr.write("\n");
          resolve(undefined);
        });
        lines.question(question, (line) => {
          lines.removeAllListeners("close");
          lines.close();
          resolve(line);
        });
      }),
  };
}
