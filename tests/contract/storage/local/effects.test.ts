import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scope, TransferMode } from '../../../../src/storage/storage.ts'
import { LocalWorld } from '../local-world.ts'
import { codeOf, NEW, path, put, REPLACE } from '../view.ts'
import { Readable } from 'node:stream'

const ROUNDS = 30
const OVER: TransferMode = { replace: true, folderMode: 0o750 }

/** Entries that anybody can see. */
const shown = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('.'))

describe('of several operations on one file at the same moment', () => {
  it('one rename, trashing or removal succeeds, and the file has one name', async () => {
    await using world = await LocalWorld.open()
    const { scope, root } = world
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(join(root, 'new'), 'of this round')
      writeFileSync(join(root, 'taken'), 'another')
      const codes = await Promise.all([
        codeOf(scope.rename(path('/new'), path('/a'), OVER)),
        codeOf(scope.rename(path('/new'), path('/taken'), OVER)),
        codeOf(scope.rename(path('/new'), path('/b'), OVER)),
        codeOf(scope.trash.putAtOnce('1', path('/new'), 0)),
        codeOf(scope.remove(path('/new'))),
        codeOf(scope.removeFile(path('/new'), () => undefined)),
      ])
      expect(codes.toSorted()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'no error'])
      const kept = [...shown(root), ...(await scope.trash.list('1')).map(({ id }) => id)]
      expect(kept.length).toBeLessThanOrEqual(2)
      for (const name of shown(root)) await scope.remove(path(`/${name}`))
      for (const { id } of await scope.trash.list('1')) await scope.trash.remove('1', id)
    }
  })

  it('one restoring from the trash succeeds', async () => {
    await using world = await LocalWorld.open()
    const { scope, root } = world
    for (let round = 0; round < ROUNDS; round += 1) {
      await put(scope, '/a', 'old')
      const { id } = await scope.trash.put('1', path('/a'), 0)
      const restore = async (to: string) => await codeOf(scope.trash.restoreAtOnce('1', id, path(to), 0o750))
      const codes = await Promise.all([restore('/b'), restore('/c'), restore('/d')])
      expect(codes.toSorted()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'no error'])
      expect(shown(root)).toHaveLength(1)
      for (const name of shown(root)) await scope.remove(path(`/${name}`))
    }
  })

  it('renaming each of its two names over the other leaves one of them', async () => {
    await using world = await LocalWorld.open()
    const { scope, root } = world
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(join(root, 'a'), 'content')
      linkSync(join(root, 'a'), join(root, 'b'))
      await Promise.allSettled([scope.rename(path('/a'), path('/b'), OVER), scope.rename(path('/b'), path('/a'), OVER)])
      const left = shown(root)
      expect(left).not.toEqual([])
      expect(readFileSync(join(root, left[0] ?? ''), 'utf8')).toBe('content')
      for (const name of left) await scope.remove(path(`/${name}`))
    }
  })
})

/** Waits until the condition holds, without giving anything else a turn that is not ready yet. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

describe('if the old name of a file that is being renamed is removed by others, right before the rename would remove it,', () => {
  it('the file keeps its new name: a daemon that was frozen there must not undo what another one has ended', async () => {
    await using world = await LocalWorld.open()
    const { scope, root } = world
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(join(root, 'a'), 'content')
      const renamed = codeOf(scope.rename(path('/a'), path('/b'), { ...OVER, replace: false }))
      await until(() => existsSync(join(root, 'b')))
      rmSync(join(root, 'a'), { force: true })
      await renamed
      expect(readFileSync(join(root, 'b'), 'utf8')).toBe('content')
      rmSync(join(root, 'b'))
    }
  })
})

/** Each way to take a file away from "a". */
const TAKING: Readonly<Record<string, (scope: Scope, accept: () => void) => Promise<unknown>>> = {
  'a rename': async (scope, accept) =>
    await scope.rename(path('/a'), path('/b'), { ...OVER, replace: false }, { accept }),
  'a rename over another name of the file': async (scope, accept) =>
    await scope.rename(path('/a'), path('/link'), OVER, { accept }),
  'a removal': async (scope, accept) => await scope.remove(path('/a'), { accept }),
  'a removal of a file': async (scope, accept) => await scope.removeFile(path('/a'), accept),
}

