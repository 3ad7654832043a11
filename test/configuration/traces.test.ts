// What the variables of OpenTelemetry say of traces: where they go, which of them, and that they go nowhere.

import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";

const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318";
const ofPart = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio" };

test.each([
  [{}, 1],
  [{ OTEL_SDK_DISABLED: "false", OTEL_TRACES_EXPORTER: "otlp" }, 1],
  [{ OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_SAMPLER_ARG: "0.1" }, 1],
  [{ OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_SAMPLER_ARG: "endpoint=http://x:1" }, 1],
  [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, 0],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: ".5" }, 0.5],
  [{ OTEL_TRACES_SAMPLER: "traceidratio" }, 1],
])("of traces with %j this part is recorded: %d", (given, ratio) => {
  const { tracesPlace } = parseConfiguration({ OTEL_EXPORTER_OTLP_ENDPOINT, ...given });
  const url = "http://127.0.0.1:4318/v1/traces";
  const serviceName = "merchant-crypto-payments";
  expect(tracesPlace).toEqual({ url, headers: {}, serviceName, attributes: {}, ratio });
});

test.each([
  ["http://127.0.0.1:4318", "http://127.0.0.1:4318/"],
  ["https://collector.example/of/ours/v1/traces", "https://collector.example/of/ours/v1/traces"],
  ["https://collector.example/of/ours/", "https://collector.example/of/ours/"],
])("a place for traces alone is taken as it is: %s", (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, url) => {
  const alone = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT };
  // The other one may be for something else, of another protocol.
  for (const given of [alone, { ...alone, OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }]) {
    expect(parseConfiguration(given).tracesPlace?.url).toBe(url);
  }
});

test("names and attributes of a service are text, whatever its language", () => {
  const { tracesPlace } = parseConfiguration({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_SERVICE_NAME: "Zahlungen für Läden 支付",
    OTEL_RESOURCE_ATTRIBUTES: "where=Z%C3%BCrich%2C%20Enge,at=Köln",
  });
  expect(tracesPlace).toMatchObject({
    serviceName: "Zahlungen für Läden 支付",
    attributes: { where: "Zürich, Enge", at: "Köln" },
  });
});

test("a service has the name of its attributes where it is given no other", () => {
  const OTEL_RESOURCE_ATTRIBUTES = "service.name=ours";
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_RESOURCE_ATTRIBUTES };
  expect(parseConfiguration(given).tracesPlace?.serviceName).toBe("ours");
});

describe("nothing is traced, and no variable of it stops the server", () => {
  test.each([
    [
      "where they go nowhere",
      {
        OTEL_SERVICE_NAME: "a\u0007",
        OTEL_TRACES_SAMPLER: "jaeger_remote",
        OTEL_TRACES_SAMPLER_ARG: "x",
        OTEL_TRACES_EXPORTER: "console",
        OTEL_RESOURCE_ATTRIBUTES: "x",
        OTEL_EXPORTER_OTLP_HEADERS: "x",
        OTEL_EXPORTER_OTLP_HEADERS_FILE: "/is/not/there",
      },
    ],
    [
      "where the library is switched off, wherever they would go",
      { OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_ENDPOINT: "x", OTEL_TRACES_SAMPLER: "x" },
    ],
    [
      "where nothing exports them",
      { OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:1" },
    ],
  ])("%s", (_name, given) => {
    expect(parseConfiguration(given).tracesPlace).toBeUndefined();
  });
});

describe("refuses", () => {
  test.each([
    "127.0.0.1:4318",
    "grpc://collector.example:4317",
    "https://user:hidden@collector.example",
    "https://collector.example/?key=hidden",
    "https://collector.example/#hidden",
  ])("traces to %s, without repeating it", (OTEL_EXPORTER_OTLP_ENDPOINT) => {
    const parse = () => parseConfiguration({ OTEL_EXPORTER_OTLP_ENDPOINT });
    expect(parse).toThrow(
      /ENDPOINT is of the wrong form; write where a collector .*:4318: .*, or leave it out\n$/,
    );
    expect(parse).not.toThrow(/hidden/);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key" }, /HEADERS is of the wrong form; write headers as/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x key=hidden" }, /HEADERS is of the wrong form/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=hidden%0A" }, /HEADERS is of the wrong form/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=hidden%" }, /HEADERS is of the wrong form/],
    [{ OTEL_RESOURCE_ATTRIBUTES: "a b=c" }, /ATTRIBUTES is "a b=c"; write attributes as/],
    [{ OTEL_RESOURCE_ATTRIBUTES: "a=b%0A" }, /ATTRIBUTES is "a=b%0A"; .* without control/],
    [{ OTEL_RESOURCE_ATTRIBUTES: "a=b%E4" }, /ATTRIBUTES is "a=b%E4"; .* a per cent sign %25/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=hidden%C3%BC" }, /HEADERS is .* nothing but ASCII/],
    [{ OTEL_SERVICE_NAME: "a\nname" }, /NAME is "a\\nname"; write a name .* without control/],
    [{ OTEL_SERVICE_NAME: "n".repeat(256) }, /; write a name of at most 255 characters/],
    [{ OTEL_TRACES_EXPORTER: "console" }, /EXPORTER is "console"; write one of otlp, none/],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://hidden@collector.example/" },
      /TRACES_ENDPOINT is of the wrong form; write where .* such as http:.*v1\/traces: http or/,
    ],
    [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, /SAMPLER is "jaeger_remote"; write one of parent/],
    [{ ...ofPart, OTEL_TRACES_SAMPLER_ARG: "1.1" }, /ARG is "1.1"; write the part of all traces/],
    [{ ...ofPart, OTEL_TRACES_SAMPLER_ARG: "." }, /ARG is "."; write the part of all traces/],
  ])("of traces %j", (said, message) => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT, ...said };
    expect(() => parseConfiguration(given)).toThrow(message);
    expect(() => parseConfiguration(given)).not.toThrow(/hidden/);
  });
});
