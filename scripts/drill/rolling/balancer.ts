// haproxy with the very configuration that operators are given, docs/running/deploy/haproxy.cfg, on ports of this run and
// with a certificate of its own.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Part, waitUntil } from "../../cluster/parts.ts";

const shipped = join(import.meta.dirname, "../../../docs/running/deploy/haproxy.cfg");

export interface BalancerPorts {
  readonly plain: number;
  readonly front: number;
  readonly statistics: number;
  /** of the servers, in the order of the file */
  readonly servers: readonly [number, number];
}

export interface Balancer {
  readonly part: Part;
  readonly url: string;
  /** PEM */
  readonly authority: string;
  /** whether requests go to that server, as the balancer sees it */
  readonly isUp: (server: ServerName) => Promise<boolean>;
}

export type ServerName = "payments1" | "payments2";

/** What is missing, and what brings it. */
export class BalancerMissing extends Error {
  constructor(missing: readonly string[]) {
    super(
      `not found: ${missing.join(", ")}; on Debian: apt-get install --no-install-recommends haproxy openssl ` +
        "(stop the haproxy that this starts)",
    );
    this.name = "BalancerMissing";
  }
}

/** Throws `BalancerMissing`. */
export function findBalancer(environment: NodeJS.ProcessEnv): {
  readonly haproxy: string;
  readonly openssl: string;
} {
  const folders = [...(environment["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const find = (name: string) =>
    folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const [haproxy, openssl] = [find("haproxy"), find("openssl")];
  if (haproxy !== undefined && openssl !== undefined) return { haproxy, openssl };
  const missing = Object.entries({ haproxy, openssl }).filter(([, path]) => path === undefined);
  throw new BalancerMissing(missing.map(([name]) => name));
}

/** What the file says of one machine is replaced by what this one has. Throws when the file says something else. */
export function balancerText(text: string, ports: BalancerPorts, certificate: string): string {
  const [first, second] = ports.servers;
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^ {2}(?:log|user|group) .*\n/gm, ""],
    [/^ {2}bind :80\n {2}bind :::80 v6only\n/m, `  bind 127.0.0.1:${ports.plain}\n`],
    [
      /^ {2}bind :443 ssl crt \S+ (.*)\n {2}bind :::443 .*\n/m,
      `  bind 127.0.0.1:${ports.front} ssl crt ${certificate} $1\n`,
    ],
    [/ 127\.0\.0\.1:8081\b/, ` 127.0.0.1:${first}`],
    [/ 127\.0\.0\.1:8082\b/, ` 127.0.0.1:${second}`],
    [/ 127\.0\.0\.1:8404$/m, ` 127.0.0.1:${ports.statistics}`],
  ];
  return changes.reduce((changed, [form, by]) => {
    if (changed.search(form) === -1) throw new Error(`haproxy.cfg has nothing like ${form.source}`);
    return changed.replace(form, by);
  }, text);
}

interface Place {
  readonly folder: string;
  readonly programs: ReturnType<typeof findBalancer>;
}

export async function startBalancer(
  { folder, programs }: Place,
  ports: BalancerPorts,
): Promise<Balancer> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost " +
    "-addext subjectAltName=IP:127.0.0.1";
  const files = ["-keyout", key, "-out", certificate];
  execFileSync(programs.openssl, [...words.split(" "), ...files], { stdio: "ignore" });
  const authority = readFileSync(certificate, "utf8");
  const both = join(folder, "payments.pem");
  writeFileSync(both, `${authority}${readFileSync(key, "utf8")}`, { mode: 0o600 });
  const configuration = join(folder, "haproxy.cfg");
  writeFileSync(configuration, balancerText(readFileSync(shipped, "utf8"), ports, both));
  const part = new Part({
    name: "haproxy",
    command: programs.haproxy,
    parameters: ["-db", "-f", configuration],
    home: folder,
    log: join(folder, "haproxy.log"),
    folder,
  });
  part.start();
  const url = `http://127.0.0.1:${ports.statistics}/;csv`;
  const isUp = async (server: ServerName): Promise<boolean> => {
    try {
      const rows = (await (await fetch(url)).text()).split("\n");
      const row = rows.find((one) => one.startsWith(`servers,${server},`));
      return row?.includes(",UP,") === true;
    } catch {
      return false; // it does not listen yet
    }
  };
  await waitUntil("haproxy sees both servers", async () => {
    return (await isUp("payments1")) && (await isUp("payments2"));
  });
  return { part, url: `https://127.0.0.1:${ports.front}`, authority, isUp };
}
