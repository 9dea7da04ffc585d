import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local-storage.ts'
import { storagePathOf, type LinkPolicy } from '../../../src/storage/storage.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { archiveOf, allThatIsShown, codesOfAllOperations } from './every-door.ts'
import { LocalWorld } from './local-world.ts'
import { codeOf, content, found, namesIn, NEW, path, REPLACE, walked } from './view.ts'

const SECRET = 'signing key'

/** A served folder that contains the data folder and a key of the daemon. */
async function worldAround(links: LinkPolicy = 'inside') {
  const closed: string[] = []
  const world = await LocalWorld.open(links, { protectedPaths: () => closed }, (root) => {
    closed.push(join(root, 'home/data'), join(root, 'tls.key'))
    mkdirSync(join(root, 'home/data/uploads'), { recursive: true })
    writeFileSync(join(root, 'home/data/store.json'), SECRET)
    writeFileSync(join(root, 'home/notes.txt'), 'notes')
    writeFileSync(join(root, 'tls.key'), SECRET)
    writeFileSync(join(root, 'free.txt'), 'free')
  })
  return { world, data: join(world.root, 'home/data') }
}

function expectUntouched(data: string): void {
  expect(readdirSync(data).sort()).toEqual(['store.json', 'uploads'])
  expect(readFileSync(join(data, 'store.json'), 'utf8')).toBe(SECRET)
}

/** Root may bind folders on most machines, but not in most containers. */
const canBind = (() => {
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  if (spawnSync('mount', ['--bind', folder, folder]).status !== 0) return false
  execFileSync('umount', [folder])
  return true
})()

function bind(from: string, to: string): Disposable {
  if (statSync(from).isDirectory()) mkdirSync(to)
  else writeFileSync(to, '')
  execFileSync('mount', ['--bind', from, to])
  return { [Symbol.dispose]: () => execFileSync('umount', ['-l', to]) }
}

function expectForbidden(answers: Record<string, string>): void {
  const others = Object.entries(answers).filter(([, code]) => code !== 'FORBIDDEN')
  expect(Object.fromEntries(others)).toEqual({})
}

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

  it.runIf(canBind)('stays where it is, even if it is configured by a bind mount', async () => {
    await using folder = await tempFolder({ 'root/home/data/store.json': SECRET, 'root/free.txt': '' })
    const data = folder.at('root/home/data')
    using _bound = bind(data, folder.at('mounted'))
    await using storage = await openLocalStorage(folder.at('root'), { protectedPaths: () => [folder.at('mounted')] })
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    expect(await codeOf(scope.rename(path('/home'), path('/moved'), NEW))).toBe('FORBIDDEN')
    expect(await codeOf(scope.remove(path('/home')))).toBe('FORBIDDEN')
    expect(readFileSync(join(data, 'store.json'), 'utf8')).toBe(SECRET)
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

  it.runIf(canBind)('is refused through a bind mount that is made while the folder is served', async () => {
    const { world, data } = await worldAround()
    await using _world = world
    using _bound = bind(data, join(world.root, 'bound'))
    expectForbidden(await codesOfAllOperations(world.scope, '/bound', 'store.json', '/taken'))
    mkdirSync(join(data, 'uploads/deep'))
    writeFileSync(join(data, 'uploads/deep/part'), SECRET)
    using _part = bind(join(data, 'uploads/deep'), join(world.root, 'part of it'))
    const ofPart = async () => {
      using scope = await world.storage.openScope(storagePathOf(path('/')), 'inside')
      return await codeOf(content(scope, '/part of it/part'))
    }
    await expect.poll(ofPart).toBe('FORBIDDEN')
  })

  it('does not close a served folder that lies in it', async () => {
    const closed: string[] = []
    await using world = await LocalWorld.open('follow', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, '..'))
      writeFileSync(join(root, 'free.txt'), 'free')
      writeFileSync(join(root, '../store.json'), SECRET)
      symlinkSync('../store.json', join(root, 'up'))
    })
    expect(await content(world.scope, '/free.txt')).toBe('free')
    expect(await codeOf(content(world.scope, '/up'))).toBe('FORBIDDEN')
  })

  it.runIf(canBind)('is refused by every operation through a bind mount', async () => {
    const { world, data } = await worldAround()
    await using _world = world
    using _bound = bind(data, join(world.root, 'bound'))
    using _around = bind(join(world.root, 'home'), join(world.root, 'other'))
    for (const alias of ['/bound', '/other/data']) {
      expectForbidden(await codesOfAllOperations(world.scope, alias, 'store.json', '/taken'))
      expect(await codeOf(content(world.scope, `${alias}/uploads/none`)), alias).toBe('FORBIDDEN')
    }
    await world.scope.copy(path('/other'), path('/copied'), NEW)
    expect(readdirSync(join(world.root, 'copied'))).toEqual(['notes.txt'])
    const all = await allThatIsShown(world.scope, 'bound')
    expect(all).toContain('other/notes.txt')
    expect(all).not.toMatch(/bound|store\.json|uploads|signing key/)
    expectUntouched(data)
  })

  it.runIf(canBind)('is refused when only a part of it is bound to another folder', async () => {
    const closed: string[] = []
    const bound = new DisposableStack()
    await using world = await LocalWorld.open('inside', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, 'home/data'))
      mkdirSync(join(root, 'home/data/uploads/deep'), { recursive: true })
      writeFileSync(join(root, 'free.txt'), 'free')
      for (const folder of ['', 'uploads', 'uploads/deep'])
        writeFileSync(join(root, 'home/data', folder, 'store.json'), SECRET)
      bound.use(bind(join(root, 'home/data/uploads'), join(root, 'part of it')))
      bound.use(bind(join(root, 'home/data/store.json'), join(root, 'file.json')))
    })
    using _bound = bound
    for (const alias of ['/part of it', '/part of it/deep'])
      expectForbidden(await codesOfAllOperations(world.scope, alias, 'store.json', '/taken'))
    expect(await codeOf(content(world.scope, '/file.json'))).toBe('FORBIDDEN')
    expect(await allThatIsShown(world.scope, 'json')).not.toMatch(/part of|deep|file\.json|signing key/)
  })
})
