import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Upload } from 'tus-js-client'
import { describe, expect, it } from 'vitest'
import { SampleBytes } from '../helpers/samples/sample-bytes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('curl')

const run = promisify(execFile)
const NAMES = ['one.bin', 'two.bin', 'three.bin', 'four.bin']
const LENGTH = 1_500_000

const contentOf = (index: number) => Buffer.concat([Buffer.from([index]), ...new SampleBytes(LENGTH).pieces(0)])
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function expectAll({ root }: TestDaemon): Promise<void> {
  expect((await readdir(root)).toSorted()).toEqual(NAMES.toSorted())
  for (const [index, name] of NAMES.entries())
    expect(digest(await readFile(join(root, name)))).toBe(digest(contentOf(index)))
}

/** Uploads with tus-js-client: aborts once in the middle, then resumes at the URL of the upload. */
async function upload({ url, token }: TestDaemon, name: string, bytes: Buffer, at?: string): Promise<void> {
  const stopped = await new Promise<string | undefined>((resolve, reject) => {
    const task: Upload = new Upload(bytes, {
      endpoint: `${url}api/tus/${name}`,
      ...(at === undefined ? {} : { uploadUrl: at }),
      chunkSize: 200_000,
      headers: { 'X-Auth': token },
      retryDelays: null,
      metadata: { filename: name },
      onChunkComplete: (_size, accepted) => {
        if (at === undefined && accepted > LENGTH / 2) void task.abort().then(() => resolve(task.url ?? ''))
      },
      onSuccess: () => resolve(undefined),
      onError: reject,
    })
    task.start()
  })
  if (stopped !== undefined) await upload({ url, token } as TestDaemon, name, bytes, stopped)
}

describe('parallel uploads, each interrupted and resumed, arrive complete', () => {
  it('from tus-js-client', async () => {
    await using daemon = await startTestDaemon()
    await Promise.all(NAMES.map(async (name, index) => await upload(daemon, name, contentOf(index))))
    await expectAll(daemon)
  })

  it('from curl, with a checksum of each part', async () => {
    await using daemon = await startTestDaemon()
    await using files = await tempFolder(Object.fromEntries(NAMES.map((name, index) => [name, contentOf(index)])))
    const script = join(import.meta.dirname, 'upload-by-curl.sh')
    const { url, token } = daemon
    const results = await Promise.all(
      NAMES.map(async (name) => await run('sh', [script, url.replace(/\/$/, ''), token, files.at(name), name])),
    )
    for (const { stdout } of results) expect(stdout).toBe(`begin 201\nwrong 460\nwhole 200 ${LENGTH + 1}\n`)
    await expectAll(daemon)
  })
})

it('curl that continues an upload by Content-Range is refused, and the file stays as it was', async () => {
  const bytes = contentOf(0)
  await using daemon = await startTestDaemon({ files: { 'one.bin': bytes } })
  await using files = await tempFolder({ 'one.bin': Buffer.alloc(bytes.length, 'x') })
  const send = async (...args: string[]) =>
    (
      await run('curl', [
        ...['--silent', '--output', files.at('answer'), '--write-out', '%{http_code}', ...args],
        ...['--header', `X-Auth: ${daemon.token}`, '--upload-file', files.at('one.bin')],
        `${daemon.url}api/resources/one.bin`,
      ])
    ).stdout
  expect(await send('--continue-at', '1000000')).toBe('400')
  expect(await readFile(files.at('answer'), 'utf8')).toContain('(Content-Range is not supported; send the whole file')
  expect(digest(await readFile(join(daemon.root, 'one.bin')))).toBe(digest(bytes))
  expect(await readdir(daemon.root)).toEqual(['one.bin'])
  expect(await send()).toBe('200')
})
