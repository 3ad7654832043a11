import { afterEach, describe, expect, test } from "vitest";
import {
  demoCredentials,
  endChildren,
  logLines,
  makeDataDirectory,
  startChild,
  startServerChild,
} from "./child.ts";

// Each server opens a database of its own, on whatever machine has to run all tests at once.
afterEach(endChildren);

describe("start", () => {
  test("says that it has a catalog and where it listens, each on one line of JSON", async () => {
    const server = await startServerChild();
    const url = `http://127.0.0.1:${server.port}`;
    expect(logLines(server)).toMatchObject([
      { level: "info", catalog_version: 1 },
      { level: "info", url, msg: `listening on ${url}` },
    ]);
    expect(server.errors()).toBe("");
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test("listens on HOST, IPv6 as well", async () => {
    const server = await startServerChild({ HOST: "::1" });
    expect((await fetch(`http://[::1]:${server.port}/healthz`)).status).toBe(200);
  });

  test("writes no lines when LOG_LEVEL is silent", async () => {
    const DATA_DIR = await makeDataDirectory();
    const first = await startServerChild({ DATA_DIR });
    await demoCredentials(first);
    first.kill("SIGTERM");
    await first.ended;
    const child = startChild(["adapters/main.ts"], { PORT: "0", LOG_LEVEL: "silent", DATA_DIR });
    const { code } = await (async () => {
      const timer = setInterval(() => child.kill("SIGTERM"), 200);
      const end = await child.ended;
      clearInterval(timer);
      return end;
    })();
    expect(code ?? 0).toBeLessThan(2);
    expect(child.output()).toBe("");
  });

  test("takes no words, and repeats none that may be a secret", async () => {
    const key = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";
    const named = ["--port=8081", "--encryption-key", "ENCRYPTION_KEY=c2VjcmV0"];
    const secret = [key, key.slice(0, -1), "postgres://u:pw@h/x", "-phunter2", "--sk_live_abcDEF"];
    const words = ["--build-docs", ...named, ...secret];
    const child = startChild(["adapters/main.ts", ...words], { PORT: "0" });
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.output()).toBe("");
    const why =
      "stands behind the command: a server takes no words, it is told everything by variables before it, " +
      "NAME=value npm start (docs/configuration.md)";
    const said = ["--port", "--encryption-key", "ENCRYPTION_KEY", ...secret.map(() => "a word")];
    const lines = said.map((what) => `  ${what} ${why}\n`);
    expect(child.errors()).toBe(`The configuration has 8 mistakes:\n${lines.join("")}`);
  });

  test("reports all mistakes of the configuration in one text, without a stack, exit 1", async () => {
    const child = startChild(["adapters/main.ts"], { PORT: "80a", LOG_LEVEL: "loud", HOST: "a b" });
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.output()).toBe("");
    expect(child.errors()).toBe(
      [
        "The configuration has 3 mistakes:",
        '  HOST is "a b"; write an address or a host name such as 127.0.0.1, 0.0.0.0 or ::1, or leave it out for 127.0.0.1',
        '  PORT is "80a"; write a whole number from 0 to 65535, where 0 takes any free port, or leave it out for 8080',
        '  LOG_LEVEL is "loud"; write one of fatal, error, warn, info, debug, trace, silent, or leave it out for info',
        "",
      ].join("\n"),
    );
  });

  test("a taken port is one readable line and exit 1", async () => {
    const first = await startServerChild();
    const DATA_DIR = await makeDataDirectory();
    const second = startChild(["adapters/main.ts"], { PORT: String(first.port), DATA_DIR });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(logLines(second)).toMatchObject([{ level: "info", catalog_version: 1 }]);
    expect(second.errors()).toBe(
      `Port ${first.port} on 127.0.0.1 is taken: stop what uses it, or start with another, for example PORT=8081 npm start.\n`,
    );
  });

  test("a HOST that is not of this machine is one readable line and exit 1", async () => {
    const DATA_DIR = await makeDataDirectory();
    const child = startChild(["adapters/main.ts"], { PORT: "0", HOST: "192.0.2.1", DATA_DIR });
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.errors()).toMatch(/^HOST 192\.0\.2\.1 is no address of this machine: .*\n$/);
  });
});
