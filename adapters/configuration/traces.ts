// Where traces go, and which of them, in the words of OpenTelemetry's specification.

import type { Reader, Rule } from "./reader.ts";

const fixedSamplers = [
  "parentbased_always_on",
  "parentbased_always_off",
  "always_on",
  "always_off",
] as const;
const samplers = [...fixedSamplers, "parentbased_traceidratio", "traceidratio"] as const;

/** The second is for traces alone, and goes before the first. */
const endpointNames = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
] as const;

export interface TracesPlace {
  /** of the collector, with the path that traces have there */
  readonly url: string;
  /** what the collector wants to be told, such as a key */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** what is said of this process beside its name */
  readonly attributes: Readonly<Record<string, string>>;
  /** the part of all traces that is recorded, 0 to 1 */
  readonly ratio: number;
}

/**
 * Undefined: nothing is traced, and nothing that does it is loaded. Then the other variables are not looked at: they may be
 * for other programs, and nothing of them may stop a server that does not trace.
 */
export function readTraces(read: Reader): TracesPlace | undefined {
  if (isOff(read)) return undefined;
  // Other exporters would send it elsewhere, and not at all from here.
  read.choice("OTEL_TRACES_EXPORTER", "otlp", ["otlp", "none"]);
  const url = readEndpoint(read);
  const headers = read.secret("OTEL_EXPORTER_OTLP_HEADERS", {
    fits: (text) => pairsOf(text, headerForm) !== undefined,
    instead: "headers as name=value, with commas between them, and nothing but ASCII in them",
  });
  const attributes = read.optional("OTEL_RESOURCE_ATTRIBUTES", {
    fits: (text) => pairsOf(text, attributeForm) !== undefined,
    instead:
      "attributes as name=value, with commas between them: names of letters, digits and . : / _ -, and values without " +
      "control characters, where a comma is %2C and a per cent sign %25",
  });
  const serviceName = read.text("OTEL_SERVICE_NAME", "merchant-crypto-payments", {
    fits: (text) => text.length <= 255 && printable.test(text),
    instead: "a name of at most 255 characters, without control characters",
  });
  const ratio = readRatio(read);
  if (url === undefined) return undefined;
  const said = pairsOf(attributes ?? "", attributeForm) ?? {};
  const isNamed = read.isGiven("OTEL_SERVICE_NAME");
  return {
    url,
    headers: pairsOf(headers ?? "", headerForm) ?? {},
    serviceName: isNamed ? serviceName : (said["service.name"] ?? serviceName),
    attributes: said,
    ratio,
  };
}

function isOff(read: Reader): boolean {
  const said = (name: string): string => read.optional(name, anything)?.toLowerCase() ?? "";
  const switches = [said("OTEL_SDK_DISABLED") === "true", said("OTEL_TRACES_EXPORTER") === "none"];
  const endpoints = endpointNames.map((name) => read.isGiven(name));
  return switches.includes(true) || !endpoints.includes(true);
}

function readEndpoint(read: Reader): string | undefined {
  const [general, ofTraces] = endpointNames;
  const isOfTraces = read.isGiven(ofTraces);
  const name = isOfTraces ? ofTraces : general;
  const place = isOfTraces ? "http://127.0.0.1:4318/v1/traces" : "http://127.0.0.1:4318";
  const given = read.optional(name, {
    fits: (text) => placeOf(text) !== undefined,
    instead:
      `where a collector takes OTLP over HTTP, such as ${place}: http or https, and nothing behind its path ` +
      "(what names us goes into OTEL_EXPORTER_OTLP_HEADERS)",
    // It may be a URL with a password, which is why it is refused.
    isSecret: true,
  });
  const url = placeOf(given ?? "");
  if (url === undefined || isOfTraces) return url?.href;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1/traces`;
}

/** Undefined: nobody can be sent anything there. */
function placeOf(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  return url.username + url.password + url.search + url.hash === "" ? url : undefined;
}

function readRatio(read: Reader): number {
  const sampler = read.choice("OTEL_TRACES_SAMPLER", "parentbased_always_on", samplers);
  const named = read.optional("OTEL_TRACES_SAMPLER", anything) ?? sampler;
  const isFixed = fixedSamplers.some((one) => one === named);
  const argument = read.text("OTEL_TRACES_SAMPLER_ARG", "1", {
    // Without meaning beside a sampler that takes none.
    fits: (text) => isFixed || (/^(?:0|1|[01]?\.[0-9]{1,9})$/.test(text) && Number(text) <= 1),
    instead: "the part of all traces that is recorded, 0 to 1, such as 0.05",
  });
  if (!isFixed) return Number(argument);
  return sampler.endsWith("always_on") ? 1 : 0;
}

const anything: Rule = { fits: () => true, instead: "" };

/** No control characters, line breaks of Unicode included, and no half of a character. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u;

interface PairForm {
  readonly name: RegExp;
  readonly value: RegExp;
}

/** Names of HTTP (RFC 9110, 5.6.2). */
const headerForm: PairForm = { name: /^[\w!#$%&'*+.^`|~-]+$/, value: /^[\t\x20-\x7e]*$/ };
const attributeForm: PairForm = { name: /^[\w.:/-]+$/, value: printable };

/** As W3C Baggage writes pairs, with values in percent-encoding; undefined: it is of another form. */
function pairsOf(text: string, form: PairForm): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = [];
  for (const pair of text.split(",")) {
    if (pair.trim() === "") continue;
    const [name = "", ...rest] = pair.split("=");
    const value = decoded(rest.join("=").trim());
    const isPair = rest.length > 0 && form.name.test(name.trim());
    if (!isPair || value === undefined || !form.value.test(value)) return undefined;
    pairs.push([name.trim(), value]);
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
