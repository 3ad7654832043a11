// haproxy.cfg and prometheus.yaml: about the servers that the units start, and to the liking of their programs.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { deployFolder, readDeployFile, readUnit } from "./files.ts";

afterEach(endChildren);

/** What the unit gives its first two servers. */
function ofUnits(pattern: RegExp): readonly string[] {
  const [text = ""] = readUnit("payments@.service").get("Service")?.get("Environment") ?? [];
  const value = pattern.exec(text)?.[1] ?? "";
  return ["1", "2"].map((instance) => value.replaceAll("%i", instance));
}

test("haproxy sends requests to the servers of the units, while each says that it is ready", () => {
  const text = readDeployFile("haproxy.cfg");
  const servers = Array.from(
    text.matchAll(/^ +server payments\d 127\.0\.0\.1:(\d+)$/gm),
    ([, port]) => port,
  );
  expect(servers).toEqual(ofUnits(/PORT=(\S+)/));
  expect(text).toContain("http-check send meth GET uri /readyz");
  expect(text).toContain("http-check expect status 200");
  // Before haproxy writes its own.
  expect(text.indexOf("del-header X-Forwarded-For")).toBeGreaterThan(0);
});

test("Prometheus asks the servers of the units, under the name that the rules ask for", () => {
  const { scrape_configs: jobs } = parse(readDeployFile("prometheus.yaml")) as {
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly static_configs: readonly [{ readonly targets: readonly string[] }];
    }[];
  };
  const pay = jobs.find(({ job_name: name }) => name === "pay");
  expect(pay?.static_configs[0].targets).toEqual(ofUnits(/METRICS_LISTEN=(\S+)/));
});

interface Said {
  readonly status: number | null;
  readonly text: string;
}

/** Undefined: the program is not installed. */
function ask(program: string, words: readonly string[]): Said | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (error !== undefined) expect(error).toMatchObject({ code: "ENOENT" });
  return error === undefined ? { status, text: stdout + stderr } : undefined;
}

test("haproxy, where there is one (Debian: apt-get install haproxy), takes its file", () => {
  const folder = makeFolder();
  if (ask("haproxy", ["-v"]) === undefined || ask("openssl", ["version"]) === undefined) return;
  const [key, certificate] = [join(folder, "key"), join(folder, "payments.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const made = [...curve, "-subj", "/CN=pay.example.com", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...made], { stdio: "ignore" });
  execFileSync("sh", ["-c", 'cat "$0" >> "$1"', key, certificate]);
  const path = join(folder, "haproxy.cfg");
  const text = readDeployFile("haproxy.cfg").replaceAll("/etc/haproxy/payments.pem", certificate);
  // A machine without haproxy's package has no such user.
  writeFileSync(path, text.replaceAll(/^ {2}(?:user|group) haproxy$/gm, ""));
  const said = ask("haproxy", ["-c", "-f", path]);
  expect(said?.text).not.toMatch(/\[(?:WARNING|ALERT)\]/);
  expect(said?.status).toBe(0);
});

test("promtool, where there is one (Debian: apt-get install prometheus), takes its file and the rules", () => {
  const folder = join(makeFolder(), "prometheus");
  mkdirSync(folder);
  copyFileSync(join(deployFolder, "prometheus.yaml"), join(folder, "prometheus.yml"));
  const rules = join(projectRoot, "docs/running/monitoring/alerts.yaml");
  copyFileSync(rules, join(folder, "alerts.yaml"));
  const said = ask("promtool", ["check", "config", join(folder, "prometheus.yml")]);
  expect(said?.status ?? 0).toBe(0);
  if (said !== undefined) expect(said.text).toMatch(/SUCCESS: \d+ rules found/);
});
