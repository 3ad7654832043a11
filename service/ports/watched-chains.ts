// Which chains somebody watches for this service.

export interface WatchedChains {
  /**
   * CAIP-2. What is sent to us on any other chain is seen by nobody, and nothing is sent there: no
   * payment is quoted on it, and no money is promised to leave by it.
   */
  readonly watchedChainIds: ReadonlySet<string>;
}
