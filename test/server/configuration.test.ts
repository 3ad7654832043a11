import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration.ts";

const standard = {
  host: "127.0.0.1",
  port: 8080,
  dataDirectory: "./data",
  logLevel: "info",
  environment: "development",
};

describe("reads", () => {
  test.each([
    ["nothing: the standard values", {}, {}],
    ["empty variables as absent ones", { HOST: "", PORT: " ", LOG_LEVEL: "" }, {}],
    [
      "every variable",
      {
        HOST: "0.0.0.0",
        PORT: "0",
        DATA_DIR: "/var/x",
        LOG_LEVEL: "debug",
        NODE_ENV: "production",
      },
      {
        host: "0.0.0.0",
        port: 0,
        dataDirectory: "/var/x",
        logLevel: "debug",
        environment: "production",
      },
    ],
    ["an IPv6 address", { HOST: "::1" }, { host: "::1" }],
    ["the highest port", { PORT: "65535" }, { port: 65_535 }],
    ["past variables of others", { POTR: "1", PGHOST: "x", npm_config_x: "y" }, {}],
  ])("%s", (_name, given, want) => {
    expect(parseConfiguration(given)).toEqual({ ...standard, ...want });
  });
});

describe("refuses", () => {
  test.each([
    { PORT: "65536" },
    { PORT: "-1" },
    { PORT: "8080.5" },
    { PORT: "0x50" },
    { PORT: "http" },
    { HOST: "local host" },
    { HOST: "http://localhost" },
    { DATA_DIR: "a\0b" },
    { LOG_LEVEL: "INFO" },
    { NODE_ENV: "prod" },
  ])("%j, naming the variable, its value and what to write", (given) => {
    const [[name, value] = ["", ""]] = Object.entries(given);
    const line = `${name} is ${JSON.stringify(value)}; write `;
    expect(() => parseConfiguration(given)).toThrow(line);
    expect(() => parseConfiguration(given)).toThrow("1 mistake:");
  });

  test("every mistake at once", () => {
    const given = { PORT: "x", LOG_LEVEL: "x", NODE_ENV: "x" };
    expect(() => parseConfiguration(given)).toThrow(
      /^The configuration has 3 mistakes:\n {2}PORT .*\n {2}LOG_LEVEL .*\n {2}NODE_ENV .*\n$/,
    );
  });
});
