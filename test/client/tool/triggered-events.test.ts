// Of each event of the contract the tool says how it comes about.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { otherWays, ways } from "../../../scripts/client/tool/triggered-events.ts";
import { projectRoot } from "../../programs/child.ts";

test("it brings it about, or says how else, and knows no other one", () => {
  const text = readFileSync(join(projectRoot, "spec", "openapi.yaml"), "utf8");
  // Our own document.
  const { components } = parse(text) as {
    components: { schemas: { EventType: { "x-known-values": readonly string[] } } };
  };
  const known = components.schemas.EventType["x-known-values"].filter((name) => name !== "*");
  expect([...ways.keys(), ...otherWays.keys()].toSorted()).toEqual(known.toSorted());
});
