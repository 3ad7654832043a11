// The operator's commands about the service itself: its catalog, its secrets, its jobs, its audit log.

import type { Audit, AuditAnchor } from "../../service/audit/audit.ts";
import type { Jobs } from "../../service/jobs/jobs.ts";
import { type CatalogDifference, lineOf } from "../../service/catalog/changes.ts";
import type { CatalogApplied } from "../../service/catalog/writer.ts";
import type { Missing } from "../../service/checkout/first-payment.ts";
import type { Resealed } from "../../service/secrets/resealing.ts";
import type { Monitoring } from "../../service/monitoring/monitoring.ts";
import { problemsOf } from "../../service/monitoring/problems.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { auditPart, jobsPart, verdictResult } from "./own-work.ts";
import { listing, type Part, result, said, type Value } from "./results.ts";
import { statusResult } from "./status.ts";
import { type AdminFile, type Command, command, optional, place } from "./words.ts";
import { UsageError, wholeNumber, word } from "./words.ts";

export interface SystemOperator {
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, "list">;
  readonly audit: Audit;
  readonly applyCatalog: (
    file: AdminFile,
    options: { readonly isDryRun: boolean },
  ) => Promise<CatalogApplied>;
  readonly reseal: (options: { readonly isDryRun: boolean }) => Promise<readonly Resealed[]>;
  /** What there has to be before a first payment can be taken. */
  readonly readMissing: () => Promise<readonly Missing[]>;
  readonly monitoring: Pick<Monitoring, "read">;
}

const auditLimitStandard = 50n;
const auditLimitMax = 1000n;

function applying(isDryRun: boolean) {
  return async (_: unknown, { applyCatalog }: SystemOperator, file?: AdminFile) => {
    if (file === undefined) throw new UsageError("catalog apply needs the text of its file.");
    return result(appliedPart(await applyCatalog(file, { isDryRun })));
  };
}

function appliedPart({ versionBefore, versionAfter, differences }: CatalogApplied): Part {
  const lines = differences.map(lineOf);
  const end =
    lines.length === 0
      ? `Nothing to change: catalog version ${versionBefore}.`
      : `Catalog version ${versionBefore} -> ${versionAfter}.`;
  return said([...lines, end].map((line) => `${line}\n`).join(""), {
    version_before: versionBefore,
    version_after: versionAfter,
    changes: differences.map((one) => changeValues(one)),
  });
}

function changeValues({ was, is, ...named }: CatalogDifference): Value {
  // Named as in the file, and as JSON has it.
  return { ...named, was: was as Value, is: is as Value };
}

function resealing(isDryRun: boolean) {
  return async (_: unknown, { reseal }: SystemOperator) =>
    result(
      listing("secrets", await reseal({ isDryRun }), [
        ["SECRETS", "place", (one) => one.place],
        ["SEALED ANEW", "resealed", (one) => one.resealed],
        ["UP TO DATE", "up_to_date", (one) => one.upToDate],
      ]),
    );
}

const anchor = (says: string) =>
  word("NUMBER:HASH", says, (given): AuditAnchor => {
    const [, sequence, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(given) ?? [];
    if (sequence !== undefined && hash !== undefined) return { sequence: BigInt(sequence), hash };
    throw new UsageError(
      "--head is what audit verify printed: a number, a colon and 64 hex digits.",
    );
  });

export const systemCommands: readonly Command<SystemOperator>[] = [
  command("status", {
    says:
      "what is missing before payments can be taken, what is not well, and how much is open; exit code 1: " +
      "something is missing or not well",
    words: {
      watch: optional(
        wholeNumber(
          "[SECONDS]",
          "again every so many seconds (5), until Ctrl-C; with --json a line each time",
        ),
      ),
    },
    run: async (_, { readMissing, monitoring, clock }: SystemOperator) => {
      const [missing, state] = [await readMissing(), await monitoring.read()];
      return statusResult({ missing, problems: problemsOf(state, clock.nowMilliseconds()), state });
    },
  }),
  command("catalog apply", {
    says: "brings currencies and deployments to what the file says",
    words: { file: place("FILE") },
    dryRun: applying(true),
    run: applying(false),
  }),
  command("secrets reseal", {
    says: "seals what ENCRYPTION_KEYS_OLDER sealed with ENCRYPTION_KEY",
    words: {},
    // Far too many rows for one transaction.
    dryRun: resealing(true),
    run: resealing(false),
  }),
  command("job list", {
    says: "how the background jobs are doing",
    words: {},
    run: async (_, { jobs }: SystemOperator) => result(jobsPart(await jobs.list())),
  }),
  command("audit list", {
    says: "who changed what: the newest entries, or those after one",
    words: {
      after: optional(wholeNumber("NUMBER")),
      limit: optional(
        wholeNumber("NUMBER", `1 to ${auditLimitMax}; default: ${auditLimitStandard}`),
      ),
    },
    run: async ({ after, limit = auditLimitStandard }, { audit }: SystemOperator) => {
      if (limit < 1n || limit > auditLimitMax) {
        throw new UsageError(`--limit is a number from 1 to ${auditLimitMax}.`);
      }
      return result(auditPart(await audit.list({ after, limit: Number(limit) })));
    },
  }),
  command("audit verify", {
    says: "whether the log is as it was written, and prints its head",
    words: { head: optional(anchor("of before: whether that is still part of it")) },
    run: async ({ head }, { audit }: SystemOperator) => verdictResult(await audit.verify(head)),
  }),
];
