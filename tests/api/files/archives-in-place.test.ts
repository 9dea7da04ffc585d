import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArchiveListing } from '../../../src/domain/files/archives/archives.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { Permissions } from '../../../src/domain/access/permissions.ts'
import { archiveCalls } from '../../helpers/api/archive-calls.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { CLIENT } from '../../helpers/test-context.ts'
import { tarFile } from '../../helpers/samples/tar-file.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'
import { zstdFrame } from '../../helpers/samples/zstd-frame.ts'

const MAY: Partial<Permissions> = { download: true, create: true }
const PAGE = '<script>alert(1)</script>'
const NOISE = randomBytes(200_000)
const ZIP = zipFile([
  { name: 'docs/a.txt', content: 'alpha' },
  { name: 'docs/sub/b.txt', content: 'beta' },
  { name: 'page.html', content: PAGE },
  { name: 'noise.bin', content: NOISE, stored: true },
  { name: '../evil.txt', content: 'evil' },
  { name: 'link', content: '/etc/passwd', stored: true, type: 0o120777 },
  { name: '.hidden', content: 'h' },
])
const LEFT_OUT = [
  { name: '../evil.txt', reason: 'outside' },
  { name: 'link', reason: 'link' },
]
const SINGLE = gzipSync(
  tarFile([
    { name: 'one/x.txt', content: 'x' },
    { name: 'one/deep/y.txt', content: 'y' },
  ]),
)

let server: TestApp
let ann: Client

beforeAll(async () => {
  server = await testApp()
  ann = await server.user('ann', MAY)
})
afterAll(async () => await server[Symbol.asyncDispose]())

const { folderWith, extract, compress } = archiveCalls(
  () => server,
  () => ann,
)

const list = async (archive: string, inside = '/', client = ann) =>
  await client.ask('GET', `/api/archives/${archive}?inside=${encodeURIComponent(inside)}`)
const get = async (archive: string, inside: string, headers = {}, more = '') =>
  await ann.ask('GET', `/api/archived/${archive}?inside=${encodeURIComponent(inside)}${more}`, { headers })
const tree = async (folder: string) => (await readdir(join(server.root, folder), { recursive: true })).toSorted()
const text = async (path: string) => await readFile(join(server.root, path), 'utf8')

