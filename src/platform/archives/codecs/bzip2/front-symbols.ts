/** Digits of the lengths of runs of zeros, in a number system with the digits 1 and 2, lowest first. */
const RUN_A = 0
const RUN_B = 1

/** What is written of a block: how recently each byte was seen, with zeros as runs, and at last the end. */
export interface FrontSymbols {
  readonly symbols: Uint16Array
  /** Number of different symbols that may occur. */
  readonly alphabet: number
  /** The bytes that occur, in order. */
  readonly used: Uint8Array
}

/** Replaces each byte by its place in a list of bytes, and moves it to the front of the list. */
export function frontSymbols(bytes: Uint8Array): FrontSymbols {
  const used = usedBytes(bytes)
  const list = used.slice()
  const end = used.length + 1
  const symbols = new Uint16Array(bytes.length + 1)
  let count = 0
  let zeros = 0
  const takeZeros = () => {
    for (; zeros > 0; zeros = (zeros - 1) >> 1) symbols[count++] = (zeros & 1) === 1 ? RUN_A : RUN_B
  }
  for (const byte of bytes) {
    let moved = list[0] ?? 0
    if (moved === byte) {
      zeros += 1
      continue
    }
    if (zeros > 0) takeZeros()
    let place = 0
    while (moved !== byte) {
      place += 1
      const next = list[place] ?? 0
      list[place] = moved
      moved = next
    }
    list[0] = byte
    symbols[count++] = place + 1
  }
  takeZeros()
  symbols[count++] = end
  return { symbols: symbols.subarray(0, count), alphabet: end + 1, used }
}

function usedBytes(bytes: Uint8Array): Uint8Array {
  const isUsed = new Uint8Array(256)
  for (const byte of bytes) isUsed[byte] = 1
  return Uint8Array.from(isUsed.keys()).filter((byte) => isUsed[byte] === 1)
}
