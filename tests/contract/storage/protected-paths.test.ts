import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { archiveOf, allThatIsShown, codesOfAllOperations } from './every-door.ts'
import { LocalWorld } from './local-world.ts'
import { expectForbidden, expectUntouched, SECRET, worldAround } from './protected-world.ts'
import { codeOf, content, found, namesIn, NEW, path, REPLACE, walked } from './view.ts'

describe('a protected path', () => {
  it('is refused by every operation, by its own name', async () => {
    const { world, data } = await worldAround()
    await using _world = world
    expectForbidden(await codesOfAllOperations(world.scope, '/home/data', 'store.json', '/taken'))
    expectUntouched(data)
  })

  it.each([
    ['a link', () => 'home/data'],
    ['a link to a link', () => 'home/../home/data/../data'],
    ['/proc/self/root', (root: string) => `/proc/self/root${root}/home/data`],
    ['/proc/self/cwd', (root: string) => `/proc/self/cwd${'/..'.repeat(12)}${root}/home/data`],
  ])('is refused by every operation through %s', async (_, textOf) => {
    const { world, data } = await worldAround()
    await using _world = world
    symlinkSync(textOf(world.root), join(world.root, 'innocent'))
    expectForbidden(await codesOfAllOperations(world.scope, '/innocent', 'store.json', '/taken'))
    expect(await allThatIsShown(world.scope, 'innocent')).not.toContain('innocent')
    expect(await archiveOf(world.scope, ['/innocent', '/innocent/store.json'])).not.toContain(SECRET)
    expectUntouched(data)
  })

  it('is refused through an open descriptor and through a link out of the scope', async () => {
    await using folder = await tempFolder({ 'data/store.json': SECRET, 'served/free.txt': '' })
    const data = folder.at('data')
    await using storage = await openLocalStorage('/', { protectedPaths: () => [data] })
    using everything = await storage.openScope(storagePathOf(path('/')), 'inside')
    const fd = openSync(data, 'r')
    try {
      for (const alias of [
        `/proc/self/root${data}`,
        `/proc/${process.pid}/fd/${fd}`,
        `/proc/thread-self/root${data}`,
      ]) {
        expect(await codeOf(content(everything, `${alias}/store.json`)), alias).toBe('FORBIDDEN')
        expect(await codeOf(namesIn(everything, alias)), alias).toBe('FORBIDDEN')
        expect(await codeOf(walked(everything, alias)), alias).toBe('FORBIDDEN')
      }
    } finally {
      closeSync(fd)
    }
    symlinkSync('../data', folder.at('served/out'))
    await using served = await openLocalStorage(folder.at('served'), { protectedPaths: () => [data] })
    using follows = await served.openScope(storagePathOf(path('/')), 'follow')
    expectForbidden(await codesOfAllOperations(follows, '/out', 'store.json', '/taken'))
    expect(await allThatIsShown(follows, 'out')).not.toMatch(/out|store\.json/)
  })

  it('is left out of listings, walks, searches and archives of the folders around it', async () => {
    const { world } = await worldAround()
    await using _world = world
    const all = await allThatIsShown(world.scope, 'store.json')
    expect(all).toContain('notes.txt')
    expect(all).not.toMatch(/store\.json|uploads|tls\.key|signing key/)
    expect(await found(world.scope, '/', 'data')).toEqual([])
    expect(await namesIn(world.scope, '/home')).toEqual(['notes.txt'])
    expect(await walked(world.scope, '/home')).toEqual(['/home/notes.txt'])
    await world.scope.copy(path('/home'), path('/copied'), NEW)
    expect(readdirSync(join(world.root, 'copied'))).toEqual(['notes.txt'])
  })

  it('stays closed when its file is replaced, and before it exists', async () => {
    const closed: string[] = []
    await using world = await LocalWorld.open('inside', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, 'tls.key'), join(root, 'config.json'))
      writeFileSync(join(root, 'tls.key'), 'old')
    })
    expect(await codeOf(content(world.scope, '/tls.key'))).toBe('FORBIDDEN')
    writeFileSync(join(world.root, 'fresh'), SECRET)
    renameSync(join(world.root, 'fresh'), join(world.root, 'tls.key'))
    symlinkSync('tls.key', join(world.root, 'link'))
    expect(await codeOf(content(world.scope, '/tls.key'))).toBe('FORBIDDEN')
    expect(await codeOf(content(world.scope, '/link'))).toBe('FORBIDDEN')
    expect(await allThatIsShown(world.scope, 'key')).not.toMatch(/tls\.key|signing key/)
    expect(await codeOf(world.scope.makeFolder(path('/config.json'), 0o755))).toBe('FORBIDDEN')
    writeFileSync(join(world.root, 'free.txt'), 'free')
    expect(await codeOf(world.scope.rename(path('/free.txt'), path('/config.json'), REPLACE))).toBe('FORBIDDEN')
  })

  it('closes neither its name in other folders nor anything else while its folder is missing', async () => {
    const closed: string[] = []
    await using world = await LocalWorld.open('inside', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, 'config.json'), join(root, 'missing/store.json'))
      mkdirSync(join(root, 'docs'))
    })
    const { scope } = world
    for (const name of ['config.json', 'store.json']) await scope.makeFolder(path(`/docs/${name}`), 0o755)
    expect(readdirSync(join(world.root, 'docs'))).toEqual(['config.json', 'store.json'])
    await scope.remove(path('/docs'))
    expect(readdirSync(world.root)).toEqual([])
  })

  it('stays where it is, with its parent folders, into which nothing is merged', async () => {
    const { world, data } = await worldAround()
    await using _world = world
    const { scope } = world
    mkdirSync(join(world.root, 'forged/data'), { recursive: true })
    writeFileSync(join(world.root, 'forged/data/store.json'), 'forged')
    const [around, forged, free] = [path('/home'), path('/forged'), path('/free')]
    const replacing = { replace: true, fileMode: 0o640, folderMode: 0o750 }
    expectForbidden({
      rename: await codeOf(scope.rename(around, free, NEW)),
      move: await codeOf(scope.move(around, free, NEW)),
      'trash at once': await codeOf(scope.trash.putAtOnce('1', around, 0)),
      trash: await codeOf(scope.trash.put('1', around, 0)),
      remove: await codeOf(scope.remove(around)),
      'rename onto it': await codeOf(scope.rename(forged, around, replacing)),
      'move into it': await codeOf(scope.move(forged, around, replacing)),
      'copy into it': await codeOf(scope.copy(forged, around, replacing)),
    })
    expectUntouched(data)
    expect(readdirSync(world.root).toSorted()).toEqual(['.filemgr-trash', 'forged', 'free.txt', 'home', 'tls.key'])
    expect(await scope.trash.list('1')).toEqual([])
    await scope.copy(around, forged, replacing)
    expect(readFileSync(join(world.root, 'forged/data/store.json'), 'utf8')).toBe('forged')
    expect(readdirSync(join(world.root, 'forged/data'))).toEqual(['store.json'])
    expect(readdirSync(join(world.root, 'forged')).toSorted()).toEqual(['data', 'notes.txt'])
  })

  it('is not copied when it was replaced under its name', async () => {
    const { world } = await worldAround()
    await using _world = world
    const closed = join(world.root, 'home/data')
    renameSync(closed, join(world.base, 'old'))
    mkdirSync(closed)
    writeFileSync(join(closed, 'store.json'), SECRET)
    await world.scope.copy(path('/home'), path('/copied'), NEW)
    expect(readdirSync(join(world.root, 'copied'))).toEqual(['notes.txt'])
  })

  it('does not close a served folder that lies in it', async () => {
    const closed: string[] = []
    await using world = await LocalWorld.open('follow', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, '..'))
      mkdirSync(join(root, 'docs'))
      for (const name of ['free.txt', 'docs/free.txt']) writeFileSync(join(root, name), 'free')
      writeFileSync(join(root, '../store.json'), SECRET)
      symlinkSync('../store.json', join(root, 'up'))
    })
    for (const name of ['/free.txt', '/docs/free.txt']) expect(await content(world.scope, name)).toBe('free')
    expect(await codeOf(content(world.scope, '/up'))).toBe('FORBIDDEN')
  })
})
