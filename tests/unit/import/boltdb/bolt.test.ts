import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { looksLikeBolt } from '../../../../src/import/boltdb/meta-page.ts'
import { readBolt, type BoltBucket } from '../../../../src/import/boltdb/read-boltdb.ts'
import { boltFile, pageAt, sealMeta } from '../../../helpers/samples/bolt-file.ts'

const OLD = join(import.meta.dirname, '../../../fixtures/filebrowser-2.63/filebrowser.db')
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** Keys and values of the buckets, nested, as text. */
function plain(bucket: BoltBucket): Record<string, unknown> {
  const values = bucket.values.map(({ key, value }): [string, unknown] => [text(key), text(value)])
  const buckets = bucket.buckets.map(({ key, bucket: inner }): [string, unknown] => [text(key), plain(inner)])
  return Object.fromEntries([...values, ...buckets])
}

const numbered = (count: number, size = 3) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n).padStart(5, '0'), 'x'.repeat(size)]))

describe('readBolt', () => {
  it('reads a database that File Browser wrote', () => {
    const database = plain(readBolt(readFileSync(OLD)))
    expect(Object.keys(database).toSorted()).toEqual(['Link', 'User', '__storm_db', 'config'])
    expect(Object.keys(database['Link'] as object)).toContain('xjPqW6s1')
    const config = database['config'] as Record<string, string>
    expect(JSON.parse(config['settings'] ?? '')).toMatchObject({ branding: { name: 'Our Files' } })
  })

  it('reads buckets within values, on pages of their own, beneath branches and over several pages', () => {
    const content = {
      small: { values: { a: '1', b: '' } },
      many: { values: numbered(250) },
      big: { values: { one: 'y'.repeat(20_000), two: 'z' } },
      outer: { buckets: { inner: { values: { deep: 'down' } } } },
      empty: {},
    }
    const file = boltFile({ buckets: content }, { pageSize: 1024, perLeaf: 40 })
    expect(plain(readBolt(file))).toEqual({
      small: content.small.values,
      many: content.many.values,
      big: content.big.values,
      outer: { inner: { deep: 'down' } },
      empty: {},
    })
  })

  it.each([512, 4096, 16_384, 65_536])('reads pages of %i bytes', (pageSize) => {
    const file = boltFile({ buckets: { b: { values: numbered(50) } } }, { pageSize })
    expect(plain(readBolt(file))).toEqual({ b: numbered(50) })
  })

  it('reads the newer of two states, and the older one if the newer was only partly written', () => {
    const file = boltFile({ buckets: { new: {} } })
    const old = boltFile({ buckets: { old: {} } }).subarray(pageAt(3))
    const both = Buffer.concat([file, old])
    both.writeBigUInt64LE(4n, pageAt(4))
    both.writeBigUInt64LE(4n, pageAt(0) + 32)
    for (const meta of [0, 1] as const) {
      both.writeBigUInt64LE(5n, pageAt(meta) + 56)
      sealMeta(both, meta)
    }
    expect(plain(readBolt(both))).toEqual({ new: {} })
    both.writeUInt8(99, pageAt(1) + 70)
    expect(plain(readBolt(both))).toEqual({ old: {} })
  })

  it('finds the second meta page when the first is lost', () => {
    const file = boltFile({ buckets: { b: {} } }, { pageSize: 8192 })
    file.fill(0, 0, 8192)
    expect(plain(readBolt(file))).toEqual({ b: {} })
  })
})

