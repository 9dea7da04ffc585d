import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TransferMode } from '../../../../src/storage/storage.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { codeOf, content, path, put, walked } from '../view.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }

describe('copies on the local disk', () => {
  it('keep modes of files and folders, and get the time of the copying', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'from'))
    writeFileSync(join(world.root, 'from/script'), 'x')
    chmodSync(join(world.root, 'from/script'), 0o755)
    utimesSync(join(world.root, 'from/script'), 1000, 2000)
    chmodSync(join(world.root, 'from'), 0o700)
    utimesSync(join(world.root, 'from'), 3000, 4000)
    await world.scope.copy(path('/from'), path('/made/to'), FREE)
    expect(statSync(join(world.root, 'made/to/script'))).toMatchObject({ mode: 0o100755 })
    expect(statSync(join(world.root, 'made/to'))).toMatchObject({ mode: 0o40700 })
    for (const made of ['made/to/script', 'made/to'])
      expect(statSync(join(world.root, made)).mtimeMs).toBeGreaterThan(1_000_000_000_000)
  })

  it('keep the holes of a sparse file', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'sparse'), 'start')
    truncateSync(join(world.root, 'sparse'), 50_000_000)
    await world.scope.copy(path('/sparse'), path('/copy'), FREE)
    const copied = statSync(join(world.root, 'copy'))
    expect(copied.size).toBe(50_000_000)
    expect(copied.blocks * 512).toBeLessThan(5_000_000)
    expect(readFileSync(join(world.root, 'copy')).equals(readFileSync(join(world.root, 'sparse')))).toBe(true)
  })

  it('contain links that lead inside, and leave out other links and special files', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'from'))
    writeFileSync(join(world.root, 'file'), 'x')
    const texts = { inside: '../file', nothing: 'nowhere', circle: 'circle', out: '../../outside', far: '/etc/passwd' }
    for (const [name, text] of Object.entries(texts)) symlinkSync(text, join(world.root, 'from', name))
    execFileSync('mkfifo', [join(world.root, 'from/pipe')])
    const leftOut: string[] = []
    await world.scope.copy(path('/from'), path('/to'), FREE, { leftOut: (name) => leftOut.push(name) })
    expect(readdirSync(join(world.root, 'to')).toSorted()).toEqual(['inside', 'nothing'])
    expect(readlinkSync(join(world.root, 'to/inside'))).toBe('../file')
    expect(leftOut.toSorted()).toEqual(['circle', 'far', 'out', 'pipe'])
  })

  it('follow a link that is itself the source', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'file'), 'x')
    symlinkSync('file', join(world.root, 'link'))
    await world.scope.copy(path('/link'), path('/copy'), FREE)
    expect(lstatSync(join(world.root, 'copy')).isFile()).toBe(true)
    execFileSync('mkfifo', [join(world.root, 'pipe')])
    expect(await codeOf(world.scope.copy(path('/pipe'), path('/x'), FREE))).toBe('FORBIDDEN')
  })

  it('do not recurse through a link to the folder itself', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/from/sub/file', 'x')
    symlinkSync('from/sub', join(world.root, 'link'))
    expect(await codeOf(world.scope.copy(path('/from'), path('/link/to'), FREE))).toBe('INVALID_INPUT')
    expect(await codeOf(world.scope.copy(path('/from'), path('/link/new/to'), FREE))).toBe('INVALID_INPUT')
    expect(await codeOf(world.scope.copy(path('/from'), path('/link'), OVER))).toBe('INVALID_INPUT')
    expect(await walked(world.scope, '/from')).toEqual(['/from/sub', '/from/sub/file'])
  })

  it('are not begun where the disk has no room for them, nor do they succeed in a folder that is gone', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/file', 'x')
    mkdirSync(join(world.root, 'to'))
    const huge = world.scope.copy(path('/file'), path('/to/copy'), { ...FREE, length: 2 ** 52 })
    expect(await codeOf(huge)).toBe('NO_SPACE')
    const work = { admit: () => rmSync(join(world.root, 'to'), { recursive: true }) }
    expect(await codeOf(world.scope.copy(path('/file'), path('/to/copy'), FREE, work))).toBe('CONFLICT')
    expect(readdirSync(world.root)).toEqual(['file'])
  })

  it('leave out files of the storage', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/from/file', 'x')
    writeFileSync(join(world.root, 'from/.Zx3_-9aBcDeF.fm-tmp'), 'half')
    await world.scope.copy(path('/from'), path('/to'), FREE)
    expect(readdirSync(join(world.root, 'to'))).toEqual(['file'])
  })

  it('keep names that are no UTF-8', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'from'))
    const name = Buffer.from([0x61, 0xff, 0x62])
    writeFileSync(Buffer.concat([Buffer.from(`${world.root}/from/`), name]), 'x')
    await world.scope.copy(path('/from'), path('/to'), FREE)
    expect(readdirSync(join(world.root, 'to'), { encoding: 'buffer' })).toEqual([name])
  })
})

