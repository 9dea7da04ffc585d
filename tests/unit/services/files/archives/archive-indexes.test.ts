import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ARCHIVE_LIMITS } from '../../../../../src/domain/files/archives/archives.ts'
import { parseVirtualPath, ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import type { ReadableFormat } from '../../../../../src/domain/files/archives/archive-format.ts'
import { ArchiveMemory } from '../../../../../src/platform/archives/read/archive-memory.ts'
import { ArchiveIndexes, type SeenArchive } from '../../../../../src/services/files/archives/archive-indexes.ts'
import type { OpenFile } from '../../../../../src/storage/open-file.ts'
import { tarFile } from '../../../../helpers/samples/tar-file.ts'
import { zipFile } from '../../../../helpers/samples/zip-file.ts'
import { zstdFrame } from '../../../../helpers/samples/zstd-frame.ts'
import { fileOf } from '../../../../helpers/unit/archive-of.ts'

const TAR = tarFile([{ name: 'docs/a.txt', content: 'a' }])
/** As `zip` writes it, but only the headers are there. */
const BOMB = zipFile(
  Array.from({ length: ARCHIVE_LIMITS.entries + 2 }, (_, at) => ({ name: `${at}`, stored: true })),
  true,
)

function archiveOf(
  bytes: Uint8Array,
  format: ReadableFormat,
  facts: Partial<OpenFile> = {},
): SeenArchive & Pick<ReturnType<typeof fileOf>, 'read'> {
  const file = fileOf(bytes)
  const whole = { name: 'a', inode: 1n, modified: 1n, changed: 1n, ...facts, ...file }
  return {
    file: whole as unknown as OpenFile,
    read: file.read,
    format,
    path: '/a',
    owner: 'ann',
  }
}

describe('the indexes of archives', () => {
  let memory: ArchiveMemory
  let indexes: ArchiveIndexes
  let threads = 0
  const note = () => void (threads += 1)

  beforeEach(() => {
    memory = new ArchiveMemory()
    indexes = new ArchiveIndexes(memory)
    threads = 0
    process.on('worker', note)
  })

  afterEach(async () => {
    process.off('worker', note)
    await indexes[Symbol.asyncDispose]()
  })

  it('are read in a worker thread, and kept', async () => {
    const archive = archiveOf(zstdFrame(TAR, 20), 'tarzst')
    const first = await indexes.read(archive)
    expect(first.index.find(parseVirtualPath('/docs/a.txt'))?.size).toBe(1)
    expect(threads).toBe(1)
    first[Symbol.dispose]()
    const { calls } = archive.read
    using again = await indexes.read(archive)
    expect(again.index).toBe(first.index)
    expect(archive.read.calls).toBe(calls)
  })

  it('are refused a second time without reading a byte, until the archive changes', async () => {
    const bomb = archiveOf(BOMB, 'zip')
    await expect(indexes.read(bomb)).rejects.toMatchObject({ code: 'TOO_LARGE' })
    const { bytes } = bomb.read
    expect([bytes > 0, threads]).toEqual([true, 1])
    await expect(indexes.read(bomb)).rejects.toMatchObject({ code: 'TOO_LARGE', message: /100000 entries/ })
    expect([bomb.read.bytes, threads]).toEqual([bytes, 1])
    const facts = [{ inode: 2n }, { modified: 2n }, { changed: 2n }]
    for (const each of facts) expect((await indexes.read(archiveOf(TAR, 'tar', each))).index.size).toBe(3)
  })

  it.each([
    ['damaged', 'INVALID_INPUT', Buffer.from('no zstd at all')],
    ['one that needs too much memory', 'TOO_LARGE', zstdFrame(TAR, 31)],
  ] as const)('remember the refusal of %s', async (_name, code, bytes) => {
    const archive = archiveOf(bytes, 'tarzst')
    await expect(indexes.read(archive)).rejects.toMatchObject({ code })
    const { calls } = archive.read
    await expect(indexes.read(archive)).rejects.toMatchObject({ code })
    expect(archive.read.calls).toBe(calls)
  })

  it('do not remember what may be better next time', async () => {
    const archive = archiveOf(TAR, 'tar')
    const stopped = AbortSignal.abort()
    await expect(indexes.read(archive, stopped)).rejects.toMatchObject({ code: 'CANCELLED' })
    const held = await memory.acquire(239 * 1024 * 1024, 'ann')
    await expect(indexes.read(archive)).rejects.toMatchObject({ code: 'BUSY' })
    held[Symbol.dispose]()
    using used = await indexes.read(archive)
    expect(used.index.rowsIn(ROOT)).toHaveLength(1)
  })

  it('make room for readers', async () => {
    const archive = archiveOf(TAR, 'tar')
    const used = await indexes.read(archive)
    used[Symbol.dispose]()
    const half = 160 * 1024 * 1024
    for (const lease of [await memory.acquire(half, 'ben'), await memory.acquire(half, 'eve')]) lease[Symbol.dispose]()
    const { calls } = archive.read
    using _again = await indexes.read(archive)
    expect(archive.read.calls).toBeGreaterThan(calls)
  })
})
