// What reading a chain again has found, or has put right.

import { canonicalJson } from "../../service/canonical-json.ts";
import type { RescanReport } from "../../service/chains/rescan.ts";
import type { RescanChange } from "../../service/chains/rescan-changes.ts";
import { type Column, listing, type Part, plain, said, snakeCased, type Value } from "./results.ts";

/** More than a person reads; the numbers below count all. */
const shownMax = 200;

/**
 * What must not be another one when it is put right: the deposits that it is about. Blocks come on meanwhile, and what is
 * as it is stored is not touched.
 */
export function boundChanges(chainId: string, { fromNumber, changes }: RescanReport): Value {
  // By all of each: one transfer may be there twice, as gone and as new.
  const all = changes.map((change) => canonicalJson(plain(snakeCased(change))));
  return [chainId, fromNumber, all.toSorted()];
}

/** What was found. */
export function rescanPart(report: RescanReport): Part {
  const { text } = listing("changes", report.changes.slice(0, shownMax), columns);
  const more = report.changes.length - shownMax;
  const count = (what: string) => report.changes.filter((change) => change.what === what).length;
  const lines = [
    `Blocks ${report.fromNumber} to ${report.toNumber}: ${report.otherBlocks} are other ones than stored.`,
    `Deposits: ${report.same} as stored, ${count("gone")} gone, ${count("moved")} in another block, ` +
      `${count("new")} new, ${count("kept")} kept that cannot be read again.`,
    ...measuredLines(report),
  ];
  const list = report.changes.length === 0 ? "" : text;
  const sentences = `${more > 0 ? `and ${more} more\n` : ""}${lines.join("\n")}\n`;
  return said(list + sentences, { ...snakeCased(report) });
}

const columns: readonly Column<RescanChange>[] = [
  ["DEPOSIT", "what", (change) => change.what],
  ["PAYMENT", "payment_id", ({ paymentId }) => paymentId ?? "nobody's"],
  ["DEPLOYMENT", "deployment_id", (change) => change.deploymentId],
  ["RAW", "amount_raw", rawText],
  ["TRANSACTION", "transaction", ({ txHash, logIndex }) => `${txHash} ${logIndex}`],
  ["BLOCK", "block_number", (change) => change.blockNumber],
];

function rawText({ amountRaw, beforeRaw }: RescanChange): string {
  return beforeRaw === undefined ? amountRaw.toString() : `${beforeRaw}, now ${amountRaw}`;
}

function measuredLines({ unmeasured, changes }: RescanReport): readonly string[] {
  const count = (what: string) => changes.filter((change) => change.what === what).length;
  const [corrected, final] = [count("corrected"), count("final")];
  const lines: string[] = [];
  if (unmeasured > 0) {
    lines.push(
      `${unmeasured} count when the nodes say what they have brought (alarm transfer_unmeasured).`,
    );
  }
  if (corrected > 0)
    lines.push(`${corrected} are corrected: measured anew, they have brought something else.`);
  if (final > 0) {
    lines.push(
      `${final} are final and stay as they are booked, though the nodes say something else now: ` +
        "see docs/running/catalog.md, tokens that keep a part.",
    );
  }
  return lines;
}
