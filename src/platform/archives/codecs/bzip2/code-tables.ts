import type { BitWriter } from './bit-writer.ts'
import type { FrontSymbols } from './front-symbols.ts'

/** The format allows 20, but readers expect no more than this. */
const MAX_LENGTH = 17

/** This many symbols in a row use the same table. */
const GROUP = 50
const ROUNDS = 4
/** Lengths of a table's first draft, for the symbols that it is meant for, and for the others. */
const [CHEAP, DEAR] = [0, 15]

/** Writes symbols with up to six tables of codes, and before them the tables and which group uses which. */
export function writeSymbols(writer: BitWriter, { symbols, alphabet }: FrontSymbols): void {
  let tables = firstTables(symbols, alphabet)
  const choices = new Uint8Array(Math.ceil(symbols.length / GROUP))
  // Each round fits the tables to the groups that chose them, so that the next choices are better.
  for (let round = 0; round < ROUNDS; round += 1) {
    const frequencies = tables.map(() => new Uint32Array(alphabet))
    choose(symbols, tables, choices, frequencies)
    tables = frequencies.map(codeLengths)
  }
  writer.put(3, tables.length)
  writeChoices(writer, choices, tables.length)
  for (const lengths of tables) writeTable(writer, lengths)
  writeCodes(writer, symbols, tables, choices)
}

/** Each table is meant for neighbouring symbols that occur about equally often together. */
function firstTables(symbols: Uint16Array, alphabet: number): Uint8Array[] {
  const frequencies = new Uint32Array(alphabet)
  for (const symbol of symbols) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1
  const count = [200, 600, 1200, 2400].filter((limit) => symbols.length >= limit).length + 2
  let [next, passed] = [0, 0]
  return Array.from({ length: count }, (_, table) => {
    const lengths = new Uint8Array(alphabet).fill(DEAR)
    const share = (symbols.length * (table + 1)) / count
    for (; next < alphabet && (passed < share || table === count - 1); next += 1) {
      lengths[next] = CHEAP
      passed += frequencies[next] ?? 0
    }
    return lengths
  })
}

/** For each group, the table that makes it shortest; counts what each table is chosen for. */
function choose(
  symbols: Uint16Array,
  tables: readonly Uint8Array[],
  choices: Uint8Array,
  frequencies: readonly Uint32Array[],
): void {
  // Three sums fit into one number: fifty lengths of at most 20 bits are less than 1024.
  const [low, high] = [packed(tables.slice(0, 3)), packed(tables.slice(3))]
  for (let group = 0, start = 0; start < symbols.length; group += 1, start += GROUP) {
    const end = Math.min(start + GROUP, symbols.length)
    let [lows, highs] = [0, 0]
    for (let at = start; at < end; at += 1) {
      const symbol = symbols[at] ?? 0
      lows += low[symbol] ?? 0
      highs += high[symbol] ?? 0
    }
    let [best, least] = [0, Infinity]
    for (let table = 0; table < tables.length; table += 1) {
      const bits = ((table < 3 ? lows : highs) >>> (10 * (table % 3))) & 1023
      if (bits < least) [best, least] = [table, bits]
    }
    choices[group] = best
    const counted = frequencies[best] ?? new Uint32Array()
    for (let at = start; at < end; at += 1) counted[symbols[at] ?? 0] = (counted[symbols[at] ?? 0] ?? 0) + 1
  }
}

function packed(tables: readonly Uint8Array[]): Int32Array {
  const sums = new Int32Array(258)
  for (const [index, lengths] of tables.entries())
    for (const [symbol, length] of lengths.entries()) sums[symbol] = (sums[symbol] ?? 0) | (length << (10 * index))
  return sums
}

/** As places in a list of tables, from which each chosen one moves to the front; a place is as many ones as it is far. */
function writeChoices(writer: BitWriter, choices: Uint8Array, tables: number): void {
  writer.put(15, choices.length)
  const list = Array.from({ length: tables }, (_, table) => table)
  for (const choice of choices) {
    const place = list.indexOf(choice)
    list.splice(place, 1)
    list.unshift(choice)
    writer.put(place + 1, (2 << place) - 2)
  }
}

/** Each length as the difference from the one before. */
function writeTable(writer: BitWriter, lengths: Uint8Array): void {
  let current = lengths[0] ?? 0
  writer.put(5, current)
  for (const length of lengths) {
    for (; current < length; current += 1) writer.put(2, 0b10)
    for (; current > length; current -= 1) writer.put(2, 0b11)
    writer.put(1, 0)
  }
}

function writeCodes(writer: BitWriter, symbols: Uint16Array, tables: readonly Uint8Array[], choices: Uint8Array): void {
  const codes = tables.map(codesOf)
  for (let group = 0, start = 0; start < symbols.length; group += 1, start += GROUP) {
    const choice = choices[group] ?? 0
    const [lengths, bits] = [tables[choice] ?? new Uint8Array(), codes[choice] ?? new Uint32Array()]
    const end = Math.min(start + GROUP, symbols.length)
    for (let at = start; at < end; at += 1) {
      const symbol = symbols[at] ?? 0
      writer.put(lengths[symbol] ?? 0, bits[symbol] ?? 0)
    }
  }
}

/** Codes of the same length follow each other in the order of their symbols, after all shorter ones. */
function codesOf(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length)
  const longest = Math.max(...lengths)
  for (let length = 1, code = 0; length <= longest; length += 1, code <<= 1)
    for (let symbol = 0; symbol < lengths.length; symbol += 1) if (lengths[symbol] === length) codes[symbol] = code++
  return codes
}

/** How many bits each symbol gets, so that frequent ones need the fewest (Huffman). Those that do not occur get some too. */
function codeLengths(frequencies: Uint32Array): Uint8Array {
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
