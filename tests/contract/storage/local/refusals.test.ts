import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type Scope, storagePathOf } from '../../../../src/storage/storage.ts'
import { LocalWorld } from '../local-world.ts'
import { worldAround } from '../protected-world.ts'
import { codeOf, NEW, path, put, REPLACE } from '../view.ts'

const MODE = { replace: false, folderMode: 0o750 }
const OVER = { ...MODE, replace: true }

/** Two files and two folders with one file each. */
async function world(): Promise<LocalWorld> {
  return await LocalWorld.open('inside', {}, (root) => {
    for (const folder of ['from', 'to']) mkdirSync(join(root, folder))
    for (const name of ['a.txt', 'b.txt', 'from/c.txt', 'to/c.txt']) writeFileSync(join(root, name), `old ${name}`)
  })
}

const treeOf = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((name) => [name, statSync(name).ino, statSync(name).isFile() ? readFileSync(name, 'utf8') : ''])
    .toSorted()

const refuse = () => {
  throw new Error('refused')
}

describe('an effect that is refused at the last moment', () => {
  it.each<[string, (scope: Scope) => Promise<unknown>]>([
    ['a new file', async (scope) => await put(scope, '/new.txt', 'new', { ...NEW, accept: refuse })],
    ['another content', async (scope) => await put(scope, '/a.txt', 'new', { ...REPLACE, accept: refuse })],
    ['a new folder', async (scope) => await scope.makeFolder(path('/new'), 0o750, { accept: refuse })],
    ['a copy', async (scope) => await scope.copy(path('/a.txt'), path('/new.txt'), MODE, { accept: refuse })],
    ['a copy over a file', async (scope) => await scope.copy(path('/a.txt'), path('/b.txt'), OVER, { accept: refuse })],
    ['a copy of a folder', async (scope) => await scope.copy(path('/from'), path('/new'), MODE, { accept: refuse })],
    ['a merging copy', async (scope) => await scope.copy(path('/from'), path('/to'), OVER, { accept: refuse })],
    ['a new name', async (scope) => await scope.rename(path('/a.txt'), path('/new.txt'), MODE, { accept: refuse })],
    ['a move', async (scope) => await scope.rename(path('/from'), path('/new'), MODE, { accept: refuse })],
    [
      'a move over a file',
      async (scope) => await scope.rename(path('/a.txt'), path('/b.txt'), OVER, { accept: refuse }),
    ],
    [
      'a move over another name of the file',
      async (scope) => await scope.rename(path('/b.txt'), path('/same.txt'), OVER, { accept: refuse }),
    ],
    ['a merging move', async (scope) => await scope.move(path('/from'), path('/to'), OVER, { accept: refuse })],
    ['a removal', async (scope) => await scope.remove(path('/a.txt'), { accept: refuse })],
    ['a removal of a folder', async (scope) => await scope.remove(path('/from'), { accept: refuse })],
    ['a removal of an empty folder', async (scope) => await scope.remove(path('/empty'), { accept: refuse })],
    ['a removal of one file', async (scope) => await scope.removeFile(path('/a.txt'), refuse)],
    ['a deletion to the trash', async ({ trash }) => await trash.putAtOnce('1', path('/a.txt'), 0, { accept: refuse })],
  ])('has none: %s', async (_, effect) => {
    await using opened = await world()
    mkdirSync(join(opened.root, 'empty'))
    linkSync(join(opened.root, 'b.txt'), join(opened.root, 'same.txt'))
    const tree = treeOf(opened.root).filter(([name]) => !String(name).includes('.filemgr'))
    await expect(effect(opened.scope)).rejects.toThrow('refused')
    expect(treeOf(opened.root).filter(([name]) => !String(name).includes('.filemgr'))).toEqual(tree)
  })
})

describe('a file that may not be written', () => {
  it('is refused before its body is read', async () => {
    await using opened = await world()
    let isRead = false
    const body = new Readable({
      read() {
        isRead = true
        this.push(null)
      },
    })
    await expect(opened.scope.write(path('/a.txt'), body, { ...REPLACE, accept: refuse })).rejects.toThrow('refused')
    expect(isRead).toBe(false)
  })

  it.each([
    ['/a.txt', 'old a.txt'],
    ['/new.txt', undefined],
  ])('is refused right before it takes its place, too: %s', async (name, content) => {
    await using opened = await world()
    const names = readdirSync(opened.root)
    const given: (number | undefined)[] = []
    const accept: typeof REPLACE.accept = (current) => {
      given.push(current?.size)
      if (given.length === 2) refuse()
    }
    await expect(put(opened.scope, name, 'new', { ...REPLACE, accept })).rejects.toThrow('refused')
    expect(given).toEqual([content?.length, content?.length])
    expect(readdirSync(opened.root)).toEqual(names)
    if (content !== undefined) expect(readFileSync(join(opened.root, name), 'utf8')).toBe(content)
  })
})

it('a copy replaces no file that has shrunk since its space was promised to the copy', async () => {
  await using opened = await world()
  const admitted: unknown[] = []
  const admit = (...given: unknown[]) => {
    admitted.push(given)
    writeFileSync(join(opened.root, 'b.txt'), '')
  }
  expect(await codeOf(opened.scope.copy(path('/a.txt'), path('/b.txt'), OVER, { admit }))).toBe('CONFLICT')
  expect(admitted).toEqual([[9, 9]])
  expect(readFileSync(join(opened.root, 'b.txt'), 'utf8')).toBe('')
})

