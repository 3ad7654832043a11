// Network addresses and CIDR ranges, IPv4 and IPv6; an IPv4 address in IPv6 form is the IPv4 one.

export interface AddressRanges {
  /** `192.0.2.0/24`, `2001:db8::/32`; undefined when the text is no range, else its one spelling */
  readonly normalise: (range: string) => string | undefined;
  /** False for a text that is no address. */
  readonly contains: (ranges: readonly string[], address: string) => boolean;
}