describe.each(Object.keys(TAKING))('%s of a daemon that is frozen after it has judged', (name) => {
  it.each(['a file', 'a folder'])('leaves %s alone that others have put there meanwhile', async (kind) => {
    await using world = await LocalWorld.open()
    const { scope, root } = world
    await put(scope, '/a', 'content')
    linkSync(join(root, 'a'), join(root, 'link'))
    const putAnother = () => {
      renameSync(join(root, 'a'), join(root, 'moved'))
      if (kind === 'a folder') mkdirSync(join(root, 'a/inside'), { recursive: true })
      else writeFileSync(join(root, 'a'), 'of others')
    }
    expect(await codeOf(TAKING[name]?.(scope, putAnother) ?? Promise.resolve())).not.toBe('no error')
    expect(readdirSync(root).toSorted()).toEqual(['a', 'link', 'moved'])
    if (kind === 'a folder') expect(readdirSync(join(root, 'a'))).toEqual(['inside'])
    else expect(readFileSync(join(root, 'a'), 'utf8')).toBe('of others')
  })
})

/** Each way to change something in a folder that has "a", "folder/b" and an entry in the trash. */
const CHANGES: Readonly<Record<string, (scope: Scope, trashed: string, staged: string) => Promise<unknown>>> = {
  'a new file': async (scope) => await put(scope, '/new', 'new'),
  'a file over another one': async (scope) => await put(scope, '/a', 'new', REPLACE),
  'an upload in parts': async (scope, _, staged) =>
    await scope.staging.commit(path('/up'), staged, { ...NEW, length: 0 }),
  'a new folder': async (scope) => await scope.makeFolder(path('/new'), 0o750),
  'a rename': async (scope) => await scope.rename(path('/a'), path('/c'), OVER),
  'a rename of a folder': async (scope) => await scope.rename(path('/folder'), path('/c'), OVER),
  'a copy': async (scope) => await scope.copy(path('/a'), path('/c'), OVER),
  'a removal': async (scope) => await scope.remove(path('/a')),
  'a removal of a folder': async (scope) => await scope.remove(path('/folder')),
  'a move to the trash': async (scope) => await scope.trash.putAtOnce('1', path('/a'), 0),
  'a restoring from the trash': async (scope, id) => await scope.trash.restoreAtOnce('1', id, path('/d'), 0o750),
}

it.each(Object.keys(CHANGES))(
  '%s in a served folder that another one has replaced since it was opened is refused',
  async (name) => {
    await using world = await LocalWorld.open()
    const { scope, root, base } = world
    await put(scope, '/a', 'old')
    await put(scope, '/folder/b', 'old')
    await put(scope, '/trashed', 'old')
    const { id } = await scope.trash.put('1', path('/trashed'), 0)
    const staged = scope.staging.newName()
    await scope.staging.create(path('/up'), staged, { ...NEW, length: 0 })
    await scope.staging.append(path('/up'), staged, Readable.from([]), { offset: 0, length: 0 })
    renameSync(root, join(base, 'beneath'))
    mkdirSync(root)
    expect(await codeOf(CHANGES[name]?.(scope, id, staged) ?? Promise.resolve())).toBe('UNAVAILABLE')
    expect(shown(join(base, 'beneath')).toSorted()).toEqual(['a', 'folder'])
    expect(readFileSync(join(base, 'beneath/a'), 'utf8')).toBe('old')
    expect(readFileSync(join(base, 'beneath/folder/b'), 'utf8')).toBe('old')
    expect(readdirSync(root)).toEqual([])
  },
)
