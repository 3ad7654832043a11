// The customers who look at checkout pages all the time, until their payment is cancelled: each must hear of it.

import { waitUntil } from "../../cluster/parts.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { asked, type Site } from "./site.ts";
import { PageStream } from "./streams.ts";

export interface PageOutcome {
  readonly paymentId: string;
  readonly status: string;
  /** streams */
  readonly opened: number;
  readonly failures: readonly string[];
}

export interface OpenPages {
  /** Cancels their payments, and waits until all have heard of it or will not. */
  readonly end: () => Promise<readonly PageOutcome[]>;
}

const hearSecondsMax = 30;

export async function openPages(site: Site, count: number): Promise<OpenPages> {
  const { customers, servers, balancer } = site;
  const url = servers[0]?.url ?? "";
  const pages = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const customer = customers[index % customers.length];
      if (customer === undefined) throw new Error("there is no customer");
      const quotes = { [usd.currencyId]: { amount: "25", chain_ids: [usd.chainId] } };
      const body = { merchant_order_no: crypto.randomUUID(), quotes, expires_in_secs: 86_400 };
      const made = await asked(customer, `${url}/v1/payments`, { method: "POST", body });
      const stream = new PageStream({
        pageUrl: String(made["checkout_url"]),
        authority: balancer.authority,
        // One may have ten streams: each customer has one of their own.
        localAddress: `127.0.2.${index + 1}`,
      });
      stream.start();
      return { customer, id: String(made["id"]), stream };
    }),
  );
  const streams = pages.map(({ stream }) => stream);
  await waitUntil("every page has its stream", () => streams.every(({ status }) => status !== ""));
  return {
    end: async () => {
      for (const { customer, id } of pages) {
        await asked(customer, `${url}/v1/payments/${id}/cancel`, { method: "POST" });
      }
      const haveHeard = () => streams.every(({ status }) => status === "cancelled");
      // Who has not heard by then is said below.
      await waitUntil("all pages hear", haveHeard, hearSecondsMax).catch(() => undefined);
      await Promise.all(streams.map((stream) => stream.stop()));
      return pages.map(({ id, stream: { status, opened, failures } }) => {
        return { paymentId: id, status, opened, failures };
      });
    },
  };
}
