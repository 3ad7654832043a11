// A process that has a local chain, for tests that kill it: prints where the chain is, and stays.

import { systemClock } from "../../adapters/system/clock.ts";
import { startLocalChain } from "../../adapters/local-chain/local-chain.ts";

const [stateFolder = ""] = process.argv.slice(2);
const { url, processId } = await startLocalChain({ clock: systemClock, stateFolder });
process.stdout.write(`${JSON.stringify({ url, processId })}\n`);
