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
