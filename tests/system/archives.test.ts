import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { Decompressor } from 'snappy'
import { expect, it } from 'vitest'
import { NOISE, serveArchives, TEXT } from '../helpers/api/served-archives.ts'
import { testApp } from '../helpers/api/test-app.ts'
import { needsPrograms } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { archiveInput, plannedZip, wholeZip } from '../unit/storage/archive-input.ts'

needsPrograms('bzip2', 'lz4', 'unzip', 'xz', 'zstd')

const runFile = promisify(execFile)

/** As in a terminal of today: without a locale unzip would unpack "ü" as a question mark. */
const run = async (command: string, args: readonly string[]) =>
  await runFile(command, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })

/** Bytes of the answer, unpacked by the system's own tool. */
async function unpacked(bytes: Buffer, tool: readonly string[]): Promise<Buffer> {
  await using folder = await tempFolder({ packed: bytes })
  const [command = '', ...options] = tool
  const script = `"$0" "$@" < ${folder.at('packed')} > ${folder.at('unpacked')}`
  await run('sh', ['-c', script, command, ...options])
  return await readFile(folder.at('unpacked'))
}

it.each([
  ['', '.zip', 'application/zip'],
  ['true', '.zip', 'application/zip'],
  ['zip', '.zip', 'application/zip'],
])('algo=%s is a zip that unzip opens', async (algo, extension, type) => {
  await using world = await serveArchives()
  const answer = await world.ann.ask('GET', `/api/raw/docs/?algo=${algo}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'content-disposition': `attachment; filename="docs${extension}"; filename*=utf-8''docs${extension}`,
    'cache-control': 'no-cache, no-store, must-revalidate',
  })
  // Clients of the original get its headers: ranges are only for requests with the ETag.
  expect(answer.headers).not.toHaveProperty('accept-ranges')
  expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
  await using folder = await tempFolder({ 'a.zip': answer.rawPayload })
  await run('unzip', ['-q', folder.at('a.zip'), '-d', folder.at('out')])
  await run('diff', ['-r', join(world.server.root, 'docs'), folder.at('out')])
  // Not compressed: clients that want fewer bytes ask for another format.
  expect(answer.rawPayload.length).toBeGreaterThan(NOISE.length + TEXT.length)
})

const decoders: Readonly<Record<string, (packed: Buffer) => Promise<Buffer>>> = {
  tar: async (packed) => packed,
  targz: async (packed) => await unpacked(packed, ['gzip', '-dc']),
  tarbz2: async (packed) => await unpacked(packed, ['bzip2', '-dc']),
  tarxz: async (packed) => await unpacked(packed, ['xz', '-dc']),
  tarlz4: async (packed) => await unpacked(packed, ['lz4', '-dc']),
  tarzst: async (packed) => await unpacked(packed, ['zstd', '-dc']),
  tarbr: async (packed) => brotliDecompressSync(packed),
  tarsz: async (packed) => {
    const decoder = new Decompressor()
    return Buffer.concat([decoder.update(packed), await decoder.finish()])
  },
}

it.each(Object.entries(decoders))('algo=%s is a tar that the system opens', async (algo, decode) => {
  await using world = await serveArchives()
  const answer = await world.ann.ask('GET', `/api/raw/docs/?algo=${algo}`)
  const extension = `.tar${algo === 'tar' ? '' : `.${algo.slice(3)}`}`
  expect(answer.headers['content-disposition']).toBe(
    `attachment; filename="docs${extension}"; filename*=utf-8''docs${extension}`,
  )
  await using folder = await tempFolder({ 'a.tar': await decode(answer.rawPayload), 'out/': '' })
  await run('tar', ['-xf', folder.at('a.tar'), '-C', folder.at('out')])
  await run('diff', ['-r', join(world.server.root, 'docs'), folder.at('out')])
})

it('zips keep modes and times', async () => {
  await using world = await serveArchives()
  const file = join(world.server.root, 'docs/a.txt')
  await chmod(file, 0o750)
  await utimes(file, 1_700_000_001, 1_700_000_001)
  const answer = await world.ann.ask('GET', '/api/raw/?files=docs/a.txt,other.txt')
  await using folder = await tempFolder({ 'a.zip': answer.rawPayload })
  await run('unzip', ['-q', folder.at('a.zip'), '-d', folder.at('out')])
  const { stdout } = await run('stat', ['-c', '%a %Y', folder.at('out/docs/a.txt')])
  expect(stdout.trim()).toBe('750 1700000001')
})

it('an archive has the names of the disk in a tar, also bytes that are not UTF-8, and says in a zip what they would be', async () => {
  await using server = await testApp({ files: { 'd/12:30.txt': '1', 'd/a\\b.txt': '2' } })
  const long = Buffer.concat([Buffer.alloc(150, 'x'), Buffer.of(0xed)])
  for (const name of [Buffer.from('prov\xedncia', 'latin1'), long])
    await writeFile(Buffer.concat([Buffer.from(join(server.root, 'd/')), name]), 'bytes')
  const ann = await server.user('ann', { download: true })
  const { rawPayload } = await ann.ask('GET', '/api/raw/d?algo=tar')
  await using folder = await tempFolder({ 'a.tar': rawPayload, 'out/': '' })
  await run('tar', ['-xf', folder.at('a.tar'), '-C', folder.at('out')])
  const found = (await readdir(Buffer.from(folder.at('out')), { encoding: 'buffer' })).map((name) =>
    name.toString('latin1'),
  )
  expect(found.toSorted()).toEqual(['12:30.txt', 'a\\b.txt', 'prov\xedncia', long.toString('latin1')].toSorted())
  const zip = await ann.ask('GET', '/api/raw/d')
  await using unzipped = await tempFolder({ 'a.zip': zip.rawPayload })
  const { stdout } = await run('unzip', ['-Z1', unzipped.at('a.zip')])
  expect(stdout).toContain('12:30.txt\na_b.txt\n')
})

it('a zip is as long as planned, and opens', async () => {
  const files = {
    'a.bin': Buffer.alloc(300_000, 'some content\n'),
    'empty/': '',
    'größe/日本 😀.txt': 'umlauts',
    none: '',
  }
  await using folder = await tempFolder(files)
  using input = archiveInput(folder.path)
  const bytes = Buffer.concat([...wholeZip(input)])
  expect(bytes).toHaveLength(plannedZip(input).size)
  await using out = await tempFolder({ 'a.zip': bytes })
  await run('unzip', ['-q', out.at('a.zip'), '-d', out.at('out')])
  await run('diff', ['-r', folder.path, out.at('out')])
})