const LEAVING = ['/out', '/out/secret']

describe('links that lead out', () => {
  it.each(LEAVING)('can be neither copied, moved nor removed: %s', async (name) => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.outside, 'secret'), 'secret')
    symlinkSync(world.outside, join(world.root, 'out'))
    writeFileSync(join(world.root, 'file'), 'x')
    const { scope } = world
    expect(await codeOf(scope.copy(path(name), path('/to'), FREE))).toBe('FORBIDDEN')
    expect(await codeOf(scope.rename(path(name), path('/to'), FREE))).toBe('FORBIDDEN')
    expect(await codeOf(scope.move(path(name), path('/to'), FREE))).toBe('FORBIDDEN')
    expect(await codeOf(scope.remove(path(name)))).toBe('FORBIDDEN')
    expect(await codeOf(scope.trash.put('1', path(name), 0))).toBe('FORBIDDEN')
    for (const target of [name, `${name}/new`]) {
      expect(await codeOf(scope.copy(path('/file'), path(target), OVER))).toMatch(/^FORBIDDEN$|^INVALID_INPUT$/)
      expect(await codeOf(scope.rename(path('/file'), path(target), OVER))).toMatch(/^FORBIDDEN$|^INVALID_INPUT$/)
    }
    expect(readdirSync(world.outside)).toEqual(['secret'])
    expect(readdirSync(world.root).toSorted()).toEqual(['file', 'out'])
  })

  it('can be neither moved nor removed if they lead below a file', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.outside, 'secret'), 'secret')
    symlinkSync(join(world.outside, 'secret/x'), join(world.root, 'out'))
    const { scope } = world
    expect(await codeOf(scope.rename(path('/out'), path('/to'), FREE))).toBe('FORBIDDEN')
    expect(await codeOf(scope.remove(path('/out')))).toBe('FORBIDDEN')
    expect(await codeOf(scope.trash.put('1', path('/out'), 0))).toBe('FORBIDDEN')
    expect(readdirSync(world.root)).toEqual(['out'])
  })

  it('are removed with their folder, and their targets stay', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.outside, 'secret'), 'secret')
    mkdirSync(join(world.root, 'folder'))
    symlinkSync(world.outside, join(world.root, 'folder/out'))
    await world.scope.remove(path('/folder'))
    expect(readdirSync(world.root)).toEqual([])
    expect(readFileSync(join(world.outside, 'secret'), 'utf8')).toBe('secret')
  })
})

