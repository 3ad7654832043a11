// A terminal that people look at: whether it shows colours, and how wide it is. Files and pipes are none.

/** What Node says of its standard streams. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export interface Screen {
  readonly hasColours: boolean;
  /** somebody looks at it: frames and progress make sense; undefined: it is a file or a pipe */
  readonly view: View | undefined;
}

interface View {
  readonly columns: () => number;
  /** as it is; undefined where a line cannot be written over */
  readonly draw: ((text: string) => void) | undefined;
}

const columnsOtherwise = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/** A pipe has colours only where that is asked for by FORCE_COLOR, which goes before NO_COLOR as in Node. */
export function screenOf(stream: Stream, environment: Environment): Screen {
  const { FORCE_COLOR: forced, NO_COLOR: forbidden = "", TERM: terminal } = environment;
  const isTerminal = stream.isTTY === true;
  const isPlain = terminal === "dumb";
  const hasColours =
    forced === undefined
      ? isTerminal && !isPlain && forbidden === ""
      : forced !== "0" && forced !== "false";
  const draw = (text: string): void => void stream.write(text);
  // a terminal that nobody has given a size says 0
  const columns = (): number => Math.max(0, stream.columns ?? 0) || columnsOtherwise;
  const view = { columns, draw: isPlain ? undefined : draw };
  return { hasColours, view: isTerminal ? view : undefined };
}

const styles = {
  bold: ["\u001b[1m", "\u001b[22m"],
  dim: ["\u001b[2m", "\u001b[22m"],
  red: ["\u001b[31m", "\u001b[39m"],
  yellow: ["\u001b[33m", "\u001b[39m"],
  cyan: ["\u001b[36m", "\u001b[39m"],
} as const;

export type Paint = (style: keyof typeof styles, text: string) => string;

export function paintOf({ hasColours }: Pick<Screen, "hasColours">): Paint {
  return (style, text) => {
    const [begin, end] = styles[style];
    return hasColours && text !== "" ? begin + text + end : text;
  };
}
