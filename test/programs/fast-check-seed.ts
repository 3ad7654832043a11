// Every test file draws its cases from the one seed that vitest.config.ts chose and printed.

import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env["SEED"]) });
