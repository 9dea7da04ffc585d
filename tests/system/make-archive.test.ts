import { execFileSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { makeTar } from '../../src/storage/local/worker/archive/make-archive.ts'
import { FileToRead } from '../../src/storage/local/worker/archive/open-entry.ts'
import { needsPrograms } from '../helpers/needs.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'
import { archiveInput, lendNew, wholeZip } from '../unit/storage/archive-input.ts'

needsPrograms('unzip')

const SIZE = 300_000
const CONTENT = Buffer.alloc(SIZE, 'some content\n')
const END_OF_ZIP = 'PK\x05\x06'

type Container = 'zip' | 'tar'

/** The archive of a folder, or the part of it before `failure`. */
async function pack(folder: string, container: Container): Promise<{ bytes: Buffer; failure: unknown }> {
  using input = archiveInput(folder)
  const parts: Uint8Array[] = []
  try {
    for (const part of container === 'zip' ? wholeZip(input) : makeTar({ ...input, ...TAR }, lendNew))
      if (part) parts.push(part)
    return { bytes: Buffer.concat(parts), failure: undefined }
  } catch (failure) {
    return { bytes: Buffer.concat(parts), failure }
  }
}

const TAR = { partSize: 64 * 1024, isSummed: false }

/** Content by name, as the tools of the system unpack it. */
async function unpacked(
  bytes: Buffer,
  container: Container,
): Promise<{ names: string[]; read: (name: string) => Buffer }> {
  const folder = await tempFolder({ packed: bytes, 'out/': '' })
  const [archive, out] = [folder.at('packed'), folder.at('out')]
  if (container === 'zip') execFileSync('unzip', ['-q', archive, '-d', out])
  else execFileSync('tar', ['-xf', archive, '-C', out])
  const names = execFileSync('find', [out, '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8' }).trim().split('\n')
  const contents = new Map(names.map((name) => [name, execFileSync('cat', [`${out}/${name}`])]))
  await folder[Symbol.asyncDispose]()
  return { names: names.sort(), read: (name) => contents.get(name) ?? Buffer.alloc(0) }
}

/** Calls `act` before the n-th read of any file. */
function beforeRead(n: number, act: () => void): void {
  const read = FileToRead.prototype.read
  let count = 0
  vi.spyOn(FileToRead.prototype, 'read').mockImplementation(function once(this: FileToRead, into, position) {
    count += 1
    if (count === n) act()
    return read.call(this, into, position)
  })
}

const filled = async (): Promise<TempFolder> => await tempFolder({ 'a.bin': CONTENT, 'b.txt': 'behind it' })

describe.each(['zip', 'tar'] as const)('a %s', (container) => {
  it('breaks off when the disk fails in the middle of a file, and does not look complete', async () => {
    await using folder = await filled()
    beforeRead(2, () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    })
    const { bytes, failure } = await pack(folder.path, container)
    expect(failure).toMatchObject({ code: 'EIO' })
    expect(bytes.includes('b.txt')).toBe(false)
    expect(bytes.includes(END_OF_ZIP, 0, 'latin1')).toBe(false)
  })

  it('holds what a file was when it was opened, though it grows meanwhile', async () => {
    await using folder = await filled()
    beforeRead(1, () => appendFileSync(folder.at('a.bin'), 'more'))
    const { names, read } = await unpacked((await pack(folder.path, container)).bytes, container)
    expect(names).toEqual(['a.bin', 'b.txt'])
    expect(read('a.bin').equals(CONTENT)).toBe(true)
  })

  it('leaves out files that are created meanwhile', async () => {
    await using folder = await filled()
    beforeRead(1, () => writeFileSync(folder.at('aa.txt'), 'late'))
    // Even a tar, which is not planned, has read the folder by then.
    expect((await unpacked((await pack(folder.path, container)).bytes, container)).names).toEqual(['a.bin', 'b.txt'])
  })
})

describe('a tar', () => {
  it('stays readable when a file becomes shorter, and says so in a file of its own', async () => {
    await using folder = await filled()
    beforeRead(1, () => truncateSync(folder.at('a.bin'), 1000))
    const { names, read } = await unpacked((await pack(folder.path, 'tar')).bytes, 'tar')
    expect(names).toEqual(['a.bin', 'b.txt', 'not in this archive.txt'])
    expect(read('not in this archive.txt').toString()).toContain(
      'a.bin: became shorter while it was read: 1000 of 300000',
    )
    expect(read('a.bin').subarray(0, 1000)).toEqual(CONTENT.subarray(0, 1000))
    expect(read('a.bin')).toHaveLength(SIZE)
    expect(read('b.txt').toString()).toBe('behind it')
  })

  it('leaves out files that are removed meanwhile', async () => {
    await using folder = await filled()
    beforeRead(1, () => rmSync(folder.at('b.txt')))
    expect((await unpacked((await pack(folder.path, 'tar')).bytes, 'tar')).names).toEqual(['a.bin'])
  })
})

describe('a zip, whose length has been promised, breaks off', () => {
  it.each<[string, (folder: TempFolder) => void]>([
    ['becomes shorter', (folder) => truncateSync(folder.at('a.bin'), 1000)],
    ['is removed', (folder) => rmSync(folder.at('b.txt'))],
    ['is replaced', (folder) => renameSync(folder.at('other'), folder.at('b.txt'))],
  ])('when a file %s', async (_, change) => {
    await using folder = await tempFolder({
      'a.bin': CONTENT,
      'b.txt': 'behind it',
      other: 'the same size'.slice(0, 9),
    })
    beforeRead(1, () => change(folder))
    const { bytes, failure } = await pack(folder.path, 'zip')
    expect(failure).toMatchObject({ code: 'CONFLICT' })
    expect(bytes.includes(END_OF_ZIP, 0, 'latin1')).toBe(false)
  })
})
