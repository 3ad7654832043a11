// QR codes by a library that only computes; how they are drawn is the business of whoever shows them.

import { encode } from "uqr";

/**
 * Rows of dark (true) and light modules, without a border. A screen has no scratches: as few and as
 * large modules as possible, and what correction fits in beside.
 */
export function encodeQr(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: "L", boostEcc: true, border: 0 }).data;
}
