// A signer that kills itself at a point, given as DIE_AT. Its kill cannot be caught, so nothing of
// what it was doing is finished.

import { join } from "node:path";
import { SigningDesk } from "../../adapters/signer/desk.ts";
import { openSigner } from "../../adapters/signer/open.ts";
import { listenForIntents } from "../../adapters/signer/server.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { noonClock, policyOf } from "./desk.ts";

const folder = process.env["SIGNER_DIR"] ?? "";
const { keys, usage } = openSigner(parseSettings(process.env));
const desk = new SigningDesk({
  keys,
  policy: policyOf(),
  usage,
  clock: noonClock,
  reached: (point) => {
    if (point === process.env["DIE_AT"]) process.kill(process.pid, "SIGKILL");
  },
});
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const socketPath = join(folder, "signer.sock");
await listenForIntents({ socketPath, access: "owner", desk, log });
process.stdout.write("the signer listens\n");
