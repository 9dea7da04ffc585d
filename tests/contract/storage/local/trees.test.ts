import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hold, HOLD_FOLDER } from '../../../../src/storage/local/system/handle.ts'
import { Cursor } from '../../../../src/storage/local/tree/walk.ts'
import type { TransferMode, Work } from '../../../../src/storage/storage.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { codeOf, path } from '../view.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }

/** Makes a chain of folders with a file in each, whose paths may be longer than the system allows. */
function makeDeep(root: string, levels: number): void {
  const script = `for (let i = 0; i < ${levels}; i += 1) {
    fs.mkdirSync('d'); process.chdir('d'); fs.writeFileSync('f', 'x')
  }`
  execFileSync(process.execPath, ['-e', script], { cwd: root })
}

function countBelow(root: string, name: string): number {
  const found = execFileSync('find', [name, '-type', 'f'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return found.split('\n').length - 1
}

function onEachFile(act: (files: number) => void): Work {
  let files = 0
  return {
    advance: (_, more) => {
      files += more
      if (more > 0) act(files)
    },
  }
}

describe('a deep tree', () => {
  it('is copied with few descriptors', async () => {
    await using world = await LocalWorld.open()
    makeDeep(world.root, 400)
    const resting = openDescriptors()
    let most = 0
    await world.scope.copy(
      path('/d'),
      path('/copy'),
      FREE,
      onEachFile(() => (most = Math.max(most, openDescriptors()))),
    )
    expect(countBelow(world.root, 'copy')).toBe(400)
    expect(most - resting).toBeLessThanOrEqual(64)
  })

  it('is not left for another one when a folder in it is moved', async () => {
    await using world = await LocalWorld.open()
    makeDeep(world.root, 12)
    using top = await hold(world.root, HOLD_FOLDER)
    using cursor = new Cursor(top)
    for (let level = 0; level < 12; level += 1) await cursor.down('d')
    renameSync(join(world.root, 'd/d/d/d'), join(world.root, 'moved'))
    // So many parents are open.
    for (let level = 0; level < 8; level += 1) await cursor.up()
    expect(await codeOf(cursor.up())).toBe('CONFLICT')
  })

  it('is removed even if its paths are longer than the system allows', async () => {
    await using world = await LocalWorld.open()
    // A path has at most 4096 bytes, two for each of these.
    makeDeep(world.root, 2200)
    await world.scope.remove(path('/d'))
    expect(readdirSync(world.root)).toEqual([])
  })

  it('is measured to its end, so that nobody can hide files from a quota', async () => {
    await using world = await LocalWorld.open()
    makeDeep(world.root, 3000)
    expect(await world.scope.measure(path('/'))).toEqual({ bytes: 3000, files: 6000 })
  })

  it('keeps the names of the remaining files when its removal is cancelled', async () => {
    await using world = await LocalWorld.open()
    makeDeep(world.root, 300)
    const abort = new AbortController()
    let removed = 0
    const work = onEachFile((files) => {
      removed = files
      if (files === 100) abort.abort()
    })
    expect(await codeOf(world.scope.remove(path('/d'), { ...work, signal: abort.signal }))).toBe('CANCELLED')
    expect(readdirSync(world.root)).toEqual(['d'])
    expect(countBelow(world.root, 'd')).toBe(300 - removed)
    expect(execFileSync('find', ['d', '-name', '.*'], { cwd: world.root, encoding: 'utf8' })).toBe('')
    await world.scope.remove(path('/d'))
  })
})

describe('a file that the disk protects', () => {
  const isRoot = process.getuid?.() === 0
  const protect = (file: string, folder: string) =>
    isRoot ? execFileSync('chattr', ['+i', file]) : chmodSync(folder, 0o500)
  const release = (file: string, folder: string) =>
    isRoot ? execFileSync('chattr', ['-i', file]) : chmodSync(folder, 0o700)

  it.each(['/folder', '/folder/file'])('makes the removal of %s fail as forbidden', async (name) => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'folder'))
    const file = join(world.root, 'folder/file')
    writeFileSync(file, 'x')
    protect(file, join(world.root, 'folder'))
    const code = await codeOf(world.scope.remove(path(name)))
    release(file, join(world.root, 'folder'))
    expect(code).toBe('FORBIDDEN')
    expect(readFileSync(file, 'utf8')).toBe('x')
  })
})

describe('a folder in use', () => {
  it('is copied without the files that vanish meanwhile', async () => {
    await using world = await LocalWorld.open()
    for (const folder of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(world.root, 'from', folder), { recursive: true })
      for (let file = 0; file < 20; file += 1) writeFileSync(join(world.root, 'from', folder, String(file)), 'x')
    }
    const vanish = (files: number) => {
      if (files !== 5) return
      for (const folder of ['a', 'b', 'c', 'd'])
        for (let file = 0; file < 20; file += 2) rmSync(join(world.root, 'from', folder, String(file)))
      for (const folder of ['a', 'd']) rmSync(join(world.root, 'from', folder), { recursive: true })
    }
    await world.scope.copy(path('/from'), path('/to'), FREE, onEachFile(vanish))
    for (const folder of ['b', 'c'])
      expect(readdirSync(join(world.root, 'to', folder))).toEqual(
        expect.arrayContaining(readdirSync(join(world.root, 'from', folder))),
      )
  })
})

describe('a copy', () => {
  it('is synced to the disk, with each file and folder, before it counts as done', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'from/sub'), { recursive: true })
    for (const name of ['a', 'b', 'sub/c', 'sub/d']) writeFileSync(join(world.root, 'from', name), 'x')
    const script = fileURLToPath(new URL('../../../stress/storage/mover.ts', import.meta.url))
    const trace = join(world.base, 'trace.json')
    const flags = ['--trace-event-categories', 'node.fs.async', '--trace-event-file-pattern', trace]
    execFileSync(process.execPath, [...flags, script, world.root, world.outside, 'copy', '/from', '/to'])
    const calls = readFileSync(trace, 'utf8')
    const count = (call: string) => calls.split(`"name":"${call}"`).length - 1
    // Each event begins and ends.
    expect(count('fdatasync') / 2).toBe(4)
    expect(count('fsync') / 2).toBeGreaterThanOrEqual(3)
    expect(existsSync(join(world.root, 'to/sub/d'))).toBe(true)
  })
})