it('each entry is of one kind, and links are not followed', async () => {
  await using opened = await world()
  symlinkSync('from', join(opened.root, 'link'))
  execFileSync('mkfifo', [join(opened.root, 'pipe')])
  const names = ['/', '/a.txt', '/from', '/link', '/pipe', '/missing', '/a.txt/x']
  const kinds = await Promise.all(names.map(async (name) => await opened.scope.kindOf(path(name))))
  expect(kinds).toEqual(['folder', 'file', 'folder', 'link', 'special', undefined, undefined])
})

it('no folder of the storage itself can be served', async () => {
  await using opened = await world()
  await opened.scope.trash.put('1', path('/from'), 0)
  for (const folder of ['/.filemgr-trash', '/.filemgr-trash/1'])
    expect(await codeOf(opened.storage.openScope(storagePathOf(path(folder)), 'inside'))).toBe('NOT_FOUND')
})

describe('removing one file', () => {
  it('removes neither a folder nor a link', async () => {
    await using opened = await world()
    symlinkSync('a.txt', join(opened.root, 'link'))
    for (const name of ['/from', '/link', '/missing'])
      expect(await codeOf(opened.scope.removeFile(path(name), () => undefined))).toBe('NOT_FOUND')
    expect(lstatSync(join(opened.root, 'link')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(opened.root, 'from/c.txt'))).toBe(true)
  })

  it('removes none of the daemon', async () => {
    const { world: opened } = await worldAround()
    await using _opened = opened
    for (const name of ['/tls.key', '/home/data/store.json'])
      expect(await codeOf(opened.scope.removeFile(path(name), () => undefined))).toBe('FORBIDDEN')
    expect(existsSync(join(opened.root, 'tls.key'))).toBe(true)
  })

  it('shows the file that it is about to remove', async () => {
    await using opened = await world()
    const { size, ctimeNs } = statSync(join(opened.root, 'a.txt'), { bigint: true })
    const seen: unknown[] = []
    await opened.scope.removeFile(path('/a.txt'), (file) => void seen.push(file))
    expect(seen).toMatchObject([{ size: Number(size), changed: ctimeNs }])
    expect(existsSync(join(opened.root, 'a.txt'))).toBe(false)
  })
})

describe('a path of the daemon that does not exist yet', () => {
  it.each<[string, (scope: Scope) => Promise<unknown>]>([
    ['a folder', async (scope) => await scope.makeFolder(path('/later/data'), 0o750)],
    ['a folder in it', async (scope) => await scope.makeFolder(path('/later/data/x'), 0o750)],
    ['a file', async (scope) => await put(scope, '/later/data')],
    ['a file in it', async (scope) => await put(scope, '/later/data/store.json')],
    ['a copy', async (scope) => await scope.copy(path('/mine'), path('/later/data'), MODE)],
    ['a move', async (scope) => await scope.rename(path('/mine'), path('/later/data'), MODE)],
  ])('cannot be taken by %s', async (_, take) => {
    const closed: string[] = []
    await using opened = await LocalWorld.open('inside', { protectedPaths: () => closed }, (root) => {
      closed.push(join(root, 'later/data'))
      for (const folder of ['later', 'mine']) mkdirSync(join(root, folder))
    })
    expect(await codeOf(take(opened.scope))).toBe('FORBIDDEN')
    expect(readdirSync(join(opened.root, 'later'))).toEqual([])
  })
})

it('the name of an upload in an edited record leads to no other file', async () => {
  await using opened = await world()
  const { staging } = opened.scope
  const [target, name, mode] = [path('/new.txt'), 'a.txt', { ...NEW, length: 9 }]
  const part = { offset: 9, length: 10 }
  expect(await codeOf(staging.create(path('/x.txt'), 'x', mode))).toBe('NOT_FOUND')
  expect(await codeOf(staging.state(target, name))).toBe('NOT_FOUND')
  expect(await codeOf(staging.append(target, name, Readable.from([Buffer.from('x')]), part))).toBe('NOT_FOUND')
  expect(await codeOf(staging.cut(target, name, 0))).toBe('NOT_FOUND')
  expect(await codeOf(staging.commit(target, name, mode))).toBe('NOT_FOUND')
  expect(await codeOf(staging.discard(target, name))).toBe('NOT_FOUND')
  expect(readdirSync(opened.root)).toEqual(['a.txt', 'b.txt', 'from', 'to'])
  expect(readFileSync(join(opened.root, 'a.txt'), 'utf8')).toBe('old a.txt')
})

describe('writing over', () => {
  it('a special file is refused', async () => {
    await using opened = await world()
    execFileSync('mkfifo', [join(opened.root, 'pipe')])
    expect(await codeOf(put(opened.scope, '/pipe', 'new', REPLACE))).toBe('FORBIDDEN')
    expect(lstatSync(join(opened.root, 'pipe')).isFIFO()).toBe(true)
  })

  it('a file with another name says that the other name keeps the old content', async () => {
    await using opened = await world()
    expect(await put(opened.scope, '/b.txt', 'new', REPLACE)).not.toHaveProperty('linksParted')
    linkSync(join(opened.root, 'a.txt'), join(opened.root, 'other.txt'))
    expect(await put(opened.scope, '/a.txt', 'new', REPLACE)).toMatchObject({ linksParted: true })
    expect(readFileSync(join(opened.root, 'other.txt'), 'utf8')).toBe('old a.txt')
  })
})
