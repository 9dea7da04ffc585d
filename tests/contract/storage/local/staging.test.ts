import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { WriteMode } from '../../../../src/storage/storage.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { brokenBody, codeOf, NEW, path, REPLACE } from '../view.ts'

const THREE: WriteMode = { ...NEW, length: 3 }
const OVER: WriteMode = { ...REPLACE, length: 3 }

async function begin({ scope }: LocalWorld, target: string, mode = THREE): Promise<string> {
  const staged = scope.staging.newName()
  await scope.staging.create(path(target), staged, mode)
  return staged
}

const append = async ({ scope }: LocalWorld, target: string, staged: string) =>
  await scope.staging.append(path(target), staged, Readable.from([Buffer.from('abc')]), { offset: 0, length: 3 })

const commit = async ({ scope }: LocalWorld, target: string, staged: string, mode = THREE) =>
  await scope.staging.commit(path(target), staged, mode)

describe('a file that comes in parts on the local disk', () => {
  it('CVE-2026-55668: does not create through a dangling link that was planted under its name', async () => {
    await using world = await LocalWorld.open()
    const staged = await begin(world, '/a.txt')
    await append(world, '/a.txt', staged)
    symlinkSync(join(world.outside, 'made'), join(world.root, 'a.txt'))
    expect(await codeOf(commit(world, '/a.txt', staged))).toBe('CONFLICT')
    expect(await codeOf(commit(world, '/a.txt', staged, OVER))).toBe('FORBIDDEN')
    expect(await codeOf(begin(world, '/a.txt', OVER))).toBe('FORBIDDEN')
    expect(readdirSync(world.outside)).toEqual([])
  })

  it('CVE-2026-55667: removes neither its target nor that of a link when it is discarded', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'kept.txt'), 'kept')
    symlinkSync('kept.txt', join(world.root, 'link.txt'))
    const staged = await begin(world, '/link.txt', OVER)
    await append(world, '/link.txt', staged)
    await world.scope.staging.discard(path('/link.txt'), staged)
    expect(readFileSync(join(world.root, 'kept.txt'), 'utf8')).toBe('kept')
    expect(lstatSync(join(world.root, 'link.txt')).isSymbolicLink()).toBe(true)
  })

  it('neither writes nor cuts through a link that was planted in place of its bytes', async () => {
    await using world = await LocalWorld.open()
    const secret = join(world.outside, 'secret')
    writeFileSync(secret, 'secret')
    const staged = await begin(world, '/a.txt')
    unlinkSync(join(world.root, staged))
    symlinkSync(secret, join(world.root, staged))
    expect(await codeOf(append(world, '/a.txt', staged))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.staging.cut(path('/a.txt'), staged, 0))).toBe('FORBIDDEN')
    expect(await codeOf(commit(world, '/a.txt', staged))).toBe('FORBIDDEN')
    await world.scope.staging.discard(path('/a.txt'), staged)
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('is not written outside when its folder becomes a link between two parts', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'folder'))
    const staged = await begin(world, '/folder/a.txt')
    writeFileSync(join(world.outside, staged), 'mine')
    renameSync(join(world.root, 'folder'), join(world.root, 'moved'))
    symlinkSync(world.outside, join(world.root, 'folder'))
    for (const work of [
      async () => await append(world, '/folder/a.txt', staged),
      async () => await commit(world, '/folder/a.txt', staged),
      async () => await world.scope.staging.discard(path('/folder/a.txt'), staged),
      async () => await begin(world, '/folder/b.txt'),
    ])
      expect(await codeOf(work())).toBe('FORBIDDEN')
    expect(readFileSync(join(world.outside, staged), 'utf8')).toBe('mine')
    expect(readdirSync(world.outside)).toEqual([staged])
  })

  it('keeps mode and owner of the file that it replaces', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'a.txt'), 'old', { mode: 0o604 })
    const staged = await begin(world, '/a.txt', OVER)
    await append(world, '/a.txt', staged)
    await commit(world, '/a.txt', staged, OVER)
    expect(lstatSync(join(world.root, 'a.txt')).mode & 0o777).toBe(0o604)
  })

  it('is not found after its folder was removed', async () => {
    await using world = await LocalWorld.open()
    const staged = await begin(world, '/folder/a.txt')
    rmSync(join(world.root, 'folder'), { recursive: true })
    expect(await codeOf(append(world, '/folder/a.txt', staged))).toBe('NOT_FOUND')
    expect(await codeOf(commit(world, '/folder/a.txt', staged))).toBe('NOT_FOUND')
    await world.scope.staging.discard(path('/folder/a.txt'), staged)
  })

  it('holds no descriptor while it waits for its next part', async () => {
    await using world = await LocalWorld.open()
    await begin(world, '/warm')
    const before = openDescriptors()
    for (let index = 0; index < 20; index += 1) await begin(world, `/${index}`)
    expect(openDescriptors()).toBe(before)
  })

  it('keeps bytes of a part that breaks off', async () => {
    await using world = await LocalWorld.open()
    const { staging } = world.scope
    const [name, part] = [await begin(world, '/a.txt'), { offset: 0, length: 3_000_000 }]
    const broken = brokenBody('x'.repeat(2_000_000))
    expect(await codeOf(staging.append(path('/a.txt'), name, broken, part))).toBe('CANCELLED')
    expect((await staging.state(path('/a.txt'), name)).size).toBeGreaterThan(0)
  })

  it('reserves no room on the disk by its announced length', async () => {
    await using world = await LocalWorld.open()
    const { bavail, bsize } = statfsSync(world.root)
    const mode = { ...NEW, length: Math.floor(bavail * bsize * 0.6) }
    const codes = await Promise.all(['/a', '/b', '/c'].map(async (name) => await codeOf(begin(world, name, mode))))
    expect(codes).toEqual(['no error', 'no error', 'no error'])
    expect(await codeOf(begin(world, '/d', { ...NEW, length: bavail * bsize }))).toBe('NO_SPACE')
    const [name, part] = [world.scope.staging.newName(), { offset: 0, length: 2 ** 52 }]
    await world.scope.staging.create(path('/e'), name, NEW)
    expect(await codeOf(world.scope.staging.append(path('/e'), name, Readable.from(['x']), part))).toBe('NO_SPACE')
  })
})
