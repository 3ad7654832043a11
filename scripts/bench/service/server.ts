// The service in its own process: says its URL, and ends with whoever started it.

import { startBenchService } from "./service.ts";

const service = await startBenchService(process.env);
if (process.argv.includes("--deliver")) service.startWork();
process.on("disconnect", () => void service.close().then(() => process.exit()));
process.send?.({ url: service.url });
