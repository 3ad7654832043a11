// Who may reach the socket: the signer's own user, or its group where an operator says so.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { startSigner } from "./process.ts";

afterEach(endChildren);

const modeOf = (path: string): number => statSync(path).mode % 0o1000;

test.each([
  ["without a word", {}, { folder: 0o700, socket: 0o600 }],
  ["owner", { SIGNER_SOCKET_ACCESS: "owner" }, { folder: 0o700, socket: 0o600 }],
  ["group", { SIGNER_SOCKET_ACCESS: "group" }, { folder: 0o750, socket: 0o660 }],
] as const)("%s: the folder and the socket are open to nobody else", async (_, access, modes) => {
  const place = join(makeFolder(), "run", "signer.sock");
  const signer = await startSigner({ ...access, SIGNER_SOCKET: place });
  expect({ folder: modeOf(dirname(place)), socket: modeOf(place) }).toEqual(modes);
  signer.kill("SIGTERM");
  expect(await signer.ended).toEqual({ code: 0, signal: null });
});

test("another word is refused", () => {
  const environment = { SIGNER_DIR: makeFolder(), SIGNER_SOCKET_ACCESS: "everybody" };
  expect(() => parseSettings(environment)).toThrow(
    "SIGNER_SOCKET_ACCESS is neither owner nor group.",
  );
});
