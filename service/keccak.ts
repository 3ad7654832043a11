// Keccak-256 as Ethereum uses it: the sponge of FIPS 202 with the padding of the original submission
// (0x01 where SHA3-256 has 0x06), so node:crypto cannot do it. Lanes are bigints: plain to read and
// fast enough for addresses and domains; whoever hashes in a hot path should bring a library.

const rateBytes = 136;
const laneMask = (1n << 64n) - 1n;

/** FIPS 202 section 3.2.5; the bits of a linear feedback shift register. */
const roundConstants: readonly bigint[] = buildRoundConstants();
/** FIPS 202 section 3.2.2: by how much the lane at index x + 5y turns. */
const rotations: readonly bigint[] = buildRotations();

export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / rateBytes) + 1) * rateBytes);
  padded.set(message);
  padded[message.length] = 0x01;
  // The two marks may fall on one byte.
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  let lanes: readonly bigint[] = Array.from({ length: 25 }, () => 0n);
  for (let start = 0; start < padded.length; start += rateBytes) {
    const absorbed = lanes.map((lane, index) =>
      index < rateBytes / 8 ? lane ^ view.getBigUint64(start + index * 8, true) : lane,
    );
    lanes = permute(absorbed);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, lane] of lanes.slice(0, 4).entries()) {
    digest.setBigUint64(index * 8, lane, true);
  }
  return new Uint8Array(digest.buffer);
}

/** Keccak-f[1600]: 24 rounds of theta, rho, pi, chi and iota. */
function permute(lanes: readonly bigint[]): readonly bigint[] {
  let state = lanes;
  const at = (x: number, y: number): bigint => state[(x % 5) + 5 * (y % 5)] ?? 0n;
  for (const roundConstant of roundConstants) {
    const columns = [0, 1, 2, 3, 4].map(
      (x) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4),
    );
    const column = (x: number): bigint => columns[x % 5] ?? 0n;
    state = state.map((lane, index) => lane ^ column(index + 4) ^ rotate(column(index + 1), 1n));
    // rho and pi: the lane that comes to (x, y) was at (x + 3y, x).
    const turned = state.map((lane, index) => rotate(lane, rotations[index] ?? 0n));
    state = turned.map((_, index) => {
      const [x, y] = [index % 5, Math.floor(index / 5)];
      return turned[((x + 3 * y) % 5) + 5 * x] ?? 0n;
    });
    state = state.map((lane, index) => {
      const [x, y] = [index % 5, Math.floor(index / 5)];
      return lane ^ (~at(x + 1, y) & laneMask & at(x + 2, y));
    });
    state = state.map((lane, index) => (index === 0 ? lane ^ roundConstant : lane));
  }
  return state;
}

function rotate(lane: bigint, bits: bigint): bigint {
  return ((lane << bits) | (lane >> (64n - bits))) & laneMask;
}

function buildRoundConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let bit = 0; bit <= 6; bit += 1) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return constant;
  });
}

function buildRotations(): readonly bigint[] {
  const turns = Array.from({ length: 25 }, () => 0n);
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step += 1) {
    turns[x + 5 * y] = BigInt((((step + 1) * (step + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return turns;
}
