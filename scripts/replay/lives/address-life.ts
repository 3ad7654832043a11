// A withdraw address that nobody has the key of. No money ever goes there: it is not used, only refused.

import { randomHex } from "../requests.ts";
import { type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { offBy } from "../values.ts";
import type { DeploymentFact } from "./catalog-facts.ts";
import { differences, type Life } from "./life.ts";

const register = "registerWithdrawAddress";

/** As it was answered. */
export async function liveAddress(life: Life, { chainId }: DeploymentFact): Promise<JsonObject> {
  const address = `0x${randomHex(20)}`;
  const body = { chain_id: chainId, address, label: "contract check" };
  const made = await life.mustTwice(register, {
    what: `an address on ${chainId}`,
    change: { body },
    expected: ["201"],
    check: (heard) => {
      const now = Date.parse(textOf(heard["created_at"]));
      const off = offBy(now, Date.now());
      const { chain_id, label } = body;
      const said = textOf(heard["address"]).toLowerCase();
      const isLater = textOf(heard["activates_at"]) >= textOf(heard["created_at"]);
      return [
        ...differences(heard, { chain_id, label, destination_type: "self_hosted" }),
        ...(said === address ? [] : [`body /address: is ${said} in place of ${address}`]),
        ...(off === undefined ? [] : [`body /created_at: ${off}`]),
        ...(isLater ? [] : ["body /activates_at: is before created_at"]),
      ];
    },
  });
  await life.may(register, {
    what: "the address again",
    change: { body },
    expected: ["409 address_already_registered"],
  });
  // Of these letters, about half are upper case in the right form.
  await life.may(register, {
    what: "a wrong checksum",
    change: { body: { ...body, address: `0x${"aB".repeat(20)}` } },
    expected: ["422 invalid_address"],
  });
  await life.may(register, {
    what: "the zero address",
    change: { body: { ...body, address: `0x${"0".repeat(40)}` } },
    expected: ["422 address_not_allowed"],
  });
  return made.body;
}
