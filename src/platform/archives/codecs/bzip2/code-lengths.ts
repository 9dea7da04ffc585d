/** The format allows 20, but readers expect no more than this. */
const MAX_LENGTH = 17

/** How many bits each symbol gets, so that frequent ones need the fewest (Huffman). Those that do not occur get some too. */
export function codeLengths(frequencies: Uint32Array): Uint8Array {
  const weights = frequencies.map((frequency) => Math.max(frequency, 1))
  for (;;) {
    const lengths = unlimited(weights)
    if (Math.max(...lengths) <= MAX_LENGTH) return lengths
    // Weights that are closer together make a flatter tree.
    for (let symbol = 0; symbol < weights.length; symbol += 1) weights[symbol] = ((weights[symbol] ?? 0) >> 1) + 1
  }
}

function unlimited(weights: Uint32Array): Uint8Array {
  const leaves = weights.length
  const order = Uint16Array.from(weights.keys()).sort((one, other) => (weights[one] ?? 0) - (weights[other] ?? 0))
  const sums = new Float64Array(2 * leaves - 1)
  for (let place = 0; place < leaves; place += 1) sums[place] = weights[order[place] ?? 0] ?? 0
  const parents = new Uint16Array(2 * leaves - 1)
  // Both the leaves and the pairs are in order, so the two smallest are at their fronts.
  let leaf = 0
  let pair = leaves
  for (let made = leaves; made < sums.length; made += 1) {
    const smallest = () =>
      leaf < leaves && (pair === made || (sums[leaf] ?? 0) <= (sums[pair] ?? 0)) ? leaf++ : pair++
    for (const child of [smallest(), smallest()]) {
      parents[child] = made
      sums[made] = (sums[made] ?? 0) + (sums[child] ?? 0)
    }
  }
  const depths = new Uint8Array(sums.length)
  for (let node = sums.length - 2; node >= 0; node -= 1) depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1
  const lengths = new Uint8Array(leaves)
  for (let place = 0; place < leaves; place += 1) lengths[order[place] ?? 0] = depths[place] ?? 0
  return lengths
}
