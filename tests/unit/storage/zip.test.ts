import { chmodSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { FileToRead } from '../../../src/storage/local/worker/archive/open-entry.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { archiveInput, plannedZip, wholeZip, zipParts } from './archive-input.ts'

/** Files around two limits: what is read before a header, and the size of a part. */
const FILES = {
  'a.bin': Buffer.alloc(300_000, 'some content\n'),
  'b.txt': 'short',
  'empty/': '',
  'größe/日本 😀.txt': 'umlauts',
  'm.bin': Buffer.alloc(131_072, 'just read first'),
  'n.bin': Buffer.alloc(131_073, 'just not'),
  none: '',
}

const whole = (folder: TempFolder): Buffer => {
  using input = archiveInput(folder.path)
  return Buffer.concat([...wholeZip(input)])
}

const fingerprint = (folder: TempFolder): string => {
  using input = archiveInput(folder.path)
  return plannedZip(input).fingerprint
}

describe('a zip', () => {
  it('stores content uncompressed, as old clients expect', async () => {
    await using folder = await tempFolder({ 'a.txt': Buffer.alloc(100_000, 'a') })
    expect(whole(folder).length).toBeGreaterThan(100_000)
  })

  it.each([
    ['at its start', 0, 100],
    ['in the first file', 1000, 2000],
    ['over the end of a file with a descriptor', 299_000, 301_000],
    ['over files that are read first', 300_300, 450_000],
    ['within the content of one', 330_000, 340_000],
    ['from the middle on', 200_000, Infinity],
    ['in the directory', -300, -200],
    ['of one byte', 5, 6],
    ['in its end record', -10, Infinity],
    ['at its end', -30, Infinity],
  ])('gives a span of itself %s', async (_, from, most) => {
    await using folder = await tempFolder(FILES)
    using input = archiveInput(folder.path)
    const plan = plannedZip(input)
    const [start, end] = [from, most].map((at) => (at < 0 ? plan.size + at : Math.min(at, plan.size))) as [
      number,
      number,
    ]
    const span = Buffer.concat([...zipParts(input, plan, { start, end })])
    expect(span.equals(whole(folder).subarray(start, end))).toBe(true)
  })

  it('reads no file whose bytes a span does not need', async () => {
    await using folder = await tempFolder(FILES)
    using input = archiveInput(folder.path)
    const plan = plannedZip(input)
    const read = vi.spyOn(FileToRead.prototype, 'read')
    expect([...zipParts(input, plan, { start: plan.size - 22, end: plan.size })]).toHaveLength(1)
    expect(read).not.toHaveBeenCalled()
    const [span] = zipParts(input, plan, { start: 299_000, end: 299_100 })
    expect(span).toHaveLength(100)
    expect(read.mock.calls.map(([into, position]) => [into.length, position])).toEqual([[100, expect.any(Number)]])
  })

  it.each<[string, (folder: TempFolder) => void]>([
    ['is written to', (folder) => writeFileSync(folder.at('b.txt'), 'other')],
    ['is created', (folder) => writeFileSync(folder.at('c.txt'), '')],
    ['has another time', (folder) => utimesSync(folder.at('b.txt'), 1, 1)],
    ['has another name', (folder) => renameSync(folder.at('b.txt'), folder.at('c.txt'))],
    ['has another mode', (folder) => chmodSync(folder.at('b.txt'), 0o600)],
  ])('has another fingerprint when a file %s', async (_, change) => {
    await using folder = await tempFolder(FILES)
    const before = fingerprint(folder)
    expect(fingerprint(folder)).toBe(before)
    change(folder)
    expect(fingerprint(folder)).not.toBe(before)
  })

  it('breaks a span off when a file in it was written to since the plan', async () => {
    await using folder = await tempFolder(FILES)
    using input = archiveInput(folder.path)
    const plan = plannedZip(input)
    utimesSync(folder.at('b.txt'), 1, 1)
    const span = () => [...zipParts(input, plan, { start: 100, end: plan.size })]
    expect(span).toThrow(expect.objectContaining({ code: 'CONFLICT' }) as Error)
  })
})
