import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, statfs, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArchiveListing } from '../../../src/domain/files/archives/archives.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { Permissions } from '../../../src/domain/access/permissions.ts'
import { archiveCalls } from '../../helpers/api/archive-calls.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { renamedInTar, tarFile } from '../../helpers/samples/tar-file.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'

const MAY: Partial<Permissions> = { download: true, create: true }
/** "表示\\予定.txt" in Shift JIS, where the second byte of 表 and 予 is that of a backslash. */
const SJIS = Buffer.from('955c8ea65c975c92e82e747874', 'hex')

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

const tree = async (folder: string) => (await readdir(join(server.root, folder), { recursive: true })).toSorted()
const text = async (path: string) => await readFile(join(server.root, path), 'utf8')

describe('names in an archive', () => {
  it('reads names in the encoding that it detects, or in a chosen one', async () => {
    const zip = zipFile([{ name: SJIS, content: 's', isUtf8: false }])
    const tar = tarFile([{ name: 'prov.txt', content: 't' }])
    await folderWith('names', { 'a.zip': zip, 'a.tar': renamedInTar(tar, 'prov.txt', 'pro\xed.txt') })
    const top = async (name: string, more = '') =>
      (await ann.ask('GET', `/api/archives/names/${name}?inside=/${more}`)).json<ArchiveListing>()
    const detected = await top('a.zip')
    expect([detected.encoding, detected.items.map(({ name }) => name)]).toEqual(['shift_jis', ['表示']])
    expect((await top('a.zip', '&encoding=ibm437')).items.map(({ name }) => name)).toEqual(['ò'])
    const inside = encodeURIComponent('/表示/予定.txt')
    expect((await ann.ask('GET', `/api/archived/names/a.zip?inside=${inside}`)).body).toBe('s')
    expect((await ann.ask('GET', `/api/archived/names/a.zip?inside=${inside}&encoding=shift_jis`)).body).toBe('s')
    expect((await ann.ask('GET', '/api/archives/names/a.zip?encoding=utf-16le')).statusCode).toBe(400)
    const asBytes = await top('a.tar')
    expect([asBytes.encoding, asBytes.items[0]?.name]).toEqual(['utf-8', 'pro\udced.txt'])
    expect((await top('a.tar', '&encoding=windows-1252')).items[0]?.name).toBe('proí.txt')
  })
})

