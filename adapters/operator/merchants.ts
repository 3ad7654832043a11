// The operator's commands about merchants.

import type { Merchant, Merchants } from "../../service/merchants/merchants.ts";
import { table } from "./tables.ts";
import { type Command, command, place, text, wholeNumber } from "./words.ts";

export interface MerchantOperator {
  readonly merchants: Merchants;
}

const id = place("MERCHANT_ID");

const setStatus =
  (status: Merchant["status"]) =>
  async (given: { readonly id: string }, { merchants }: MerchantOperator): Promise<string> =>
    merchantText(await merchants.setStatus(given.id, status));

export const merchantCommands: readonly Command<MerchantOperator>[] = [
  command("merchant create", {
    words: { name: text("NAME") },
    run: async ({ name }, { merchants }: MerchantOperator) =>
      merchantText(await merchants.create(name)),
  }),
  command("merchant list", {
    words: {},
    run: async (_, { merchants }: MerchantOperator) => {
      const rows = (await merchants.list()).map((one) => {
        return [one.id, one.status, String(one.feeBps), one.createdAt.toISOString(), one.name];
      });
      return table([["MERCHANT", "STATUS", "FEE BPS", "CREATED", "NAME"], ...rows]);
    },
  }),
  command("merchant suspend", {
    says: "every request of its keys is refused from now on",
    words: { id },
    run: setStatus("suspended"),
  }),
  command("merchant activate", { words: { id }, run: setStatus("active") }),
  command("merchant fee", {
    says: "basis points of what payments receive, for those made from now on",
    words: { merchant: text("MERCHANT_ID"), bps: wholeNumber("NUMBER") },
    run: async ({ merchant, bps }, { merchants }: MerchantOperator) =>
      merchantText(await merchants.setFee(merchant, Number(bps))),
  }),
  command("consent grant", {
    says: "a merchant has agreed to shares of another one's live payments; it hears so",
    words: { merchant: text("MERCHANT_ID"), creator: text("MERCHANT_ID") },
    run: async ({ merchant, creator }, { merchants }: MerchantOperator) => {
      await merchants.consents.grant({ merchantId: merchant, creatorId: creator });
      return `Live payments of ${creator} may have shares of ${merchant}.\n`;
    },
  }),
  command("consent end", {
    says: "no more shares from now on; payments that exist keep theirs",
    words: { merchant: text("MERCHANT_ID"), creator: text("MERCHANT_ID") },
    run: async ({ merchant, creator }, { merchants }: MerchantOperator) => {
      await merchants.consents.end({ merchantId: merchant, creatorId: creator });
      return `New live payments of ${creator} can have no shares of ${merchant}.\n`;
    },
  }),
  command("consent list", {
    words: {},
    run: async (_, { merchants }: MerchantOperator) => {
      const rows = (await merchants.consents.list()).map((one) => {
        return [one.merchantId, one.creatorId, one.grantedAt.toISOString()];
      });
      return table([["PARTNER", "IN PAYMENTS OF", "SINCE"], ...rows]);
    },
  }),
];

function merchantText({ id, name, status, feeBps }: Merchant): string {
  const lines = [
    ["Merchant", id],
    ["Name", name],
    ["Status", status],
    ["Fee", `${feeBps} basis points`],
  ];
  return lines.map(([title = "", value]) => `${title.padEnd(11)} ${value}\n`).join("");
}
