import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RotatingFile } from '../../../../src/platform/logging/rotating-file.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'

describe('a rotating file', () => {
  it('moves a full file aside, keeps the newest files and removes the oldest', async () => {
    await using folder = await tempFolder()
    const path = join(folder.path, 'logs', 'x.log')
    using file = new RotatingFile({ path, limit: 4, files: 3, makesFolder: true })
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'x\n']) file.write(line)
    const read = async (name: string) => await readFile(join(folder.path, 'logs', name), 'utf8')
    expect(await readdir(join(folder.path, 'logs'))).toEqual(['x.log', 'x.log.1', 'x.log.2'])
    expect(await Promise.all(['x.log', 'x.log.1', 'x.log.2'].map(read))).toEqual(['x\n', 'four\n', 'three\n'])
  })

  it('is readable only by its owner', async () => {
    await using folder = await tempFolder()
    const path = join(folder.path, 'logs', 'x.log')
    using file = new RotatingFile({ path, makesFolder: true })
    file.write('a\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, 'logs'))).mode & 0o777).toBe(0o700)
  })

  it('leaves the fresh file of another process where it is', async () => {
    await using folder = await tempFolder()
    const path = join(folder.path, 'logs', 'x.log')
    using slow = new RotatingFile({ path, limit: 4, makesFolder: true })
    slow.write('a\n')
    using quick = new RotatingFile({ path, limit: 4, makesFolder: true })
    quick.write('b\n')
    slow.write('c\n')
    quick.write('d\n')
    expect(await readFile(`${path}.1`, 'utf8')).toBe('a\nb\nc\n')
    expect(await readFile(path, 'utf8')).toBe('d\n')
    expect(await readdir(join(folder.path, 'logs'))).toEqual(['x.log', 'x.log.1'])
  })

  it('begins a new line after one that a killed process has written only in part', async () => {
    await using folder = await tempFolder()
    const path = folder.at('x.log')
    await writeFile(path, 'whole\ntor')
    using file = new RotatingFile({ path })
    file.write('next\n')
    file.write('last\n')
    expect(await readFile(path, 'utf8')).toBe('whole\ntor\nnext\nlast\n')
  })

  it('begins a new file when it is reopened after a move', async () => {
    await using folder = await tempFolder()
    const path = join(folder.path, 'logs', 'x.log')
    using file = new RotatingFile({ path, makesFolder: true })
    file.write('old\n')
    await rename(path, `${path}.kept`)
    file.reopen()
    file.write('new\n')
    expect(await readFile(path, 'utf8')).toBe('new\n')
  })
})
