import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LocalWorld, openDescriptors } from './local-world.ts'
import { codeOf, content, namesIn, path, put, viewOf } from './view.ts'

describe('a scope within a scope', () => {
  it('can be a folder with everything beneath it', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/docs/sub/a.txt', 'alpha')
    using docs = await world.scope.within(path('/docs'))
    expect(await namesIn(docs, '/')).toEqual(['sub'])
    expect(await content(docs, '/sub/a.txt')).toBe('alpha')
    expect(await docs.stat(path('/'), viewOf('/'))).toMatchObject({ name: 'docs', isDir: true })
    expect(await codeOf(docs.open(path('/docs/sub/a.txt')))).toBe('NOT_FOUND')
  })

  it('can be one file, under its name and with nothing beside it', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/film.mp4', 'film')
    await put(world.scope, '/film.srt', 'words')
    using file = await world.scope.within(path('/film.mp4'))
    const facts = await file.stat(path('/'), viewOf('/'))
    expect(facts).toMatchObject({ name: 'film.mp4', extension: '.mp4', type: 'video', size: 4 })
    expect(facts).not.toHaveProperty('subtitles')
    await using opened = await file.open(path('/'))
    expect([opened.name, (await opened.small())?.toString()]).toEqual(['film.mp4', 'film'])
    for (const name of ['/film.srt', '/film.mp4', '/..']) {
      expect(await codeOf((async () => await file.open(path(name)))()), name).not.toBe('no error')
    }
  })

  it('cannot be left through a link, even if links may leave the scope around it', async () => {
    await using world = await LocalWorld.open('follow')
    await put(world.scope, '/secret.txt', 'secret')
    await put(world.scope, '/docs/own.txt', 'own')
    writeFileSync(join(world.outside, 'far.txt'), 'far')
    symlinkSync('../secret.txt', join(world.root, 'docs/near'))
    symlinkSync(join(world.outside, 'far.txt'), join(world.root, 'docs/far'))
    symlinkSync('..', join(world.root, 'docs/up'))
    symlinkSync('own.txt', join(world.root, 'docs/own'))
    using docs = await world.scope.within(path('/docs'))
    expect(await namesIn(docs, '/')).toEqual(['own', 'own.txt'])
    expect(await content(docs, '/own')).toBe('own')
    for (const name of ['/near', '/far', '/up/secret.txt']) {
      expect(await codeOf(docs.open(path(name))), name).toBe('FORBIDDEN')
    }
  })

  it('stays the same folder when a link takes its name', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/docs/a.txt', 'shared')
    writeFileSync(join(world.outside, 'a.txt'), 'secret')
    using docs = await world.scope.within(path('/docs'))
    renameSync(join(world.root, 'docs'), join(world.root, 'moved'))
    symlinkSync(world.outside, join(world.root, 'docs'))
    expect(await content(docs, '/a.txt')).toBe('shared')
    expect(await codeOf(world.scope.within(path('/docs')))).toBe('FORBIDDEN')
  })

  it('can be neither a pipe nor a missing file', async () => {
    await using world = await LocalWorld.open()
    execFileSync('mkfifo', [join(world.root, 'pipe')])
    expect(await codeOf(world.scope.within(path('/pipe')))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.within(path('/nothing')))).toBe('NOT_FOUND')
  })

  it('releases its descriptors', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/docs/a.txt', 'a')
    const visit = async () => {
      using docs = await world.scope.within(path('/docs'))
      await content(docs, '/a.txt')
    }
    await visit()
    const before = openDescriptors()
    for (let round = 0; round < 20; round += 1) await visit()
    expect(openDescriptors()).toBeLessThanOrEqual(before)
  })
})

describe('the identity of a file or folder', () => {
  it('stays through changes and moves', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'docs'))
    const before = await world.scope.identify(path('/docs'))
    writeFileSync(join(world.root, 'docs/a.txt'), 'a')
    renameSync(join(world.root, 'docs'), join(world.root, 'moved'))
    expect(await world.scope.identify(path('/moved'))).toEqual(before)
    symlinkSync('moved', join(world.root, 'link'))
    expect(await world.scope.identify(path('/link'))).toEqual(before)
  })

  it('differs for a new folder of the same name, even with the inode of the old one', async () => {
    await using world = await LocalWorld.open()
    const seen = new Set<string>()
    for (let round = 0; round < 5; round += 1) {
      mkdirSync(join(world.root, 'docs'))
      seen.add(JSON.stringify(await world.scope.identify(path('/docs'))))
      rmSync(join(world.root, 'docs'), { recursive: true })
    }
    expect(seen.size).toBe(5)
  })
})
