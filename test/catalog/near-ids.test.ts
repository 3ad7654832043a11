import { expect, test } from "vitest";
import { nearIds } from "../../service/catalog/near-ids.ts";

const ids = ["cur_usdc", "cur_usdt", "cur_eth", "cur_pol", "cur_eurc"];

test.each<[string, readonly string[]]>([
  ["usdc", ["cur_usdc", "cur_usdt"]],
  ["CUR_USDC", ["cur_usdc", "cur_usdt"]],
  ["cur_udsc", ["cur_usdc"]],
  ["ETH", ["cur_eth"]],
  ["cur_bitcoin", []],
  ["", []],
  ["u".repeat(100_000), []],
])("near %s are %j", (wanted, near) => {
  expect(nearIds(wanted, ids)).toEqual(near);
});
