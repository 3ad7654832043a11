// Merchants with as many endpoints as one may have, each of which wants every event: a payment that is
// created is a delivery for each of them.

import type { BenchService } from "../service/service.ts";
import { call, make, openShops, orderBody } from "../service/shops.ts";
import type { Shop } from "../service/shops.ts";

/** As many as a merchant may have. */
export const endpointsEach = 20;
const atOnce = 24;

export interface Crowd {
  readonly shops: readonly Shop[];
  /** what stands as `shop` in the URL of each endpoint */
  readonly names: readonly string[];
}

export async function openCrowd(
  service: BenchService,
  { endpoints, receiverUrl }: { readonly endpoints: number; readonly receiverUrl: string },
): Promise<Crowd> {
  const count = Math.ceil(endpoints / endpointsEach);
  const names: string[] = [];
  // The first of each comes with its shop.
  const shops = await openShops(service, { count, webhookUrl: receiverUrl });
  const wanted = shops.flatMap((shop, number) =>
    Array.from({ length: endpointsEach }, (_, index) => ({ shop, number, index })),
  );
  for (const { number, index } of wanted) names.push(nameOf(number, index));
  await inTurns(
    wanted.filter(({ index }) => index > 0),
    async ({ shop, number, index }) => {
      const url = `${receiverUrl}?shop=${nameOf(number, index)}`;
      await make(service, shop, {
        path: "/v1/webhook-endpoints",
        body: { url, event_types: ["*"] },
      });
    },
  );
  return { shops, names };
}

function nameOf(shop: number, index: number): string {
  return index === 0 ? String(shop) : `${shop}-${index}`;
}

let orders = 0;

/** Payments of all of them in turn: each is a delivery to each of the merchant's endpoints. */
export async function createPayments(
  service: Pick<BenchService, "url">,
  shops: readonly Shop[],
  count: number,
): Promise<void> {
  const wanted = Array.from({ length: count }, (_, index) => index);
  await inTurns(wanted, (index) => createPayment(service, shops, index));
}

export async function createPayment(
  service: Pick<BenchService, "url">,
  shops: readonly Shop[],
  index: number,
): Promise<void> {
  const shop = shops[index % shops.length];
  if (shop === undefined) throw new Error("there is no shop");
  const body = orderBody(`crowd-${++orders}`);
  await call(service, shop, { method: "POST", path: "/v1/payments", body });
}

async function inTurns<Of>(all: readonly Of[], work: (one: Of) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
