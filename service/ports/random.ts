// Randomness, handed in: good enough for keys and nonces, and repeatable in a test.

export interface Random {
  /** unpredictable bytes, new ones each time */
  readonly bytes: (count: number) => Uint8Array;
}
