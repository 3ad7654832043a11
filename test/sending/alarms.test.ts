// Alarms are for people: each is heard, and none drowns the others.

import { expect, test } from "vitest";
import { readSourceFiles } from "../tidy/source-files.ts";
import { buildAlarm } from "../../adapters/system/alarm.ts";
import { TestClock } from "../support/service-parts.ts";

function openAlarm() {
  const heard: unknown[] = [];
  const clock = new TestClock();
  const log = { error: (fields: object) => heard.push(fields) };
  // The one form of the logger's methods that the alarm uses.
  const alarm = buildAlarm({ clock, log: log as Parameters<typeof buildAlarm>[0]["log"] });
  return { heard, clock, alarm };
}

test("the same alarm about the same withdrawal is heard again only after ten minutes", () => {
  const { heard, clock, alarm } = openAlarm();
  const one = { withdrawal_id: "wdr_1", chain_id: "eip155:1" };
  alarm("unclear_transfer", one);
  clock.advance(599_999);
  alarm("unclear_transfer", one);
  alarm("nothing_moved", one);
  alarm("unclear_transfer", { ...one, withdrawal_id: "wdr_2" });
  expect(heard).toHaveLength(3);
  clock.advance(1);
  alarm("unclear_transfer", one);
  expect(heard.at(-1)).toEqual({ alarm: "unclear_transfer", ...one });
  expect(heard).toHaveLength(4);
});

test("what happens to one account or settlement does not drown what happens to another", () => {
  const { heard, alarm } = openAlarm();
  const chain_id = "eip155:1";
  for (const account of ["hot", "settlement", "hot"]) {
    alarm("account_used_by_others", { account, chain_id });
  }
  for (const settlement_id of ["xst_1", "xst_2", "xst_1"]) {
    alarm("x402_release_failed", { settlement_id, chain_id });
  }
  expect(heard).toHaveLength(4);
});

test("a process has one memory of what was told: whoever alarms is handed the one alarm", () => {
  const makers = Array.from(readSourceFiles("adapters/**/*.ts")).flatMap(([path, text]) =>
    Array.from(text.matchAll(/(?<!function )\bbuildAlarm\(/g), () => path),
  );
  expect(makers).toEqual(["adapters/assembly/service.ts"]);
});