describe('links', () => {
  it('are moved and removed themselves, also broken ones and loops', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'file'), 'x')
    for (const [name, text] of Object.entries({
      link: 'file',
      nothing: 'nowhere',
      below: 'file/x',
      circle: 'circle',
    })) {
      symlinkSync(text, join(world.root, name))
      await world.scope.rename(path(`/${name}`), path(`/moved-${name}`), FREE)
      expect(readlinkSync(join(world.root, `moved-${name}`))).toBe(text)
      await world.scope.remove(path(`/moved-${name}`))
    }
    expect(readdirSync(world.root)).toEqual(['file'])
  })

  it('that are hard links of one file leave one name when one is renamed to the other', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'a'), 'x')
    linkSync(join(world.root, 'a'), join(world.root, 'b'))
    expect(await world.scope.isSame(path('/a'), path('/b'))).toBe(false)
    expect(await codeOf(world.scope.rename(path('/a'), path('/b'), FREE))).toBe('CONFLICT')
    expect(readdirSync(world.root)).toEqual(['a', 'b'])
    expect(await world.scope.rename(path('/a'), path('/b'), OVER)).toBe(true)
    expect(readdirSync(world.root)).toEqual(['b'])
    expect(await content(world.scope, '/b')).toBe('x')
  })
})

describe('the trash on a disk', () => {
  it.each([
    ['a file', (folder: string) => writeFileSync(join(folder, 'notes.txt'), 'x')],
    ['a link', (folder: string) => symlinkSync('/etc', join(folder, 'link'))],
    ['an empty folder', (folder: string) => mkdirSync(join(folder, 'empty'))],
    [
      'a folder in place of a record',
      (folder: string) => mkdirSync(join(folder, 'odd/record.json'), { recursive: true }),
    ],
    ['a record of an invalid path', (folder: string) => writeRecordOf(join(folder, 'odd'), '/../x')],
  ])('ignores %s that another program put there', async (_, add) => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/a', 'x')
    const entry = await world.scope.trash.put('1', path('/a'), 1000)
    add(join(world.root, '.filemgr-trash/1'))
    expect(await world.scope.trash.list('1')).toEqual([entry])
    expect(await world.scope.trash.sweep(2000)).toBe(1)
  })

  it('can be listed while its items are removed', async () => {
    await using world = await LocalWorld.open()
    const ids: string[] = []
    for (let index = 0; index < 40; index += 1) {
      await put(world.scope, '/a', 'x')
      ids.push((await world.scope.trash.put('1', path('/a'), 1000)).id)
    }
    const removed = Promise.all(ids.map(async (id) => await world.scope.trash.remove('1', id)))
    for (let turn = 0; turn < 10; turn += 1) await world.scope.trash.list('1')
    await removed
    expect(await world.scope.trash.list('1')).toEqual([])
  })
})

function writeRecordOf(folder: string, deletedPath: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'content'), 'x')
  writeFileSync(join(folder, 'record.json'), JSON.stringify({ path: deletedPath, isDir: false, size: 1, deleted: 1 }))
}

describe('the local disk', () => {
  it('removes folders that are nested deeper than it holds them open', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, ...Array.from({ length: 700 }, () => 'deep')), { recursive: true })
    await world.scope.remove(path('/deep'))
    expect(readdirSync(world.root)).toEqual([])
  })

  it('holds no descriptor after operations that failed or succeeded', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/folder/sub/file', 'x')
    symlinkSync(world.outside, join(world.root, 'out'))
    await codeOf(world.scope.copy(path('/folder'), path('/warm'), FREE))
    // Lists by a thread, which stays.
    await world.scope.trash.put('1', path('/warm'), 0)
    await world.scope.trash.sweep(1)
    const resting = openDescriptors()
    for (const name of ['/folder', '/none', '/out', '/folder/sub/file', '/folder/sub/file/x']) {
      for (const target of ['/to', '/folder', '/out/x', '/folder/sub/to']) {
        await codeOf(world.scope.copy(path(name), path(target), OVER))
        await codeOf(world.scope.move(path(name), path(target), OVER))
        await codeOf(world.scope.rename(path(name), path(target), FREE))
        await codeOf(world.scope.isSame(path(name), path(target)))
      }
      await codeOf(world.scope.remove(path(name)))
      await codeOf(world.scope.trash.put('1', path('/to'), 0))
    }
    await world.scope.trash.sweep(1)
    expect(openDescriptors()).toBe(resting)
  })
})
