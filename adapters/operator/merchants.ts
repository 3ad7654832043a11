// What the operator's commands say about merchants.

import type { Merchant, Merchants } from "../../service/merchants/merchants.ts";
import { table } from "./tables.ts";

export async function merchantTable(merchants: Merchants): Promise<string> {
  const rows = (await merchants.list()).map((one) => {
    const { id, status, feeBps, createdAt, name } = one;
    return [id, status, String(feeBps), createdAt.toISOString(), name];
  });
  return table([["MERCHANT", "STATUS", "FEE BPS", "CREATED", "NAME"], ...rows]);
}

export function merchantText({ id, name, status, feeBps }: Merchant): string {
  const lines = [
    ["Merchant", id],
    ["Name", name],
    ["Status", status],
    ["Fee", `${feeBps} basis points`],
  ];
  return lines.map(([title = "", value]) => `${title.padEnd(11)} ${value}\n`).join("");
}