describe('extracting an archive with faults', () => {
  it('extracts what it can, and says what is wrong with the rest', async () => {
    const zip = zipFile([
      { name: 'f/a.txt', content: 'a' },
      { name: 'f/bad.txt', content: 'b', crc: 1 },
      { name: 'f/secret.txt', content: 's', flags: 1 },
      { name: 'f/strong.txt', content: 's', flags: 0x41 },
      { name: 'f/other.txt', content: 'o', method: 12 },
      { name: 'f/z.txt', content: 'z' },
    ])
    await folderWith('faults', { 'a.zip': zip })
    const job = (await extract('faults/a.zip', { destination: '/faults' })).json<Job>()
    expect([job.state, job.made, job.leftOut]).toEqual([
      'done',
      ['/faults/f'],
      [
        { name: 'f/bad.txt', reason: 'damaged' },
        { name: 'f/secret.txt', reason: 'encrypted' },
        { name: 'f/strong.txt', reason: 'encrypted' },
        { name: 'f/other.txt', reason: 'unsupported' },
      ],
    ])
    expect(await tree('faults')).toEqual(['a.zip', 'f', 'f/a.txt', 'f/z.txt'])
    const items = ['/f/bad.txt', '/f/z.txt']
    const some = (await extract('faults/a.zip', { destination: '/faults', items })).json<Job>()
    expect([some.made, some.leftOut]).toEqual([['/faults/z.txt'], [{ name: 'f/bad.txt', reason: 'damaged' }]])
  })

  it.each([
    [
      'encrypted',
      [
        { name: 'a/b', flags: 1 },
        { name: 'c', crc: 1 },
      ],
      415,
      'not "a/b" (encrypted) and 1 more',
    ],
    [
      'damaged',
      [
        { name: 'a/', stored: true },
        { name: 'a/b', crc: 1 },
      ],
      400,
      'not "a/b" (damaged)',
    ],
    ['outside', [{ name: '../x' }], 415, 'not "../x" (its path leads out of the folder)'],
  ])('is refused if everything is %s, and leaves nothing behind', async (reason, parts, status, message) => {
    await folderWith(`all-${reason}`, { 'a.zip': zipFile(parts) })
    const answer = await extract(`all-${reason}/a.zip`, { destination: `/all-${reason}` })
    expect([answer.statusCode, answer.body]).toEqual([
      status,
      expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    ])
    expect(await tree(`all-${reason}`)).toEqual(['a.zip'])
    // Also for those who get plain text.
    const plain = await ann.ask('POST', `/api/extract/all-${reason}/a.zip`, {
      payload: JSON.stringify({ destination: `/all-${reason}` }),
      headers: { 'content-type': 'application/json' },
    })
    expect(plain.body).toContain(message)
  })

  it('makes an empty folder of an empty archive', async () => {
    await folderWith('nothing', { 'a.zip': zipFile([]) })
    expect((await extract('nothing/a.zip', { destination: '/nothing' })).statusCode).toBe(200)
    expect(await tree('nothing')).toEqual(['a', 'a.zip'])
  })

  it.each(['hard.tar', 'hard.tar.gz'])('makes a copy of the target of a hard link in %s, also alone', async (name) => {
    const tar = tarFile([
      { name: 'd/a.txt', content: 'alpha' },
      { name: 'd/between.txt', content: 'between' },
      { name: 'd/b.txt', type: 'Link', linkpath: 'd/a.txt' },
      { name: 'd/c.txt', type: 'Link', linkpath: 'd/b.txt' },
      { name: 'd/none.txt', type: 'Link', linkpath: 'd/missing.txt' },
    ])
    const folder = await folderWith(`links-${name}`, { [name]: name.endsWith('gz') ? gzipSync(tar) : tar })
    const job = (await extract(`${folder}/${name}`, { destination: `/${folder}` })).json<Job>()
    expect(job.leftOut).toEqual([{ name: 'd/none.txt', reason: 'link' }])
    const contents = await Promise.all(
      ['a', 'between', 'b', 'c'].map(async (file) => await text(`${folder}/d/${file}.txt`)),
    )
    expect(contents).toEqual(['alpha', 'between', 'alpha', 'alpha'])
    await extract(`${folder}/${name}`, { destination: `/${folder}`, items: ['/d/c.txt'] })
    expect(await text(`${folder}/c.txt`)).toBe('alpha')
  })

  it('keeps what the owner may run as a program', async () => {
    const tar = tarFile([
      { name: 'd/run.sh', content: '#!/bin/sh', mode: 0o4755 },
      { name: 'd/note.txt', content: 'n', mode: 0o666 },
    ])
    await folderWith('modes', { 'a.tar': tar, 'b.zip': zipFile([{ name: 'e/run.sh', content: 'r', type: 0o100755 }]) })
    for (const name of ['a.tar', 'b.zip']) await extract(`modes/${name}`, { destination: '/modes' })
    const modes = await Promise.all(
      ['d/run.sh', 'd/note.txt', 'e/run.sh'].map(
        async (path) => (await stat(join(server.root, 'modes', path))).mode & 0o7777,
      ),
    )
    expect(modes).toEqual([0o750, 0o640, 0o750])
  })

  it('keeps names that are not UTF-8 as they are, each with its content', async () => {
    const tar = renamedInTar(
      tarFile([
        { name: 'd/pro1.txt', content: '1' },
        { name: 'd/pro2.txt', content: '2' },
      ]),
      'pro1',
      'pro\xed',
    )
    await folderWith('bytes', { 'a.tar': renamedInTar(tar, 'pro2', 'pro\xeb') })
    const job = (await extract('bytes/a.tar', { destination: '/bytes' })).json<Job>()
    expect([job.state, job.leftOut]).toEqual(['done', []])
    const folder = Buffer.from(join(server.root, 'bytes/d/'))
    const names = (await readdir(folder, { encoding: 'buffer' })).map((name) => name.toString('latin1'))
    expect(names.toSorted()).toEqual(['pro\xeb.txt', 'pro\xed.txt'])
    const content = await readFile(Buffer.concat([folder, Buffer.from('pro\xed.txt', 'latin1')]), 'utf8')
    expect(content).toBe('1')
  })

  it('reads names in a chosen encoding', async () => {
    await folderWith('chosen', { 'a.zip': zipFile([{ name: SJIS, content: 's', isUtf8: false }]) })
    await extract('chosen/a.zip', { destination: '/chosen', encoding: 'ibm437' })
    expect(await tree('chosen')).not.toContain('表示')
    const job = (await extract('chosen/a.zip', { destination: '/chosen' })).json<Job>()
    expect(job.made).toEqual(['/chosen/表示'])
    expect(await tree('chosen')).toContain('表示/予定.txt')
  })

  it('unpacks an image of an empty disk, which packs to a thousandth, and its own archives of it', async () => {
    await folderWith('image', {})
    await writeFile(join(server.root, 'image/disk.img'), '')
    await truncate(join(server.root, 'image/disk.img'), 300 * 1024 * 1024)
    await compress('image', { names: ['disk.img'], destination: '/image/disk.tar.gz' })
    const job = (await extract('image/disk.tar.gz', { destination: '/image', rename: true })).json<Job>()
    expect([job.state, job.made]).toEqual(['done', ['/image/disk(1).img']])
    expect((await stat(join(server.root, 'image/disk(1).img'))).size).toBe(300 * 1024 * 1024)
  })

  it('leaves nothing behind if there is no space for what the archive says it has', async () => {
    const { bavail, bsize } = await statfs(server.root)
    const size = 0xfffffff0
    const count = Math.ceil((bavail * bsize) / size) + 1
    // The archive may say more than is ever unpacked.
    const expected = count * size > 1024 ** 4 ? 413 : 507
    const bomb = zipFile(Array.from({ length: count }, (_, at) => ({ name: `${at}`, content: 'a', size })))
    await folderWith('full', { 'a.zip': bomb })
    expect((await extract('full/a.zip', { destination: '/full' })).statusCode).toBe(expected)
    expect(await tree('full')).toEqual(['a.zip'])
  })
})