describe('looking into an archive', () => {
  it('lists a folder in the sort order of the user, without entries that cannot become files', async () => {
    await folderWith('look', { 'a.zip': ZIP })
    const top = (await list('look/a.zip')).json<ArchiveListing>()
    expect(top.items.map(({ path, isDir, type }) => [path, isDir, type])).toEqual([
      ['/docs', true, ''],
      ['/.hidden', false, 'text'],
      ['/noise.bin', false, 'blob'],
      ['/page.html', false, 'text'],
    ])
    expect([top.name, top.path, top.numDirs, top.numFiles, top.leftOut]).toEqual([...['a.zip', '/', 1, 3, LEFT_OUT]])
    const docs = (await list('look/a.zip', '/docs/')).json<ArchiveListing>()
    expect(docs.items.map(({ path }) => path)).toEqual(['/docs/sub', '/docs/a.txt'])
    expect((await list('look/a.zip', '/none')).statusCode).toBe(404)
    expect((await list('look/a.zip', '/page.html')).statusCode).toBe(404)
    expect((await list('look/a.zip', '/../x')).statusCode).toBe(400)
  })

  it('hides dotfiles from users who hide them', async () => {
    await folderWith('dots', { 'a.zip': ZIP })
    const ben = await server.user('ben', MAY, { hideDotfiles: true })
    expect((await list('dots/a.zip', '/', ben)).json<ArchiveListing>().items.map(({ name }) => name)).not.toContain(
      '.hidden',
    )
  })

  it('sees that the archive has changed', async () => {
    await folderWith('change', { 'a.zip': ZIP })
    await list('change/a.zip')
    await writeFile(join(server.root, 'change/a.zip'), zipFile([{ name: 'new.txt', content: 'new' }]))
    expect((await list('change/a.zip')).json<ArchiveListing>().items.map(({ name }) => name)).toEqual(['new.txt'])
  })

  it('sees that the archive has changed in place, with the same size and time', async () => {
    const [before, after] = ['a', 'b'].map((name) => tarFile([{ name, content: name }]))
    await folderWith('same', { 'a.tar': before ?? '' })
    const path = join(server.root, 'same/a.tar')
    await utimes(path, 1000, 1000)
    const names = async () => (await list('same/a.tar')).json<ArchiveListing>().items.map(({ name }) => name)
    expect(await names()).toEqual(['a'])
    await writeFile(path, after ?? '')
    await utimes(path, 1000, 1000)
    expect(await names()).toEqual(['b'])
  })

  it('is refused if its decoder needs too much memory, alone or together with others', async () => {
    const tar = tarFile([{ name: 'x.txt', content: 'x' }])
    await folderWith('windows', { 'a.tar.zst': zstdFrame(tar, 27), 'b.tar.zst': zstdFrame(tar, 28) })
    const refused = await ann.ask('GET', '/api/archives/windows/b.tar.zst', { headers: { accept: 'application/json' } })
    expect([refused.statusCode, refused.body]).toEqual([413, expect.stringMatching(/128 MiB of memory/)])
    const { archiveContents, auth } = server.context.services
    const { actor } = await auth.authenticate(ann.token, CLIENT)
    await using first = await archiveContents.open(actor, '/windows/a.tar.zst', '/x.txt')
    expect(first.size).toBe(1)
    const second = await get('windows/a.tar.zst', '/x.txt')
    expect([second.statusCode, second.headers['retry-after']]).toEqual([503, '5'])
    await first[Symbol.asyncDispose]()
    expect((await get('windows/a.tar.zst', '/x.txt')).body).toBe('x')
  })

  it('is refused for other files, damaged archives and bombs', async () => {
    const bomb = zipFile([
      { name: 'a', content: 'a', size: 0xfffffff0 },
      ...Array.from({ length: 300 }, (_, at) => ({ name: `${at}`, content: 'a', size: 0xfffffff0 })),
    ])
    await folderWith('bad', { 'a.zip': 'no zip', 'b.txt': 'text', 'c.tar.gz': 'no gzip', 'bomb.zip': bomb })
    const status = async (name: string) => (await list(`bad/${name}`)).statusCode
    expect([await status('a.zip'), await status('b.txt'), await status('c.tar.gz')]).toEqual([400, 415, 400])
    expect(await status('bomb.zip')).toBe(413)
    expect(await status('none.zip')).toBe(404)
    await mkdir(join(server.root, 'bad/folder.zip'))
    expect(await status('folder.zip')).toBe(409)
  })

  it('shows a tar that is compressed otherwise than its name says', async () => {
    const tar = tarFile([{ name: 'x.txt', content: 'x' }])
    await folderWith('misnamed', { 'plain.tar.gz': tar, 'packed.tar': gzipSync(tar) })
    for (const name of ['plain.tar.gz', 'packed.tar'])
      expect((await list(`misnamed/${name}`)).json<ArchiveListing>().items.map((item) => item.name)).toEqual(['x.txt'])
  })

  it('needs the permission to download', async () => {
    await folderWith('denied', { 'a.zip': ZIP })
    const ben = await server.user('reader', { create: true })
    expect((await list('denied/a.zip', '/', ben)).statusCode).toBe(202)
    expect((await extract('denied/a.zip', { destination: '/denied' }, ben)).statusCode).toBe(403)
    expect((await compress('denied', { names: ['a.zip'], destination: '/denied/b.zip' }, ben)).statusCode).toBe(403)
  })
})

