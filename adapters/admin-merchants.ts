// The operator's commands about merchants.

import type { Merchant, Merchants } from "../service/merchants.ts";
import { table } from "./admin-tables.ts";

interface Answer {
  readonly exitCode: 0;
  readonly output: string;
  readonly errors: string;
}

export async function addMerchant(merchants: Merchants, name: string): Promise<Answer> {
  return done(merchantText(await merchants.create(name)));
}

export async function listMerchants(merchants: Merchants): Promise<Answer> {
  const rows = (await merchants.list()).map((one) => {
    const { id, status, feeBps, createdAt, name } = one;
    return [id, status, String(feeBps), createdAt.toISOString(), name];
  });
  return done(table([["MERCHANT", "STATUS", "FEE BPS", "CREATED", "NAME"], ...rows]));
}

export async function setMerchantStatus(
  merchants: Merchants,
  id: string,
  status: Merchant["status"],
): Promise<Answer> {
  return done(merchantText(await merchants.setStatus(id, status)));
}

export async function setMerchantFee(
  merchants: Merchants,
  id: string,
  feeBps: number,
): Promise<Answer> {
  return done(merchantText(await merchants.setFee(id, feeBps)));
}

function done(output: string): Answer {
  return { exitCode: 0, output, errors: "" };
}

function merchantText({ id, name, status, feeBps }: Merchant): string {
  const lines = [
    ["Merchant", id],
    ["Name", name],
    ["Status", status],
    ["Fee", `${feeBps} basis points`],
  ];
  return lines.map(([title = "", value]) => `${title.padEnd(11)} ${value}\n`).join("");
}
