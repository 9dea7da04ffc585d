import { expect, it } from 'vitest'
import type { Resource } from '../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../src/domain/files/sorting.ts'
import { orderOf } from '../../../src/storage/local/worker/write-rows.ts'
import { Rows } from '../../../src/storage/local/worker/rows.ts'
import { sortEntries } from '../../../ui/src/files/list/sort/sort-entries.ts'

const FOLDERS = 400
const MAX_NAMES = 30

const PIECES = [
  ...['a', 'B', 'b', 'file', 'File', 'Z', 'ä', 'Ä', 'a\u0308', 'ß', 'İ', 'ı', 'Σ', 'ς', 'é', 'ﬁ', '\uffee'],
  ...['😀', '👩‍💻', '\u{10ffff}', '.', '-', '_', ' ', '(1)', '.txt', '\u0001', '~'],
  ...['0', '00', '000', '1', '01', '001', '9', '10', '010', '99', '100', '1e3'],
  ...['18446744073709551615', '18446744073709551616', '018446744073709551616', '9'.repeat(80)],
]

it('the order by name is the same in the page and in the storage, whatever the names', () => {
  const random = randomFrom(20_260_504)
  const pick = (count: number) => Math.floor(random() * count)
  for (let round = 0; round < FOLDERS; round += 1) {
    // A few pieces for each folder, so that names are alike.
    const pieces = Array.from({ length: 2 + pick(6) }, () => PIECES[pick(PIECES.length)] ?? '')
    const name = () => Array.from({ length: 1 + pick(5) }, () => pieces[pick(pieces.length)] ?? '').join('')
    const names = [...new Set(Array.from({ length: 2 + pick(MAX_NAMES) }, name))].filter((each) => each !== '')
    const entries = names.map((each) => entry(each, random() < 0.2))
    for (const asc of [false, true]) {
      const sorting: Sorting = { by: 'name', asc }
      const shuffled = entries.toSorted(() => random() - 0.5)
      expect(namesOf(sortEntries(shuffled, sorting)), `folder ${round}`).toEqual(storageOrder(entries, sorting))
    }
  }
})

function entry(name: string, isDir: boolean): Resource {
  const size = 0
  return {
    path: `/${name}`,
    name,
    size,
    extension: '',
    modified: '2026-05-04T12:00:00Z',
    mode: 420,
    isDir,
    isSymlink: false,
    type: isDir ? '' : 'text',
  }
}

function storageOrder(entries: readonly Resource[], sorting: Sorting): string[] {
  const rows = new Rows(entries.length)
  const row = (index: number) => {
    const { isDir = false, isSymlink = false } = entries[index] ?? {}
    return { mode: 420, size: 0, modified: 0n, isDir, isSymlink, type: 'text' as const }
  }
  while (rows.fill(row).next().done !== true);
  const bytes = entries.map(({ name }) => Buffer.from(name).toString('latin1'))
  return orderOf(rows, bytes, sorting).map((index) => entries[index]?.name ?? '')
}

const namesOf = (entries: readonly Resource[]) => entries.map(({ name }) => name)

/** Numbers from 0 to 1 that are the same at each run: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
