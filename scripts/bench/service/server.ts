// The service in its own process: says its URL, and ends with whoever started it. In between it can be
// told to look at itself with V8's profiler.

import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { startBenchService } from "./service.ts";
import type { Told } from "./running.ts";

/** Short beside a request of 200 us and more, and the profiler takes little of the time itself. */
const samplingMicroseconds = 250;

const service = await startBenchService(process.env);
if (process.argv.includes("--deliver")) service.startWork();
const session = new Session();
process.on("message", (told: Told) => void obey(told).then(() => process.send?.("done")));
process.on("disconnect", () => void service.close().then(() => process.exit()));
process.send?.({ url: service.url });

async function obey(told: Told): Promise<void> {
  if (told.do === "begin profile") {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: samplingMicroseconds });
    await session.post("Profiler.start");
    return;
  }
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  writeFileSync(told.file, JSON.stringify(profile));
}
