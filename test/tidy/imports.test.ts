import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { circlesIn, importProblems, rowOf } from "./import-rules.ts";
import { floors, looseFiles, rows } from "./rooms.ts";
import { projectRoot, readSourceFiles } from "./source-files.ts";

/** Forbidden imports, at least one for each row of the list. */
const planted: readonly (readonly [string, string])[] = [
  ["generator/planted.ts", "../service/errors.ts"],
  ["generator/emit/planted.ts", "../../handlers/errors.ts"],
  ["generator/planted-2.ts", "../generated/app.ts"],
  ["generator/planted-3.ts", "pino"],
  ["generated/planted.ts", "../handlers/errors.ts"],
  ["generated/operations/planted.ts", "../../service/errors.ts"],
  ["generated/planted-2.ts", "kysely"],
  ["service/planted.ts", "./payments/payments.ts"],
  ["service/planted-2.ts", "../adapters/system/clock.ts"],
  ["service/planted-3.ts", "node:process"],
  ["service/ports/planted.ts", "../database/statement.ts"],
  ["service/database/planted.ts", "../ledger/model.ts"],
  ["service/database/tables/planted.ts", "../../errors.ts"],
  ["service/audit/planted.ts", "../events/events.ts"],
  ["service/audit/planted.sql.ts", "../events/events.sql.ts"],
  ["service/events/planted.ts", "../webhooks/endpoint-model.ts"],
  ["service/events/planted.sql.ts", "../errors.ts"],
  ["service/jobs/planted.ts", "../audit/audit.ts"],
  ["service/jobs/planted.sql.ts", "../ledger/ledger.sql.ts"],
  ["service/ledger/planted.ts", "kysely"],
  ["service/ledger/planted.sql.ts", "../audit/audit.ts"],
  ["service/secrets/planted.ts", "node:fs"],
  ["service/secrets/planted.sql.ts", "pg"],
  ["service/idempotency/planted.ts", "../merchants/merchants.ts"],
  ["service/idempotency/planted.sql.ts", "../webhooks/endpoints.sql.ts"],
  ["service/catalog/planted.ts", "../merchants/merchants.ts"],
  ["service/catalog/planted.sql.ts", "../payments/payments.sql.ts"],
  ["service/merchants/planted.ts", "../payments/splits.ts"],
  ["service/merchants/planted.sql.ts", "../idempotency/idempotency.ts"],
  ["service/webhooks/planted.ts", "../../adapters/webhooks/sender.ts"],
  ["service/webhooks/planted.sql.ts", "../events/events.ts"],
  ["service/addresses/planted.ts", "../sending/model.ts"],
  ["service/addresses/planted.sql.ts", "../sending/queue.sql.ts"],
  ["service/sending/planted.ts", "../withdrawals/withdrawals.ts"],
  ["service/sending/planted.sql.ts", "../withdrawals/withdrawals.sql.ts"],
  ["service/chains/planted.ts", "../payments/troubles.ts"],
  ["service/chains/planted.sql.ts", "../addresses/own-addresses.ts"],
  ["service/sweeps/planted.ts", "../withdrawals/policy.ts"],
  ["service/sweeps/planted.sql.ts", "../sending/model.ts"],
  ["service/withdrawals/planted.ts", "../payouts/schedules.ts"],
  ["service/withdrawals/planted.sql.ts", "../ledger/ledger.ts"],
  ["service/payments/planted.ts", "../../handlers/errors.ts"],
  ["service/payments/planted-2.ts", "../../generated/app.ts"],
  ["service/payments/planted-3.ts", "@hono/zod-openapi"],
  ["service/payments/planted.sql.ts", "../x402/settling.sql.ts"],
  ["service/payouts/planted.ts", "../payments/payments.ts"],
  ["service/payouts/planted.sql.ts", "zod"],
  ["service/checkout/planted.ts", "../x402/x402.ts"],
  ["service/checkout/planted.sql.ts", "../payments/payments.ts"],
  ["service/subscriptions/planted.ts", "../checkout/checkout.ts"],
  ["service/subscriptions/planted.sql.ts", "../payouts/schedules.ts"],
  ["service/suspense/planted.ts", "../x402/x402.ts"],
  ["service/suspense/planted.sql.ts", "../payments/progress.ts"],
  ["service/x402/planted.ts", "../subscriptions/biller.ts"],
  ["service/x402/planted.sql.ts", "../payments/charging.ts"],
  ["service/monitoring/planted.ts", "../../adapters/metrics/metrics.ts"],
  ["service/monitoring/planted.sql.ts", "../chains/health.ts"],
  ["handlers/planted.ts", "../adapters/system/clock.ts"],
  ["handlers/planted-2.ts", "node:sqlite"],
  ["handlers/planted-3.ts", "kysely"],
  ["handlers/checkout/planted.ts", "../../service/payments/payments.sql.ts"],
  ["adapters/system/planted.ts", "../configuration/configuration.ts"],
  ["adapters/configuration/planted.ts", "../http/server.ts"],
  ["adapters/database/planted.ts", "../../handlers/errors.ts"],
  ["adapters/evm/planted.ts", "../../service/chains/watcher.ts"],
  ["adapters/local-chain/planted.ts", "../signer/desk.ts"],
  ["adapters/webhooks/planted.ts", "../../service/payments/payments.ts"],
  ["adapters/http/planted.ts", "../../handlers/errors.ts"],
  ["adapters/metrics/planted.ts", "../../service/payments/payments.ts"],
  ["adapters/tracing/planted.ts", "../../service/payments/payments.ts"],
  ["adapters/operator/planted.ts", "../evm/endpoint.ts"],
  ["adapters/operator/planted-2.ts", "../../service/payments/payments.sql.ts"],
  ["adapters/signer-client/planted.ts", "../signer/desk.ts"],
  ["adapters/signer/planted.ts", "../signer-client/client.ts"],
  ["adapters/signer/planted-2.ts", "../database/open.ts"],
  ["adapters/assembly/planted.ts", "../signer/desk.ts"],
  ["adapters/assembly/planted-2.ts", "../../handlers/errors.ts"],
  ["adapters/main.ts", "./signer/desk.ts"],
  ["adapters/admin.ts", "../handlers/errors.ts"],
  ["adapters/migrate.ts", "./evm/endpoint.ts"],
  ["generator/suite/planted.ts", "../json.ts"],
];

