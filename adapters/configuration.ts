// The environment, read once at start. All mistakes come together in one message, so that nobody
// has to start the server five times to find five of them.

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const environments = ["production", "development", "test"] as const;

export interface Configuration {
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  readonly dataDirectory: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly environment: (typeof environments)[number];
}

export class ConfigurationError extends Error {
  constructor(mistakes: readonly string[]) {
    const count = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
    super(`The configuration has ${count}:\n${mistakes.map((one) => `  ${one}\n`).join("")}`);
    this.name = "ConfigurationError";
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables we do not know are left alone: the environment belongs to other programs as well. */
export function parseConfiguration(environment: Environment): Configuration {
  const mistakes: string[] = [];
  const read = new Reader(environment, mistakes);
  const configuration: Configuration = {
    host: read.text("HOST", "127.0.0.1", {
      fits: (text) => /^[A-Za-z0-9_.:-]+$/.test(text),
      instead: "an address or a host name such as 127.0.0.1, 0.0.0.0 or ::1",
    }),
    port: Number(
      read.text("PORT", "8080", {
        fits: (text) => /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535,
        instead: "a whole number from 0 to 65535, where 0 takes any free port",
      }),
    ),
    dataDirectory: read.text("DATA_DIR", "./data", {
      fits: (text) => !text.includes("\0"),
      instead: "the path of a folder",
    }),
    logLevel: read.choice("LOG_LEVEL", "info", logLevels),
    environment: read.choice("NODE_ENV", "development", environments),
  };
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return configuration;
}

interface Rule {
  readonly fits: (text: string) => boolean;
  /** what to write instead */
  readonly instead: string;
}

class Reader {
  readonly #environment: Environment;
  readonly #mistakes: string[];

  constructor(environment: Environment, mistakes: string[]) {
    this.#environment = environment;
    this.#mistakes = mistakes;
  }

  /** An empty variable counts as absent: compose files and CI systems pass unset ones that way. */
  text(name: string, standard: string, rule: Rule): string {
    const given = this.#environment[name]?.trim();
    if (given === undefined || given === "") return standard;
    if (rule.fits(given)) return given;
    const line = `${name} is ${JSON.stringify(given)}; write ${rule.instead}`;
    this.#mistakes.push(`${line}, or leave it out for ${standard}`);
    return standard;
  }

  choice<Value extends string>(name: string, standard: Value, values: readonly Value[]): Value {
    const rule = {
      fits: (text: string) => values.some((value) => value === text),
      instead: `one of ${values.join(", ")}`,
    };
    const text = this.text(name, standard, rule);
    return values.find((value) => value === text) ?? standard;
  }
}
