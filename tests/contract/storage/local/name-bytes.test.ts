import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { LocalWorld } from '../local-world.ts'
import { codeOf, content, found, namesIn, NEW, path, put, REPLACE, viewOf, walked } from '../view.ts'

const at = (root: string, name: string) => Buffer.from(join(root, name), 'latin1')
const onDisk = (root: string, folder = '') => readdirSync(at(root, folder), { encoding: 'latin1' }).sort()

async function openWorld(): Promise<LocalWorld> {
  return await LocalWorld.open('inside', {}, (root) => {
    writeFileSync(at(root, 'caf\xe9.txt'), 'latin1')
    writeFileSync(at(root, 'caf\xc3\xa9.txt'), 'UTF-8')
    writeFileSync(at(root, '\xed\xb3\xa9'), 'an encoded surrogate')
    mkdirSync(at(root, '\xff\xfe'))
    writeFileSync(at(root, '\xff\xfe/in\x80.txt'), 'inner')
    writeFileSync(at(root, '\xff\xfe/film.mp4'), '')
    writeFileSync(at(root, '\xff\xfe/film.en.srt'), '')
  })
}

describe('names that are not UTF-8', () => {
  it('are listed, walked and found', async () => {
    await using world = await openWorld()
    const { scope } = world
    expect(new Set(await namesIn(scope, '/'))).toEqual(
      new Set(['\udcff\udcfe', 'caf\udce9.txt', 'café.txt', '\udced\udcb3\udca9']),
    )
    expect(await walked(scope, '/\udcff\udcfe')).toContain('/\udcff\udcfe/in\udc80.txt')
    expect((await found(scope, '/', 'caf')).sort()).toEqual(['café.txt', 'caf\udce9.txt'])
    expect(await found(scope, '/', 'in')).toEqual(['\udcff\udcfe/in\udc80.txt'])
    const film = '/\udcff\udcfe/film.mp4'
    expect(await scope.stat(path(film), viewOf(film))).toMatchObject({ subtitles: ['/\udcff\udcfe/film.en.srt'] })
  })

  it('open exactly their own file', async () => {
    await using world = await openWorld()
    const { scope } = world
    expect(await content(scope, '/caf\udce9.txt')).toBe('latin1')
    expect(await content(scope, '/café.txt')).toBe('UTF-8')
    expect(await content(scope, '/\udced\udcb3\udca9')).toBe('an encoded surrogate')
    expect(await content(scope, '/\udcff\udcfe/in\udc80.txt')).toBe('inner')
    expect(await codeOf(scope.open(path('/caf\ufffd.txt')))).toBe('NOT_FOUND')
    expect(await scope.checksum(path('/caf\udce9.txt'), 'md5')).toMatch(/^[0-9a-f]{32}$/)
    expect(await scope.exists(path('/caf\udce8.txt'))).toBe(false)
  })

  it('are saved, renamed, copied, moved and removed', async () => {
    await using world = await openWorld()
    const { scope, root } = world
    await put(scope, '/caf\udce9.txt', 'saved', REPLACE)
    expect(readFileSync(at(root, 'caf\xe9.txt'), 'utf8')).toBe('saved')
    await put(scope, '/\udcff\udcfe/beside.txt', 'new')
    await scope.copy(path('/\udcff\udcfe'), path('/copy'), NEW)
    expect(onDisk(root, 'copy')).toEqual(['beside.txt', 'film.en.srt', 'film.mp4', 'in\x80.txt'])
    await scope.move(path('/\udcff\udcfe'), path('/copy/\udcff'), NEW)
    expect(onDisk(root, 'copy/\xff')).toContain('in\x80.txt')
    expect(await scope.rename(path('/caf\udce9.txt'), path('/good.txt'), NEW)).toBe(true)
    await scope.remove(path('/\udced\udcb3\udca9'))
    await scope.remove(path('/copy'))
    expect(onDisk(root)).toEqual(['caf\xc3\xa9.txt', 'good.txt'])
  })

  it('are given to no new folder above a target', async () => {
    await using world = await openWorld()
    const { scope, root } = world
    const before = onDisk(root)
    const [file, folder] = [path('/new/\udce9/file'), path('/new/\udce9/folder')]
    const [from, film] = [path('/\udcff\udcfe'), path('/\udcff\udcfe/film.mp4')]
    expect(await codeOf(put(scope, file))).toBe('INVALID_INPUT')
    expect(await codeOf(scope.makeFolder(folder, 0o750))).toBe('INVALID_INPUT')
    expect(await codeOf(scope.copy(film, file, NEW))).toBe('INVALID_INPUT')
    expect(await codeOf(scope.rename(from, folder, NEW))).toBe('INVALID_INPUT')
    expect(await codeOf(scope.move(from, folder, NEW))).toBe('INVALID_INPUT')
    expect(onDisk(root)).toEqual(before)
  })

  it('come back from the trash into a folder that has gone too', async () => {
    await using world = await openWorld()
    const { scope, root } = world
    const inner = path('/\udcff\udcfe/in\udc80.txt')
    const { id } = await scope.trash.put('1', inner, 1)
    await scope.remove(path('/\udcff\udcfe'))
    await scope.trash.restore('1', id, inner, { folderMode: 0o700 })
    expect(onDisk(root, '\xff\xfe')).toEqual(['in\x80.txt'])
  })

  it('come back from the trash', async () => {
    await using world = await openWorld()
    const { scope, root } = world
    const file = await scope.trash.put('1', path('/caf\udce9.txt'), 1)
    const folder = await scope.trash.put('1', path('/\udcff\udcfe'), 2)
    expect((await scope.trash.list('1')).map((entry) => entry.path)).toEqual(['/\udcff\udcfe', '/caf\udce9.txt'])
    await scope.trash.restore('1', file.id, path('/caf\udce9.txt'), { folderMode: 0o700 })
    await scope.trash.restore('1', folder.id, path('/\udcff\udcfe'), { folderMode: 0o700 })
    expect(onDisk(root)).toEqual(expect.arrayContaining(['caf\xe9.txt', '\xff\xfe']))
    expect(onDisk(root, '\xff\xfe')).toContain('in\x80.txt')
  })

  it('are scopes of their own', async () => {
    await using world = await openWorld()
    using inner = await world.scope.within(path('/\udcff\udcfe'))
    expect(await content(inner, '/in\udc80.txt')).toBe('inner')
    expect(await inner.exists(ROOT)).toBe(true)
  })
})

it('a rule for a proper name covers no other spelling of it', async () => {
  expect(() => path('/caf\udcc3\udca9.txt')).toThrow('valid text')
  await using world = await openWorld()
  const rules = [{ regex: false, allow: false, path: '/caf\udce9.txt', regexp: { raw: '' } }]
  expect(new Set(await namesIn(world.scope, '/', { rules }))).toEqual(
    new Set(['\udcff\udcfe', 'café.txt', '\udced\udcb3\udca9']),
  )
})

it('names of 255 bytes that are not UTF-8 are reachable', async () => {
  await using world = await LocalWorld.open()
  writeFileSync(at(world.root, '\xe9'.repeat(255)), 'long')
  expect(await content(world.scope, `/${'\udce9'.repeat(255)}`)).toBe('long')
  expect(() => path(`/${'\udce9'.repeat(256)}`)).toThrow('255')
})