describe('compressing a folder of Linux', () => {
  it.each(['odd.zip', 'odd.tar.gz'])('keeps names in %s, and says what it could not take along', async (name) => {
    const folder = await folderWith(`odd-${name}`, { '12:30.txt': '1', 'a\\b.txt': '2', 'run.sh': '3' })
    await mkdir(join(server.root, folder, 'd'))
    await chmod(join(server.root, folder, 'run.sh'), 0o755)
    await symlink('nowhere', join(server.root, folder, 'd/dangling'))
    await symlink('.', join(server.root, folder, 'd/circle'))
    await promisify(execFile)('mkfifo', [join(server.root, folder, 'd/pipe')])
    const names = ['12:30.txt', 'a\\b.txt', 'run.sh', 'd']
    const job = (await compress(folder, { names, destination: `/${folder}/${name}` })).json<Job>()
    expect(job.leftOut).toEqual([
      ...(name === 'odd.zip' ? [{ name: 'a\\b.txt', reason: 'renamed', as: 'a_b.txt' }] : []),
      { name: 'd/circle', reason: 'link' },
      { name: 'd/dangling', reason: 'link' },
      { name: 'd/pipe', reason: 'special' },
    ])
    const [made = ''] = (await extract(`${folder}/${name}`, { destination: `/${folder}` })).json<Job>().made ?? []
    const backslashed = name === 'odd.zip' ? 'a_b.txt' : 'a\\b.txt'
    expect(await readdir(join(server.root, made))).toEqual(
      expect.arrayContaining(['12:30.txt', 'd', backslashed, 'run.sh']),
    )
    expect((await stat(join(server.root, made, 'run.sh'))).mode & 0o111).toBe(0o110)
  })
})
