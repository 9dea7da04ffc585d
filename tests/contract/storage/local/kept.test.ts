import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compileRules } from '../../../../src/domain/access/rule-check.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'
import { storagePathOf } from '../../../../src/storage/storage.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { codeOf, content, list, path, put, viewOf } from '../view.ts'

const SECRET = 'hidden text'

describe('a file that was read a moment ago', () => {
  let world: LocalWorld
  let at: (name: string) => string

  const small = async (name = '/docs/a.txt') => {
    await using file = await world.scope.open(path(name))
    return Buffer.from((await file.small()) ?? []).toString()
  }

  beforeEach(async () => {
    world = await LocalWorld.open()
    at = (name) => join(world.root, name)
    mkdirSync(at('docs'))
    writeFileSync(at('docs/a.txt'), 'first')
    writeFileSync(join(world.outside, 'a.txt'), SECRET)
    // As if the file were older than the resolution in which disks store times.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect([await small(), await small()]).toEqual(['first', 'first'])
  })

  afterEach(async () => {
    vi.useRealTimers()
    await world[Symbol.asyncDispose]()
  })

  it('is read again after it was written to, even if its time is set back', async () => {
    const then = new Date(1_700_000_000_000)
    utimesSync(at('docs/a.txt'), then, then)
    expect(await small()).toBe('first')
    writeFileSync(at('docs/a.txt'), 'later')
    utimesSync(at('docs/a.txt'), then, then)
    expect(await small()).toBe('later')
    appendFileSync(at('docs/a.txt'), ' and more')
    expect(await small()).toBe('later and more')
  })

  it('is the new file when another one took its name', async () => {
    writeFileSync(at('new.txt'), 'other')
    renameSync(at('new.txt'), at('docs/a.txt'))
    expect(await small()).toBe('other')
    await put(world.scope, '/docs/a.txt', 'ours', { replace: true, fileMode: 0o640, folderMode: 0o750 })
    expect(await small()).toBe('ours')
  })

  it.each([
    ['it', 'docs/a.txt'],
    ['its folder', 'docs'],
  ])('is not found when %s was renamed or removed', async (_, name) => {
    renameSync(at(name), at('elsewhere'))
    expect(await codeOf(small())).toBe('NOT_FOUND')
    renameSync(at('elsewhere'), at(name))
    expect(await small()).toBe('first')
    rmSync(at(name), { recursive: true })
    expect(await codeOf(small())).toBe('NOT_FOUND')
  })

  it('is refused when it, or its folder, was replaced by a link that leads outside', async () => {
    renameSync(at('docs'), at('was'))
    symlinkSync(world.outside, at('docs'))
    expect(await codeOf(small())).toBe('FORBIDDEN')
    rmSync(at('docs'))
    mkdirSync(at('docs'))
    symlinkSync(join(world.outside, 'a.txt'), at('docs/a.txt'))
    expect(await codeOf(small())).toBe('FORBIDDEN')
  })

  it('is refused when its folder was moved outside, though a link leads there', async () => {
    renameSync(at('docs'), join(world.outside, 'docs'))
    symlinkSync(join(world.outside, 'docs'), at('docs'))
    expect(await codeOf(small())).toBe('FORBIDDEN')
    expect(await codeOf(list(world.scope, '/docs'))).not.toBe('no error')
  })

  it('is described in its current state', async () => {
    const described = async () => await world.scope.stat(path('/docs/a.txt'), viewOf('/docs/a.txt'))
    expect(await described()).toMatchObject({ name: 'a.txt', size: 5, isSymlink: false, type: 'text' })
    chmodSync(at('docs/a.txt'), 0o604)
    appendFileSync(at('docs/a.txt'), ' and more')
    expect(await described()).toMatchObject({ size: 14, mode: 0o604 })
    renameSync(at('docs/a.txt'), at('docs/b.txt'))
    expect(await codeOf(described())).toBe('NOT_FOUND')
    symlinkSync('b.txt', at('docs/a.txt'))
    expect(await described()).toMatchObject({ size: 14, isSymlink: true })
    rmSync(at('docs/a.txt'))
    symlinkSync(join(world.outside, 'a.txt'), at('docs/a.txt'))
    expect(await codeOf(described())).toBe('FORBIDDEN')
  })

  it('is refused to users whom a rule denies it, and shown to others', async () => {
    const rule = { regex: false, allow: false, path: '/docs', regexp: null }
    const permits = compileRules([rule], compilePattern)
    using denied = await world.storage.openScope(storagePathOf(path('/')), 'inside', permits)
    expect(await codeOf(denied.open(path('/docs/a.txt')))).toBe('FORBIDDEN')
    expect(await codeOf(denied.stat(path('/docs/a.txt'), viewOf('/docs/a.txt')))).toBe('FORBIDDEN')
    expect(await small()).toBe('first')
  })

  it('is not found in a scope from which its folder was moved away', async () => {
    mkdirSync(at('home'))
    renameSync(at('docs'), at('home/docs'))
    const open = async () => await world.storage.openScope(storagePathOf(path('/home')), 'inside')
    using before = await open()
    expect(await content(before, '/docs/a.txt')).toBe('first')
    renameSync(at('home'), at('was'))
    mkdirSync(at('home'))
    using now = await open()
    expect(await codeOf(now.open(path('/docs/a.txt')))).toBe('NOT_FOUND')
    expect(await content(before, '/docs/a.txt')).toBe('first')
  })

  it('is closed a second later', async () => {
    const resting = openDescriptors()
    await expect.poll(openDescriptors).toBeLessThan(resting)
  })
})

it('many files that were read leave no more descriptors open than allowed', async () => {
  await using world = await LocalWorld.open('inside', { maxDescriptors: 64 })
  const names = Array.from({ length: 40 }, (_, index) => `${index}.txt`)
  for (const name of names) writeFileSync(join(world.root, name), name)
  const before = openDescriptors()
  for (const name of names) expect(await content(world.scope, `/${name}`)).toBe(name)
  expect(openDescriptors() - before).toBeLessThanOrEqual(4)
})
