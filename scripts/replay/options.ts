// What is asked of whom: the command line and the environment, checked before anything is sent.

import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { pathOf } from "../command-line.ts";
import { UsageError } from "./usage-error.ts";

export interface Options {
  /** without a slash at its end */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly environment: "live" | "test";
  /** beyond what is safe: what a test merchant may have made for it */
  readonly isWhole: boolean;
  /** where the reports go; undefined: nowhere */
  readonly report: string | undefined;
  readonly isJson: boolean;
  readonly requestSeconds: number;
  /** how long to wait for the server's rate limits, all in all */
  readonly patienceSeconds: number;
  readonly concurrency: number;
  /** in lower case: what a proxy in front of the server may add */
  readonly otherHeaders: readonly string[];
  readonly given: GivenResources;
}

/** What no operation makes, or what there may only be so many of. */
export interface GivenResources {
  readonly endpoints: readonly string[];
  readonly withdrawAddress: string | undefined;
  readonly subscription: string | undefined;
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const many = { type: "string", multiple: true, default: [] as string[] } as const;

/** What the environment of a process has. */
type Environment = Readonly<Record<string, string | undefined>>;

function parsed(args: readonly string[]) {
  try {
    const options = {
      url: text,
      key: text,
      secret: text,
      "secret-file": text,
      all: flag,
      report: text,
      json: flag,
      timeout: { ...text, default: "10" },
      patience: { ...text, default: "300" },
      concurrency: { ...text, default: "4" },
      "allow-header": many,
      endpoint: many,
      "withdraw-address": text,
      subscription: text,
      help: flag,
    };
    return parseArgs({ args: [...args], allowPositionals: false, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof parsed>;

/** Undefined: help is asked for. */
export function readOptions(args: readonly string[], variables: Environment): Options | undefined {
  const values = parsed(args);
  if (values.help) return undefined;
  const url = urlOf(values.url ?? variables["CONTRACT_URL"]);
  const key = keyOf(values.key ?? variables["MERCHANT_API_KEY"]);
  const environment = key.startsWith("mk_live_") ? "live" : "test";
  if (values.all && environment === "live") {
    throw new UsageError(
      "--all makes payments, endpoints and addresses, and this key is of the live environment " +
        "(mk_live_...): take a key of a test merchant (mk_test_...), or leave --all out",
    );
  }
  return {
    url,
    key,
    secret: checkedSecret(secretIn(values, variables), environment),
    environment,
    isWhole: values.all,
    report: values.report === undefined ? undefined : pathOf(values.report),
    isJson: values.json,
    requestSeconds: numberOf(values.timeout, "--timeout", 120),
    patienceSeconds: numberOf(values.patience, "--patience", 3600),
    concurrency: numberOf(values.concurrency, "--concurrency", 16),
    otherHeaders: values["allow-header"].map((name) => name.toLowerCase()),
    given: givenIn(values),
  };
}

function givenIn(values: Values): GivenResources {
  const { endpoint: endpoints, subscription } = values;
  const withdrawAddress = values["withdraw-address"];
  const isAny = endpoints.length > 0 || (withdrawAddress ?? subscription) !== undefined;
  if (isAny && !values.all) {
    throw new UsageError(
      "--endpoint, --withdraw-address and --subscription are for --all: without it nothing is changed",
    );
  }
  return { endpoints, withdrawAddress, subscription };
}

function numberOf(value: string, name: string, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`${name} is a whole number from 1 to ${most}, not ${value}`);
}

function urlOf(value: string | undefined): string {
  if (value === undefined || value === "") {
    throw new UsageError("say where the server is: --url https://pay.example");
  }
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url is an address like https://pay.example, not ${value}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("--url has no user and no password: the key signs the requests");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new UsageError(
      `--url is the server's address alone, ${url.origin}: the contract has the paths`,
    );
  }
  if (url.protocol === "http:" && !isLocal(url.hostname)) {
    throw new UsageError(
      `http to ${url.hostname} would show the requests, and the secrets in answers, to whoever is in ` +
        `between: write https://${url.host}`,
    );
  }
  return url.origin;
}

function isLocal(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

function keyOf(key = ""): string {
  if (key === "") throw new UsageError("say who asks: --key mk_..., or MERCHANT_API_KEY");
  if (key.startsWith("sk_")) {
    throw new UsageError("the key begins with mk_: this one is a secret, which nobody may see");
  }
  if (!/^mk_(?:live|test)_[A-Za-z0-9]{16,64}$/.test(key)) {
    throw new UsageError("the key is no API key: they begin with mk_live_ or mk_test_");
  }
  return key;
}

function secretIn({ secret, "secret-file": file }: Values, variables: Environment): string {
  if (secret !== undefined && file !== undefined) {
    throw new UsageError("take one of --secret and --secret-file");
  }
  const fromFile = file === undefined ? undefined : readSecret(file);
  return secret ?? fromFile ?? variables["MERCHANT_API_SECRET"] ?? "";
}

function checkedSecret(secret: string, environment: "live" | "test"): string {
  if (secret === "") {
    throw new UsageError("the key needs its secret: MERCHANT_API_SECRET, or --secret-file FILE");
  }
  if (!secret.startsWith(`sk_${environment}_`)) {
    throw new UsageError(
      `the secret is not of the key: that of a ${environment} key begins with sk_${environment}_`,
    );
  }
  return secret;
}

function readSecret(name: string): string {
  try {
    return readFileSync(name === "-" ? 0 : pathOf(name), "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the secret cannot be read: ${reason}`);
  }
}
