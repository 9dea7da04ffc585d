import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { allThatIsShown, codesOfAllOperations } from '../contract/storage/every-door.ts'
import { LocalWorld } from '../contract/storage/local-world.ts'
import { expectForbidden, expectUntouched, SECRET, worldAround } from '../contract/storage/protected-world.ts'
import { codeOf, content, NEW, path } from '../contract/storage/view.ts'
import { itOnMounts } from '../helpers/on-mounts.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

function bind(from: string, to: string): Disposable {
  if (statSync(from).isDirectory()) mkdirSync(to)
  else writeFileSync(to, '')
  execFileSync('mount', ['--bind', from, to])
  return { [Symbol.dispose]: () => execFileSync('umount', ['-l', to]) }
}

describe('a protected path', () => {
  itOnMounts('stays where it is, even if it is configured by a bind mount', async () => {
    await using folder = await tempFolder({ 'root/home/data/store.json': SECRET, 'root/free.txt': '' })
    const data = folder.at('root/home/data')
    using _bound = bind(data, folder.at('mounted'))
    await using storage = await openLocalStorage(folder.at('root'), { protectedPaths: () => [folder.at('mounted')] })
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    expect(await codeOf(scope.rename(path('/home'), path('/moved'), NEW))).toBe('FORBIDDEN')
    expect(await codeOf(scope.remove(path('/home')))).toBe('FORBIDDEN')
    expect(readFileSync(join(data, 'store.json'), 'utf8')).toBe(SECRET)
  })

  itOnMounts('is refused through a bind mount that is made while the folder is served', async () => {
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

  itOnMounts('is refused by every operation through a bind mount', async () => {
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

  itOnMounts('is refused when only a part of it is bound to another folder', async () => {
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
