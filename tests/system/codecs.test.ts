import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Decompressor } from 'snappy'
import { describe, expect, it } from 'vitest'
import { BLOCK_FORMATS, type BlockFormat } from '../../src/platform/archives/write/compress.ts'
import { createCompressBlock } from '../../src/platform/archives/codecs/compress-block.ts'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('bzip2', 'lz4', 'xz')

const compressBlock = createCompressBlock()
const NOTHING = { crc: 0, size: 0, leftOut: [] }

function packed(format: BlockFormat, content: Uint8Array): Buffer {
  const parts = [format.head]
  for (let start = 0; start < content.length; start += format.blockSize) {
    const block = content.subarray(start, start + format.blockSize)
    const room = new Uint8Array(2 * block.length + 1000)
    parts.push(...(compressBlock({ codec: format.codec, block, dictionary: undefined, room }) as Iterable<Uint8Array>))
  }
  return Buffer.concat([...parts, format.tail(NOTHING)])
}

/** Unpacks with a tool of the system, and throws what it writes to stderr. */
function unpackedBy(tool: string): (bytes: Buffer) => Buffer {
  return (input) => {
    const { status, stdout, stderr } = spawnSync(tool, ['-dc'], { input, maxBuffer: 64 * 1024 * 1024 })
    if (status !== 0) throw new Error(stderr.toString())
    return stdout
  }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer | Promise<Buffer>>> = {
  tarxz: unpackedBy('xz'),
  tarlz4: unpackedBy('lz4'),
  tarbz2: unpackedBy('bzip2'),
  tarsz: async (bytes) => {
    const decoder = new Decompressor()
    return Buffer.concat([decoder.update(bytes), await decoder.finish()])
  },
}

/** The same text in each run, with a new part in each word. */
function words(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, i) => `word ${(i * 7919) % 4001} `).join(''))
}

/** Long matches, far matches, and noise that the middle of a chunk begins with. */
function mixed(): Buffer {
  const [text, noise] = [words(30_000), randomBytes(90_000)]
  return Buffer.concat([text, noise, Buffer.alloc(70_000), text.subarray(5000), noise, text, Buffer.alloc(3, 1)])
}

/** Each string is the one before and the one before that: no byte repeats a run, and yet everything repeats. */
function fibonacci(length: number): Buffer {
  let [shorter, longer] = ['a', 'ab']
  while (longer.length < length) [shorter, longer] = [longer, longer + shorter]
  return Buffer.from(longer.slice(0, length))
}

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  'one byte': Uint8Array.of(7),
  'fewer bytes than a match has': Uint8Array.of(1, 1, 1),
  'equal bytes': Buffer.alloc(300_000, 0x61),
  'noise of one block and a byte': randomBytes(1024 * 1024 + 1),
  text: words(300_000),
  'much and little that repeats': mixed(),
  'runs of every length': Buffer.concat(Array.from({ length: 600 }, (_, i) => Buffer.alloc(i, 97 + (i % 3)))),
  'runs that need more bytes than they have': Buffer.from('aaaabbbb'.repeat(150_000)),
  'a word again and again': Buffer.from('banana'.repeat(150_000)),
  'all that sorts slowly': fibonacci(950_000),
  'every byte': Uint8Array.from({ length: 5000 }, (_, i) => i & 255),
  'pairs that repeat': Buffer.from(Uint16Array.from({ length: 200_000 }, (_, i) => (i * i) % 997).buffer),
}

describe.each(Object.keys(DECODERS))('%s', (name) => {
  const format = BLOCK_FORMATS[name as keyof typeof BLOCK_FORMATS]

  it.each(Object.keys(CONTENTS))('restores %s', async (kind) => {
    const content = CONTENTS[kind] ?? new Uint8Array()
    const bytes = packed(format, content)
    const unpacked = await DECODERS[name]?.(bytes)
    expect(unpacked?.equals(content)).toBe(true)
    // Blocks that do not shrink are stored as they are.
    expect(bytes.length).toBeLessThan(content.length * 1.011 + 120)
  })

  it('returns memory of its own if the result does not fit into the given room', () => {
    const block = CONTENTS['one byte'] ?? new Uint8Array()
    const asked = { codec: format.codec, block, dictionary: undefined }
    const [fits] = compressBlock({ ...asked, room: new Uint8Array(1000) }) as Iterable<Uint8Array>
    const [other] = compressBlock({ ...asked, room: new Uint8Array(1) }) as Iterable<Uint8Array>
    expect(other).toEqual(fits)
  })

  it('makes text smaller', () => {
    const text = CONTENTS['text'] ?? new Uint8Array()
    expect(packed(format, text).length).toBeLessThan(text.length / 2.5)
  })
})
