// A file of its own, since it cannot be loaded where there is no WebAssembly.

import { recover } from "tiny-secp256k1";

export const recoverFast = recover;
