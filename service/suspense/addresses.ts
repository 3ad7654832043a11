// Where money may be sent back to.

import { ServiceError } from "../errors.ts";
import { OperatorError } from "../operator-error.ts";
import type { ChainFamily } from "../database/words.ts";
import type { Database } from "../ports/database.ts";
import { isSink, normalAddress } from "../withdrawals/address-rules.ts";
import { readIsNotPayable } from "./exits.sql.ts";

/** In the normal form of its family. Throws `OperatorError`: what nobody may withdraw to is refused. */
export async function refundAddress(
  inside: Database,
  text: string,
  chainFamily: ChainFamily,
): Promise<string> {
  const address = checkedForm(text.trim(), chainFamily);
  const [row] = await inside.run(readIsNotPayable, { address, chainFamily });
  if (!isSink(address) && row?.is_not_payable === false) return address;
  throw new OperatorError(
    `${address} is an account of ours, a token, or nobody's: nothing is sent there.`,
  );
}

function checkedForm(text: string, chainFamily: ChainFamily): string {
  try {
    return normalAddress(text, chainFamily);
  } catch (error) {
    if (error instanceof ServiceError) throw new OperatorError(error.message);
    throw error;
  }
}
