// Addresses of contracts that are the same on every chain.

/** The contracts that move money by Permit2 for x402, by scheme. Nothing else is called as one. */
export const x402Proxies = {
  exact: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
  upto: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
} as const;
