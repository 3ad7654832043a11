// Amounts in whole units of an asset and in its smallest one, computed by the digits.

/** "25.50" with 6 decimals is 25500000; undefined: it has more digits than the asset, or is no amount. */
export function rawOf(amount: string, decimals: number): bigint | undefined {
  if (!/^\d+(\.\d+)?$/.test(amount)) return undefined;
  const [whole = "", fraction = ""] = canonical(amount).split(".");
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Without zeros at the end of the fraction. */
export function canonical(amount: string): string {
  return amount.includes(".") ? amount.replace(/\.?0*$/, "") : amount;
}

/** Whether there are decimals by which the one is the other. */
export function isScaled(raw: string, amount: string): boolean {
  const fraction = canonical(amount).split(".")[1] ?? "";
  const least = String(rawOf(amount, fraction.length));
  if (least === "0") return raw === "0";
  return raw.startsWith(least) && /^0*$/.test(raw.slice(least.length));
}

export function digitsAfterPoint(amount: string): number {
  return (canonical(amount).split(".")[1] ?? "").length;
}
