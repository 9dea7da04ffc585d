import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storagePathOf } from '../../../../src/storage/storage.ts'
import { LocalWorld } from '../local-world.ts'
import { codeOf, content, found, list, namesIn, path, put, REPLACE, viewOf, walked } from '../view.ts'

const LINK_MODE = 134_218_239

async function worldWithLinks(links: 'inside' | 'follow' = 'inside'): Promise<LocalWorld> {
  const world = await LocalWorld.open(links)
  mkdirSync(join(world.root, 'real/deep'), { recursive: true })
  writeFileSync(join(world.root, 'real/file.txt'), 'inside')
  writeFileSync(join(world.outside, 'secret.txt'), 'secret')
  const texts = {
    'to-file': 'real/file.txt',
    'to-folder': join(world.root, 'real'),
    'to-nothing': 'real/nothing.txt',
    'to-no-folder': 'missing/nothing.txt',
    circle: 'circle',
    'out-file': '../outside/secret.txt',
    'out-folder': world.outside,
    'out-nothing': '../outside/nothing.txt',
    'out-through': 'out-folder/nothing.txt',
    'back-in': '../outside/../root/real/file.txt',
  }
  for (const [name, text] of Object.entries(texts)) symlinkSync(text, join(world.root, name))
  return world
}

const LEAVING = [
  '/out-file',
  '/out-folder',
  '/out-folder/secret.txt',
  '/out-nothing',
  '/out-through',
  '/out-folder/new',
]

