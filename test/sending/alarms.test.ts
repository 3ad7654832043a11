// Alarms are for people: each is heard, and none drowns the others.

import { expect, test } from "vitest";
import { buildAlarm } from "../../adapters/system/alarm.ts";
import { TestClock } from "../support/service-parts.ts";

test("the same alarm about the same withdrawal is heard again only after ten minutes", () => {
  const heard: unknown[] = [];
  const clock = new TestClock();
  const log = { error: (fields: object) => heard.push(fields) };
  // The one form of the logger's methods that the alarm uses.
  const alarm = buildAlarm({ clock, log: log as Parameters<typeof buildAlarm>[0]["log"] });
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
