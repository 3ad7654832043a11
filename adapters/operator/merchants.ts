// The operator's commands about merchants.

import type { Merchant, Merchants } from "../../service/merchants/merchants.ts";
import {
  type Cell,
  type Column,
  fields,
  listing,
  type Made,
  made,
  result,
  type Result,
  said,
  shown,
} from "./results.ts";
import { type Command, command, place, text, wholeNumber } from "./words.ts";

export interface MerchantOperator {
  readonly merchants: Merchants;
}

const id = place("MERCHANT_ID");
const merchant = text("MERCHANT_ID");

const setStatus =
  (status: Merchant["status"]) =>
  async (given: { readonly id: string }, { merchants }: MerchantOperator): Promise<Result> =>
    merchantResult(await merchants.setStatus(given.id, status));

const merchantColumns: readonly Column<Merchant>[] = [
  ["MERCHANT", "id", (one) => one.id],
  ["STATUS", "status", (one) => one.status],
  ["FEE BPS", "fee_bps", (one) => one.feeBps],
  ["CREATED", "created_at", (one) => one.createdAt],
  ["NAME", "name", (one) => one.name],
];

export const merchantCommands: readonly Command<MerchantOperator>[] = [
  command("merchant create", {
    words: { name: text("NAME") },
    dryRun: "rehearsal",
    run: async ({ name }, { merchants }: MerchantOperator) => {
      const created = await merchants.create(name);
      return merchantResult(created, made(created.id));
    },
  }),
  command("merchant list", {
    words: {},
    run: async (_, { merchants }: MerchantOperator) =>
      result(listing("merchants", await merchants.list(), merchantColumns)),
  }),
  command("merchant suspend", {
    says: "every request of its keys is refused from now on",
    words: { id },
    dryRun: "rehearsal",
    run: setStatus("suspended"),
  }),
  command("merchant activate", { words: { id }, dryRun: "rehearsal", run: setStatus("active") }),
  command("merchant fee", {
    says: "basis points of what payments receive, for those made from now on",
    words: { merchant, bps: wholeNumber("NUMBER") },
    dryRun: "rehearsal",
    run: async ({ merchant: of, bps }, { merchants }: MerchantOperator) =>
      merchantResult(await merchants.setFee(of, Number(bps))),
  }),
  command("consent grant", {
    says: "a merchant has agreed to shares of another one's live payments; it hears so",
    words: { merchant, creator: merchant },
    dryRun: "rehearsal",
    run: async ({ merchant: of, creator }, { merchants }: MerchantOperator) => {
      await merchants.consents.grant({ merchantId: of, creatorId: creator });
      const sentence = `Live payments of ${creator} may have shares of ${of}.\n`;
      return result(said(sentence, { merchant_id: of, creator_id: creator, is_granted: true }));
    },
  }),
  command("consent end", {
    says: "no more shares from now on; payments that exist keep theirs",
    words: { merchant, creator: merchant },
    dryRun: "rehearsal",
    run: async ({ merchant: of, creator }, { merchants }: MerchantOperator) => {
      await merchants.consents.end({ merchantId: of, creatorId: creator });
      const sentence = `New live payments of ${creator} can have no shares of ${of}.\n`;
      return result(said(sentence, { merchant_id: of, creator_id: creator, is_granted: false }));
    },
  }),
  command("consent list", {
    words: {},
    run: async (_, { merchants }: MerchantOperator) =>
      result(
        listing("consents", await merchants.consents.list(), [
          ["PARTNER", "merchant_id", (one) => one.merchantId],
          ["IN PAYMENTS OF", "creator_id", (one) => one.creatorId],
          ["SINCE", "granted_at", (one) => one.grantedAt],
        ]),
      ),
  }),
];

function merchantResult(of: Merchant, shownId: Cell | Made = of.id): Result {
  const { name, status, feeBps } = of;
  return result(
    fields([
      ["Merchant", "id", shownId],
      ["Name", "name", name],
      ["Status", "status", status],
      ["Fee", "fee_bps", shown(feeBps, `${feeBps} basis points`)],
    ]),
  );
}
