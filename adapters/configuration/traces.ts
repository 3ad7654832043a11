// Where traces go, and which of them, in the words of OpenTelemetry's specification.

import type { Reader } from "./reader.ts";

const samplers = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
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

/** Undefined: nothing is traced, and nothing that does it is loaded. */
export function readTraces(read: Reader): TracesPlace | undefined {
  const endpoint = read.optional("OTEL_EXPORTER_OTLP_ENDPOINT", {
    fits: (text) => endpointOf(text) !== undefined,
    instead:
      "where a collector takes OTLP over HTTP, such as http://127.0.0.1:4318: http or https, and nothing behind its path " +
      "(what names us goes into OTEL_EXPORTER_OTLP_HEADERS)",
    // It may be a URL with a password, which is why it is refused.
    isSecret: true,
  });
  const headers = read.secret("OTEL_EXPORTER_OTLP_HEADERS", {
    fits: (text) => pairsOf(text, headerName) !== undefined,
    instead: "headers as name=value, with commas between them",
  });
  const attributes = read.optional("OTEL_RESOURCE_ATTRIBUTES", {
    fits: (text) => pairsOf(text, attributeName) !== undefined,
    instead: "attributes as name=value, with commas between them",
  });
  const serviceName = read.text("OTEL_SERVICE_NAME", "merchant-crypto-payments", {
    fits: (text) => /^[\w.:-]{1,128}$/.test(text),
    instead: "a name of letters, digits and . : _ -",
  });
  const sampler = read.choice("OTEL_TRACES_SAMPLER", "parentbased_always_on", samplers);
  const argument = read.text("OTEL_TRACES_SAMPLER_ARG", "1", {
    fits: (text) => /^(?:0|1|[01]?\.[0-9]{1,9})$/.test(text) && Number(text) <= 1,
    instead: "the part of all traces that is recorded, 0 to 1, such as 0.05",
  });
  const url = endpointOf(endpoint ?? "");
  if (url === undefined) return undefined;
  const said = pairsOf(attributes ?? "", attributeName) ?? {};
  const isNamed = read.isGiven("OTEL_SERVICE_NAME");
  return {
    url,
    headers: pairsOf(headers ?? "", headerName) ?? {},
    serviceName: isNamed ? serviceName : (said["service.name"] ?? serviceName),
    attributes: said,
    ratio: ratioOf(sampler, Number(argument)),
  };
}

/** Undefined: nobody can be sent anything there. */
function endpointOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.username + url.password + url.search + url.hash !== "") return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1/traces`;
}

/** Of HTTP (RFC 9110, 5.6.2). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const attributeName = /^[\w.:/-]+$/;
/** No line breaks, and nothing that a header cannot hold. */
const plainValue = /^[\t\x20-\x7e]*$/;

/** As W3C Baggage writes pairs, with values in percent-encoding; undefined: it is of another form. */
function pairsOf(text: string, nameForm: RegExp): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = [];
  for (const pair of text.split(",")) {
    if (pair.trim() === "") continue;
    const [name = "", ...rest] = pair.split("=");
    const value = decoded(rest.join("=").trim());
    const isPair = rest.length > 0 && nameForm.test(name.trim());
    if (!isPair || value === undefined || !plainValue.test(value)) return undefined;
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

function ratioOf(sampler: (typeof samplers)[number], argument: number): number {
  if (sampler.endsWith("traceidratio")) return argument;
  return sampler.endsWith("always_on") ? 1 : 0;
}