describe('a file of an archive', () => {
  it('is sent as a download, whole or in ranges, with a tag', async () => {
    await folderWith('file', { 'a.zip': ZIP, 'b.tgz': SINGLE })
    const whole = await get('file/a.zip', '/noise.bin')
    expect([whole.statusCode, whole.rawPayload.equals(NOISE)]).toEqual([200, true])
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="noise.bin"; filename*=utf-8''noise.bin`,
      'content-length': String(NOISE.length),
    })
    const part = await get('file/a.zip', '/noise.bin', { range: 'bytes=1000-1009' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, NOISE.subarray(1000, 1010)])
    const end = await get('file/a.zip', '/docs/a.txt', { range: 'bytes=-2' })
    expect([end.statusCode, end.body, end.headers['content-range']]).toEqual([206, 'ha', 'bytes 3-4/5'])
    expect((await get('file/b.tgz', '/one/deep/y.txt')).body).toBe('y')
    const same = await get('file/a.zip', '/docs/a.txt', { 'if-none-match': String(end.headers.etag) })
    expect(same.statusCode).toBe(304)
  })

  it('cannot run scripts when it is shown', async () => {
    await folderWith('shown', { 'a.zip': ZIP })
    const answer = await get('shown/a.zip', '/page.html', {}, '&inline=true')
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  })

  it('is refused with a reason', async () => {
    const zip = zipFile([
      { name: 'secret', flags: 1, content: 's' },
      { name: 'bad', crc: 1, content: 'b' },
    ])
    await folderWith('refused', { 'a.zip': zip, 'b.zip': ZIP })
    expect((await get('refused/a.zip', '/secret')).statusCode).toBe(415)
    expect((await get('refused/a.zip', '/bad')).statusCode).toBe(400)
    expect((await get('refused/b.zip', '/docs')).statusCode).toBe(409)
    expect((await get('refused/b.zip', '/evil.txt')).statusCode).toBe(404)
  })
})

describe('extracting', () => {
  it('makes a folder named like the archive, and reports what it left out', async () => {
    await folderWith('all', { 'a.zip': ZIP })
    const answer = await extract('all/a.zip', { destination: '/all' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json<Job>()).toMatchObject({
      kind: 'extract',
      state: 'done',
      path: '/all/a.zip',
      destination: '/all',
      made: ['/all/a'],
      leftOut: LEFT_OUT,
    })
    expect(await tree('all')).toEqual([
      ...[
        'a',
        'a.zip',
        'a/.hidden',
        'a/docs',
        'a/docs/a.txt',
        'a/docs/sub',
        'a/docs/sub/b.txt',
        'a/noise.bin',
        'a/page.html',
      ],
    ])
    expect((await readFile(join(server.root, 'all/a/noise.bin'))).equals(NOISE)).toBe(true)
    expect(await readdir(server.root)).not.toContain('evil.txt')
  })

  it('makes no extra folder around a single top-level folder', async () => {
    await folderWith('single', { 'a.tar.gz': SINGLE })
    await extract('single/a.tar.gz', { destination: '/single' })
    expect(await tree('single')).toEqual(['a.tar.gz', 'one', 'one/deep', 'one/deep/y.txt', 'one/x.txt'])
  })

  it('accepts a folder entry that comes after its content', async () => {
    const tar = tarFile([
      { name: 'd/late/a.txt', content: 'a' },
      { name: 'd/late/', type: 'Directory' },
    ])
    await folderWith('late', { 'a.tar': tar })
    const job = (await extract('late/a.tar', { destination: '/late' })).json<Job>()
    expect([job.state, job.leftOut, await tree('late')]).toEqual(['done', [], ['a.tar', 'd', 'd/late', 'd/late/a.txt']])
  })

  it('takes only the selected items, under their own names', async () => {
    await folderWith('some', { 'a.zip': ZIP })
    await extract('some/a.zip', { destination: '/some', items: ['/docs/sub', '/page.html'] })
    expect(await tree('some')).toEqual(['a.zip', 'page.html', 'sub', 'sub/b.txt'])
    const status = async (items: string[]) => (await extract('some/a.zip', { destination: '/some', items })).statusCode
    expect(await status(['/none'])).toBe(404)
    expect(await status(['/'])).toBe(400)
    expect(await status(['/docs', '/docs/sub'])).toBe(400)
  })

  it('refuses, renames or replaces when a name exists, as requested', async () => {
    await folderWith('taken', { 'a.tar.gz': SINGLE, 'x.txt': 'old' })
    const items = ['/one/x.txt']
    expect((await extract('taken/a.tar.gz', { destination: '/taken', items })).statusCode).toBe(409)
    expect(await text('taken/x.txt')).toBe('old')
    await extract('taken/a.tar.gz', { destination: '/taken', items, rename: true })
    expect([await text('taken/x.txt'), await text('taken/x(1).txt')]).toEqual(['old', 'x'])
    expect((await extract('taken/a.tar.gz', { destination: '/taken', items, override: true })).statusCode).toBe(403)
    const may = await server.user('editor', { ...MAY, modify: true })
    expect((await extract('taken/a.tar.gz', { destination: '/taken', items, override: true }, may)).statusCode).toBe(
      200,
    )
    expect(await text('taken/x.txt')).toBe('x')
  })

  it('replaces nothing if a later entry is in the way', async () => {
    await folderWith('way', { 'a.tar.gz': SINGLE, 'x.txt': 'old' })
    await mkdir(join(server.root, 'way/deep/y.txt'), { recursive: true })
    const may = await server.user('way-editor', { ...MAY, modify: true })
    const items = ['/one/x.txt', '/one/deep']
    const answer = await extract('way/a.tar.gz', { destination: '/way', items, override: true }, may)
    expect(answer.statusCode).toBe(409)
    expect([await text('way/x.txt'), await tree('way')]).toEqual(['old', ['a.tar.gz', 'deep', 'deep/y.txt', 'x.txt']])
  })

  it('replaces only what it has if the last entry of the archive is damaged', async () => {
    const zip = zipFile([
      { name: 'd/x.txt', content: 'new' },
      { name: 'd/y.txt', content: 'y', crc: 1 },
    ])
    await folderWith('spoilt', { 'a.zip': zip })
    await mkdir(join(server.root, 'spoilt/d'))
    for (const name of ['x.txt', 'y.txt']) await writeFile(join(server.root, 'spoilt/d', name), 'old')
    const may = await server.user('damaged-editor', { ...MAY, modify: true })
    const job = (await extract('spoilt/a.zip', { destination: '/spoilt', override: true }, may)).json<Job>()
    expect([job.state, job.leftOut]).toEqual(['done', [{ name: 'd/y.txt', reason: 'damaged' }]])
    expect([await text('spoilt/d/x.txt'), await text('spoilt/d/y.txt')]).toEqual(['new', 'old'])
  })

  it('takes another name if the one that was free is taken while it unpacks', async () => {
    const large = { name: 'b.bin', content: Buffer.alloc(20_000_000, 'x') }
    const archive = tarFile([
      { name: 'one/x.txt', content: 'x' },
      { ...large, name: 'one/b.bin' },
    ])
    await folderWith('race', { 'a.tar': archive })
    const running = extract('race/a.tar', { destination: '/race', items: ['/one/x.txt', '/one/b.bin'], rename: true })
    await expect
      .poll(async () => (await tree('race')).some((name) => name.includes('.fm-tmp')), { interval: 1 })
      .toBe(true)
    await writeFile(join(server.root, 'race/b.bin'), 'mine')
    const answer = await running
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json<Job>().made).toEqual(['/race/x.txt', '/race/b(1).bin'])
    expect([await text('race/b.bin'), await tree('race')]).toEqual(['mine', ['a.tar', 'b(1).bin', 'b.bin', 'x.txt']])
  })

  it('merges folders if it may replace', async () => {
    await folderWith('merge', { 'a.tar.gz': SINGLE })
    await mkdir(join(server.root, 'merge/one'))
    await writeFile(join(server.root, 'merge/one/own.txt'), 'own')
    const may = await server.user('merger', { ...MAY, modify: true })
    await extract('merge/a.tar.gz', { destination: '/merge', override: true }, may)
    expect(await tree('merge/one')).toEqual(['deep', 'deep/y.txt', 'own.txt', 'x.txt'])
  })

  it('leaves out names that are reserved', async () => {
    const zip = zipFile([
      { name: 'f/.filemgr-trash/1', content: 'a' },
      { name: 'f/ok', content: 'b' },
    ])
    await folderWith('reserved', { 'a.zip': zip })
    const job = (await extract('reserved/a.zip', { destination: '/reserved' })).json<Job>()
    expect(job.leftOut).toContainEqual({ name: 'f/.filemgr-trash/1', reason: 'name' })
    expect(await tree('reserved')).toEqual(['a.zip', 'f', 'f/ok'])
  })

  it('is refused where a rule denies one of the paths', async () => {
    await folderWith('ruled', { 'a.zip': ZIP })
    const rules = [{ regex: false, allow: false, path: '/ruled/a/docs/sub', regexp: null }]
    const cem = await server.user('cem', MAY, { rules })
    expect((await extract('ruled/a.zip', { destination: '/ruled' }, cem)).statusCode).toBe(403)
    expect(await tree('ruled')).toEqual(['a.zip'])
  })

  it('leaves nothing behind when its job is cancelled', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ name: `f/${index}.txt`, content: `${index}` }))
    await folderWith('cancel', { 'a.zip': zipFile(many) })
    const answer = await ann.ask('POST', '/api/extract/cancel/a.zip', {
      payload: JSON.stringify({ destination: '/cancel' }),
      headers: { prefer: 'respond-async' },
    })
    expect(answer.statusCode).toBe(202)
    const { id } = answer.json<Job>()
    const job = async () => (await ann.ask('GET', `/api/jobs/${id}`)).json<Job>()
    await expect.poll(async () => (await job()).progress.files).toBeGreaterThan(0)
    expect((await ann.ask('DELETE', `/api/jobs/${id}`)).statusCode).toBe(204)
    await expect.poll(async () => (await job()).state).toBe('cancelled')
    expect(await tree('cancel')).toEqual(['a.zip'])
  })

  it('needs an existing folder as destination', async () => {
    await folderWith('where', { 'a.zip': ZIP, 'b.txt': 'b' })
    expect((await extract('where/a.zip', { destination: '/where/none' })).statusCode).toBe(404)
    expect((await extract('where/a.zip', { destination: '/where/b.txt' })).statusCode).toBe(409)
    expect((await extract('where/b.txt', { destination: '/where' })).statusCode).toBe(415)
  })
})

describe('compressing', () => {
  it.each(['new.zip', 'new.tar', 'new.tar.gz', 'new.tgz', 'new.tar.zst'])(
    'makes %s, which can be listed',
    async (name) => {
      const folder = await folderWith(`c-${name}`, { 'a.txt': 'alpha', 'b.txt': 'beta', 'c.txt': 'gamma' })
      const answer = await compress(folder, { names: ['a.txt', 'b.txt'], destination: `/${folder}/${name}` })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json<Job>()).toMatchObject({ kind: 'compress', state: 'done', made: [`/${folder}/${name}`] })
      expect((await list(`${folder}/${name}`)).json<ArchiveListing>().items.map((item) => item.name)).toEqual([
        'a.txt',
        'b.txt',
      ])
      expect((await get(`${folder}/${name}`, '/b.txt')).body).toBe('beta')
    },
  )

  it('is refused when the name exists, or takes another name', async () => {
    await folderWith('again', { 'a.txt': 'alpha', 'a.zip': 'old' })
    const request = { names: ['a.txt'], destination: '/again/a.zip' }
    expect((await compress('again', request)).statusCode).toBe(409)
    expect((await compress('again', { ...request, rename: true })).statusCode).toBe(200)
    expect(await tree('again')).toEqual(['a(1).zip', 'a.txt', 'a.zip'])
    expect(await text('again/a.zip')).toBe('old')
  })

  it('is refused without a known extension, or for missing files', async () => {
    await folderWith('wrong', { 'a.txt': 'alpha' })
    const status = async (names: string[], name: string) =>
      (await compress('wrong', { names, destination: `/wrong/${name}` })).statusCode
    expect([
      await status(['a.txt'], 'a.rar'),
      await status(['none'], 'a.zip'),
      await status(['../x'], 'a.zip'),
    ]).toEqual([...[400, 404, 400]])
    expect(await tree('wrong')).toEqual(['a.txt'])
  })
})
