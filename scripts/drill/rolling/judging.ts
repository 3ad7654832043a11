// What there is afterwards, against what was answered.

import { query } from "../../bench/measuring.ts";
import { ledgerFaults, orderFaults, webhookFaults } from "../../cluster/judging.ts";
import { waitUntil } from "../../cluster/parts.ts";
import type { PageOutcome } from "./pages.ts";
import type { LoadResult } from "./plan.ts";
import type { Server, Site } from "./site.ts";

interface Judged {
  readonly site: Site;
  readonly result: LoadResult;
  readonly pages: readonly PageOutcome[];
  readonly restarts: number;
}

/** One sentence for each fault. */
export async function findFaults({
  site,
  result,
  pages,
  restarts,
}: Judged): Promise<readonly string[]> {
  const { databaseUrl: url, receiver, servers } = site;
  const late = await untilDelivered(url);
  const rows = await query(url, "select merchant_order_no as number, id from payments");
  const ofPages = new Set(pages.map(({ paymentId }) => paymentId));
  const payments = rows
    .map(({ number, id }) => ({ number: String(number), id: String(id) }))
    .filter(({ id }) => !ofPages.has(id));
  return [
    ...failureFaults(result),
    ...pageFaults(pages),
    ...stopFaults(servers, restarts),
    ...orderFaults("payment", result.asked, payments),
    ...late,
    ...(await webhookFaults({ receiver, url })),
    ...(await ledgerFaults(url)),
  ];
}

const deliverSecondsMax = 180;

async function untilDelivered(url: string): Promise<readonly string[]> {
  const text = "select count(*)::integer as count from webhook_deliveries where status = 'pending'";
  const waiting = async () => Number((await query(url, text))[0]?.["count"]);
  const isDone = async () => (await waiting()) === 0;
  try {
    await waitUntil("every webhook is delivered", isDone, deliverSecondsMax);
    return [];
  } catch (error) {
    return [`${String(error)}; ${await waiting()} wait`];
  }
}

export function failureFaults({
  failures,
  failureCount,
}: Pick<LoadResult, "failures" | "failureCount">): readonly string[] {
  const others = failureCount - failures.length;
  return others > 0 ? [...failures, `${others} more requests failed`] : failures;
}

/** Each has heard of the end of its payment, and each time that its stream ended it got another one. */
export function pageFaults(pages: readonly PageOutcome[]): readonly string[] {
  return pages.flatMap(({ status, opened, failures }, index) => [
    ...failures,
    ...(status === "cancelled"
      ? []
      : [`page ${index + 1} shows "${status}" of a payment that was cancelled`]),
    ...(opened > 0 ? [] : [`page ${index + 1} never had a stream`]),
  ]);
}

/** Every process that was stopped finished what it had begun. */
export function stopFaults(
  servers: readonly Pick<Server, "name" | "log">[],
  restarts: number,
): readonly string[] {
  const lines = servers.flatMap(({ log }) => log());
  const clean = lines.filter((line) => line.includes('"msg":"stopped"')).length;
  const cut = lines.filter((line) => line.includes('"stopped with requests cut off"'));
  const missing =
    clean + cut.length < restarts ? [`${restarts} were stopped, ${clean} say so`] : [];
  return [...cut.map(() => "a server stopped with requests cut off"), ...missing];
}