describe('readBolt refuses', () => {
  const sound = () => boltFile({ buckets: { b: { values: numbered(100) } } }, { perLeaf: 40 })
  const spoiled = (spoil: (file: Buffer) => void) => {
    const file = sound()
    spoil(file)
    return file
  }
  /** Pages in the order of writing: leaves 3, 4, 5, their branch 6, the top 7. */
  const branch = pageAt(6)

  it.each<[string, Uint8Array, string]>([
    ['an empty file', new Uint8Array(), 'the file is empty'],
    ['a file of another kind', Buffer.from('SQLite format 3\0'.repeat(1000)), 'this is not a BoltDB file'],
    ['a short file of another kind', Buffer.from('{}'), 'this is not a BoltDB file'],
    ['a file that was cut off', sound().subarray(0, -1), 'the end of the file is missing'],
    [
      'wrong checksums',
      spoiled((file) => [0, 1].forEach((meta) => file.writeUInt8(1, pageAt(meta) + 70))),
      'neither of its meta pages is valid',
    ],
    [
      'another version of the format',
      spoiled((file) =>
        ([0, 1] as const).forEach((meta) => {
          file.writeUInt32LE(3, pageAt(meta) + 20)
          sealMeta(file, meta)
        }),
      ),
      'neither of its meta pages is valid',
    ],
    ['pages in a circle', spoiled((file) => file.writeBigUInt64LE(6n, branch + 16 + 8)), 'a page is used twice'],
    [
      'a page used by two branches',
      spoiled((file) => file.writeBigUInt64LE(4n, branch + 16 + 8)),
      'a page is used twice',
    ],
    [
      'a pointer out of the file',
      spoiled((file) => file.writeBigUInt64LE(2n ** 60n, branch + 16 + 8)),
      'a page is outside the file',
    ],
    ['a pointer to the first page', spoiled((file) => file.writeBigUInt64LE(0n, branch + 16 + 8)), 'outside'],
    ['a huge number of entries', spoiled((file) => file.writeUInt16LE(65_535, pageAt(4) + 10)), 'more entries'],
    ['a huge overflow', spoiled((file) => file.writeUInt32LE(2 ** 32 - 1, pageAt(4) + 12)), 'beyond the file'],
    ['a huge key', spoiled((file) => file.writeUInt32LE(2 ** 32 - 1, pageAt(4) + 16 + 8)), 'beyond its page'],
    ['a page of another kind', spoiled((file) => file.writeUInt16LE(16, pageAt(4) + 8)), 'an unexpected type'],
    ['keys out of order', spoiled((file) => file.write('zzzzz', pageAt(4) + 16 + 40 * 16)), 'out of order'],
    ['a page in the wrong place', spoiled((file) => file.writeBigUInt64LE(5n, pageAt(4))), 'the wrong number'],
  ])('%s', (_, file, problem) => {
    expect(() => readBolt(file)).toThrow(problem)
  })

  it('buckets that are nested too deeply', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { buckets: { b: nested(depth - 1) } })
    expect(() => readBolt(boltFile(nested(20)))).toThrow('nested too deeply')
  })

  it('entries that all refer to the same bytes, which would fill the memory', () => {
    const file = boltFile({ values: numbered(100, 30) }, { pageSize: 4096 })
    for (let index = 0; index < 100; index++) {
      const at = pageAt(3) + 16 + index * 16
      file.writeUInt32LE(file.readUInt32LE(at + 12) + 2000 - 20 * index, at + 12)
    }
    expect(() => readBolt(file)).toThrow('its entries overlap')
  })
})

describe('looksLikeBolt', () => {
  it('recognises a database by its first page', () => {
    expect(looksLikeBolt(readFileSync(OLD))).toBe(true)
    expect(looksLikeBolt(Buffer.from('{"settings":{}}'))).toBe(false)
  })
})

describe('readBolt, given a real database with damage from a seed,', () => {
  /** Small numbers that follow from the seed alone (LCG of Numerical Recipes). */
  const numbersOf = (seed: number) => {
    let state = seed
    return (limit: number) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % limit
  }

  const read = (file: Uint8Array) => {
    try {
      return plain(readBolt(file))
    } catch (error) {
      if (isFilemgrError(error, 'INVALID_INPUT')) return undefined
      throw error
    }
  }

  const sources = [
    readFileSync(OLD),
    boltFile({ buckets: { a: { values: numbered(900) }, b: {} } }, { pageSize: 512, perLeaf: 9 }),
  ]

  it('ends with data or with a refusal, whatever bytes are changed', () => {
    for (let seed = 1; seed <= 600; seed++) {
      const below = numbersOf(seed)
      const file = Buffer.from(sources[seed % 2] ?? [])
      for (let change = below(8); change >= 0; change--) file.writeUInt8(below(256), below(file.length))
      // Structure lies in the first bytes of pages: half of the changes go there.
      file.writeUInt8(below(256), below(file.length / 512) * 512 + below(80))
      read(file)
    }
  })

  it('gives the whole content or a refusal when the end is missing', () => {
    for (const source of sources) {
      const whole = read(source)
      for (let seed = 1; seed <= 100; seed++) {
        const found = read(source.subarray(0, numbersOf(seed)(source.length)))
        if (found !== undefined) expect(found).toEqual(whole)
      }
    }
  })
})