describe('links on the local disk', () => {
  it('are listed like their targets, marked if broken, and left out if they lead outside', async () => {
    await using world = await worldWithLinks()
    const items = (await list(world.scope, '/')).items.map(({ name, type, isDir, isSymlink, mode, size }) => [
      name,
      { type, isDir, isSymlink, isLinkMode: mode === LINK_MODE, size },
    ])
    expect(Object.fromEntries(items)).toEqual({
      real: { type: '', isDir: true, isSymlink: false, isLinkMode: false, size: 4096 },
      'to-folder': { type: '', isDir: true, isSymlink: true, isLinkMode: false, size: 4096 },
      'back-in': { type: 'text', isDir: false, isSymlink: true, isLinkMode: false, size: 6 },
      'to-file': { type: 'text', isDir: false, isSymlink: true, isLinkMode: false, size: 6 },
      circle: { type: 'invalid_link', isDir: false, isSymlink: true, isLinkMode: true, size: 6 },
      'to-no-folder': { type: 'invalid_link', isDir: false, isSymlink: true, isLinkMode: true, size: 19 },
      'to-nothing': { type: 'invalid_link', isDir: false, isSymlink: true, isLinkMode: true, size: 16 },
    })
  })

  it('have their own mode, and size and type of their target, when asked for directly', async () => {
    await using world = await worldWithLinks()
    const file = await world.scope.stat(path('/to-file'), viewOf('/to-file'))
    expect(file).toMatchObject({ isSymlink: true, mode: LINK_MODE, size: 6, type: 'text', isDir: false })
    const folder = await list(world.scope, '/to-folder')
    expect(folder).toMatchObject({ isSymlink: true, mode: LINK_MODE, isDir: true, numFiles: 1, name: 'to-folder' })
    expect(folder.items.map((item) => item.path)).toEqual(['/to-folder/deep', '/to-folder/file.txt'])
  })

  it('are followed inside', async () => {
    await using world = await worldWithLinks()
    expect(await content(world.scope, '/to-file')).toBe('inside')
    expect(await content(world.scope, '/to-folder/file.txt')).toBe('inside')
    expect(await codeOf(world.scope.open(path('/to-nothing')))).toBe('NOT_FOUND')
    expect(await codeOf(world.scope.open(path('/to-no-folder')))).toBe('NOT_FOUND')
    expect(await codeOf(world.scope.open(path('/circle')))).toBe('FORBIDDEN')
    expect(await world.scope.exists(path('/to-nothing'))).toBe(true)
  })

  it.each(LEAVING)('CVE-2026-54094: are refused if they leave the scope: %s', async (name) => {
    await using world = await worldWithLinks()
    expect(await codeOf(world.scope.open(path(name)))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.stat(path(name), viewOf(name)))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.listing(path(name), viewOf(name)))).toBe('FORBIDDEN')
    expect(await codeOf(walked(world.scope, name))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.checksum(path(name), 'md5'))).toBe('FORBIDDEN')
    expect(await codeOf(world.scope.usage(path(name)))).toBe('FORBIDDEN')
    expect(await codeOf(put(world.scope, name, 'harm', REPLACE))).toBe('FORBIDDEN')
    expect(await codeOf(put(world.scope, `${name}/new.txt`, 'harm', REPLACE))).toMatch(/^FORBIDDEN$|^INVALID_INPUT$/)
    expect(await codeOf(world.scope.makeFolder(path(`${name}/new`), 0o750))).toBe('FORBIDDEN')
    expect(readdirSync(world.outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(world.outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  it('give no access to a scope beside', async () => {
    await using world = await worldWithLinks()
    mkdirSync(join(world.root, 'alice'))
    symlinkSync('../real', join(world.root, 'alice/beside'))
    using alice = await world.storage.openScope(storagePathOf(path('/alice')), 'inside')
    expect(await codeOf(alice.listing(path('/beside'), viewOf('/beside')))).toBe('FORBIDDEN')
    expect(await namesIn(alice, '/')).toEqual([])
    expect(await codeOf(world.storage.openScope(storagePathOf(path('/out-folder')), 'inside'))).toBe('FORBIDDEN')
    expect(await codeOf(world.storage.makeScope(storagePathOf(path('/out-folder/new'))))).toBe('FORBIDDEN')
  })

  it('give no access to the files that the storage keeps for itself', async () => {
    await using world = await worldWithLinks()
    mkdirSync(join(world.root, '.filemgr-trash'))
    writeFileSync(join(world.root, '.filemgr-trash/deleted'), 'deleted')
    symlinkSync('.filemgr-trash', join(world.root, 'trash'))
    symlinkSync('.filemgr-trash/deleted', join(world.root, 'trashed'))
    expect(await namesIn(world.scope, '/')).not.toContain('trash')
    expect(await codeOf(world.scope.open(path('/trashed')))).toBe('NOT_FOUND')
    expect(await codeOf(world.scope.open(path('/trash/deleted')))).toBe('NOT_FOUND')
  })

  it('CVE-2026-54094: are listed by a walk if they stay inside, and never entered', async () => {
    await using world = await worldWithLinks()
    const links = ['/back-in', '/to-file', '/to-folder', '/to-no-folder', '/to-nothing']
    expect(await walked(world.scope, '/')).toEqual([
      links[0],
      '/real',
      '/real/deep',
      '/real/file.txt',
      ...links.slice(1),
    ])
    expect(await walked(world.scope, '/to-folder')).toEqual(['/to-folder/deep', '/to-folder/file.txt'])
  })

  it('are found but not entered by a search, and not even found if they leave or form a loop', async () => {
    await using world = await worldWithLinks()
    symlinkSync('.', join(world.root, 'real/to-here'))
    const inside = ['back-in', 'real', 'real/deep', 'real/file.txt', 'real/to-here', 'to-file', 'to-folder']
    expect(await found(world.scope, '/', '')).toEqual([...inside, 'to-no-folder', 'to-nothing'])
    for (const link of ['/to-folder', '/circle', ...LEAVING])
      expect(await found(world.scope, link, ''), link).toEqual([])
  })

  it('are not entered by a search if they may lead outside', async () => {
    await using world = await worldWithLinks('follow')
    expect(await found(world.scope, '/', 'out-f')).toEqual(['out-file', 'out-folder'])
    expect(await found(world.scope, '/', 'secret')).toEqual([])
  })

  it('stay when written to: their target is changed or created', async () => {
    await using world = await worldWithLinks()
    await put(world.scope, '/to-file', 'changed', REPLACE)
    await put(world.scope, '/to-nothing', 'made', REPLACE)
    expect(readFileSync(join(world.root, 'real/file.txt'), 'utf8')).toBe('changed')
    expect(readFileSync(join(world.root, 'real/nothing.txt'), 'utf8')).toBe('made')
    expect(readlinkSync(join(world.root, 'to-nothing'))).toBe('real/nothing.txt')
    expect(lstatSync(join(world.root, 'to-file')).isSymbolicLink()).toBe(true)
  })

  it('count as existing names, even if broken, for writes that may not replace', async () => {
    await using world = await worldWithLinks()
    for (const name of ['/to-file', '/to-nothing', '/to-folder']) {
      expect(await codeOf(put(world.scope, name, 'x'))).toBe('CONFLICT')
    }
    expect(await codeOf(put(world.scope, '/to-folder', 'x', REPLACE))).toBe('CONFLICT')
    expect(readdirSync(join(world.root, 'real'))).toEqual(['deep', 'file.txt'])
  })

  it('are followed anywhere if the operator allows it', async () => {
    await using world = await worldWithLinks('follow')
    expect(await content(world.scope, '/out-file')).toBe('secret')
    expect(await namesIn(world.scope, '/out-folder')).toEqual(['secret.txt'])
    expect(await namesIn(world.scope, '/')).toContain('out-folder')
    await put(world.scope, '/out-nothing', 'made', REPLACE)
    expect(readFileSync(join(world.outside, 'nothing.txt'), 'utf8')).toBe('made')
  })
})