/** Broken rules of other kinds, so that a slip in the configuration cannot switch them off. */
const broken = [
  ["no-explicit-any", "export const a: any = 1;"],
  ["no-floating-promises", "Promise.resolve();"],
  ["no-misused-promises", "export const a = [1].map((n) => n); if (Promise.resolve()) a.pop();"],
  ["no-non-null-assertion", "export const a = (b: string | null): string => b!;"],
  ["no-unnecessary-condition", "export const a = (b: string): string => b ?? '';"],
  [
    "switch-exhaustiveness-check",
    "export function a(b: 'x' | 'y') { switch (b) { case 'x': return 1; } return 2; }",
  ],
  ["no-unsafe-member-access", "export const a: unknown = JSON.parse('{}').b;"],
  ["max-params", "export const a = (b: 1, c: 1, d: 1, e: 1) => [b, c, d, e];"],
  ["max-lines", "export const a = 1;\n".padEnd(420, "//\n").concat("//\n".repeat(400))],
  ["no-barrel-file", "export * from './planted.ts';"],
] as const;

const importing = (imported: string): string =>
  `import { a } from "${imported}";\nexport const b = a;\n`;

describe("the import graph", () => {
  const files = readSourceFiles();

  test("follows the list of rooms", () => {
    expect(importProblems(files)).toEqual([]);
  });

  test("has no circle, neither of files nor of rooms", () => {
    const source = Array.from(files).filter(([path]) => !path.startsWith("test/"));
    expect(circlesIn(new Map(source), (path) => path)).toEqual([]);
    expect(circlesIn(new Map(source), (path) => rowOf(path)?.place)).toEqual([]);
  });

  test("is what was read", () => {
    const main = new Map([["service/x.ts", files.get("adapters/main.ts") ?? ""]]);
    expect(importProblems(main)).toContain("service/x.ts imports ../handlers/handlers.ts");
  });

  test("knows every folder of service/ and adapters/, and no more", () => {
    const sources = Array.from(files.keys()).filter((path) => /^(?:service|adapters)\//.test(path));
    const unknown = sources.filter((path) => {
      const { place } = rowOf(path) ?? {};
      return place === "service" ? !looseFiles.includes(path) : place === undefined;
    });
    expect(unknown).toEqual([]);
    const isUsed = ({ place }: { place: string }): boolean =>
      Array.from(files.keys()).some((path) => path === place || path.startsWith(`${place}/`));
    expect(rows.filter((row) => !isUsed(row))).toEqual([]);
  });

  test("has rooms of at most 24 files, in which no name begins with the room's", () => {
    const names = (room: string) =>
      Array.from(files.keys()).filter((path) => path.startsWith(`service/${room}/`));
    const rooms = floors.flat();
    expect(rooms.filter((room) => names(room).length > 24)).toEqual([]);
    const prefixed = rooms.flatMap((room) =>
      names(room).filter((path) => path.startsWith(`service/${room}/${room.replace(/s$/, "")}-`)),
    );
    expect(prefixed).toEqual([]);
  });
});

test("every row has something planted against it", () => {
  const tried = new Set(planted.map(([path]) => rowOf(path)));
  expect(rows.filter((row) => !tried.has(row))).toEqual([]);
});

test.each(planted)("a planted import is seen: %s from %s", (path, imported) => {
  const files = new Map([[path, importing(imported)]]);
  expect(importProblems(files)).toEqual([`${path} imports ${imported}`]);
});

test("a circle of files and a circle of rooms are seen", () => {
  const files = new Map([
    ["service/jobs/a.ts", importing("../audit/b.ts")],
    ["service/audit/b.ts", importing("./c.ts")],
    ["service/audit/c.ts", importing("../jobs/d.ts")],
    ["service/jobs/d.ts", ""],
  ]);
  expect(circlesIn(files, (path) => path)).toEqual([]);
  expect(circlesIn(files, (path) => rowOf(path)?.place)).toEqual([
    ["service/audit", "service/jobs"],
  ]);
  const back = new Map([...files, ["service/jobs/d.ts", importing("./a.ts")]]);
  expect(circlesIn(back, (path) => path)).toEqual([[...files.keys()].toSorted()]);
});

describe("the linter", () => {
  let folder: string;
  let report: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tidy-"));
    for (const name of [
      "oxlint.config.ts",
      "tsconfig.json",
      "package.json",
      "test/tidy/rooms.ts",
    ]) {
      cpSync(join(projectRoot, name), join(folder, name));
    }
    symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    for (const [path, imported] of planted) write(path, importing(imported));
    for (const [rule, text] of broken) write(`handlers/broken/${rule}.ts`, `${text}\n`);
    write("service/sweeps/fine.sql.ts", 'import type { A } from "../sending/model.ts";\n');
    const oxlint = join(projectRoot, "node_modules", "oxlint", "bin", "oxlint");
    // Named folders: it would walk through the linked node_modules else.
    const folders = ["adapters", "generated", "generator", "handlers", "service"];
    const parameters = [oxlint, "--type-aware", "--format", "unix", ...folders];
    report = spawnSync(process.execPath, parameters, { cwd: folder, encoding: "utf8" }).stdout;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const reported = (path: string): string =>
    report
      .split("\n")
      .filter((line) => line.startsWith(`${path}:`))
      .join("\n");

  test.each(planted)("sees it too: %s from %s", (path) => {
    expect(reported(path)).toContain("no-restricted-imports");
  });

  test("lets a statement take a type from a room below", () => {
    expect(reported("service/sweeps/fine.sql.ts")).not.toContain("no-restricted-imports");
  });

  test.each(broken)("has the rule %s", (rule) => {
    expect(reported(`handlers/broken/${rule}.ts`)).toContain(`(${rule})`);
  });
});
