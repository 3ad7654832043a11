// The operating system's randomness.

import { randomBytes } from "node:crypto";
import type { Random } from "../../service/ports/random.ts";

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
