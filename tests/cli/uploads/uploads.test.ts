import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { describe, expect, it } from 'vitest'
import type { UploadView } from '../../../src/domain/uploads/upload.ts'
import { SampleBytes } from '../../helpers/samples/sample-bytes.ts'
import { askOffset, beginUpload, sendPart } from '../../helpers/cli/tus-client.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken } from '../../helpers/cli/test-store.ts'

const LENGTH = 3 * 1024 * 1024

/** Uploads with tus-js-client, and aborts after `stopAfter` bytes. */
async function upload(
  { url, token }: Pick<TestDaemon, 'url' | 'token'>,
  bytes: Buffer,
  at?: string,
  stopAfter = Infinity,
): Promise<string> {
  const headers = { 'X-Auth': token }
  return await new Promise((resolve, reject) => {
    const task: Upload = new Upload(bytes, {
      endpoint: `${url}api/tus/big.bin?override=false`,
      ...(at === undefined ? {} : { uploadUrl: at }),
      chunkSize: 512 * 1024,
      headers,
      retryDelays: null,
      metadata: { filename: 'big.bin' },
      onChunkComplete: (_size, accepted) => {
        if (accepted >= stopAfter) void task.abort().then(() => resolve(task.url ?? ''))
      },
      onSuccess: () => resolve(task.url ?? ''),
      onError: reject,
    })
    task.start()
  })
}

describe('uploads', () => {
  it('survive a killed daemon, and a tus client resumes them', async () => {
    await using store = await storeWithToken()
    const { token } = store
    const bytes = Buffer.from(Array.from({ length: LENGTH }, (_, index) => (index * 7 + (index >> 8)) % 251))
    let offset: number
    {
      await using first = await startTestDaemon({ data: store.data, root: store.root })
      await upload({ url: first.url, token }, bytes, undefined, LENGTH / 3)
      const [listed] = await store.json<UploadView[]>(['uploads', 'ls'])
      expect(listed).toMatchObject({ username: 'admin', path: '/big.bin', length: LENGTH })
      offset = listed?.offset ?? 0
      expect(offset).toBeGreaterThanOrEqual(LENGTH / 3)
      await first.stop('SIGKILL')
    }
    await using second = await startTestDaemon({ data: store.data, root: store.root })
    const address = `${second.url}api/tus/big.bin`
    const head = await fetch(address, { method: 'HEAD', headers: { 'X-Auth': token } })
    expect(Number(head.headers.get('upload-offset'))).toBe(offset)
    await upload({ url: second.url, token }, bytes, address)
    const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex')
    expect(digest(await readFile(join(store.root, 'big.bin')))).toBe(digest(bytes))
    expect(await store.json(['uploads', 'ls'])).toEqual([])
  })

  it('that are finished stay finished after the daemon was killed and restarted', async () => {
    await using store = await storeWithToken()
    const target = { path: '/big.bin', token: store.token }
    const bytes = new SampleBytes(LENGTH)
    {
      await using first = await startTestDaemon({ data: store.data, root: store.root })
      await beginUpload({ ...target, url: first.url }, LENGTH)
      const part = await sendPart({ ...target, url: first.url }, bytes, { start: 0, end: LENGTH })
      expect(part).toEqual({ status: 204, offset: LENGTH })
      await first.stop('SIGKILL')
    }
    await using second = await startTestDaemon({ data: store.data, root: store.root })
    const { url } = second
    expect(await askOffset({ ...target, url })).toEqual({ status: 200, offset: LENGTH })
    expect(await sendPart({ ...target, url }, bytes, { start: LENGTH, end: LENGTH })).toMatchObject({ status: 204 })
    expect(await store.json(['uploads', 'ls'])).toEqual([])
  })

  it('of an ephemeral daemon leave no files behind when it stops', async () => {
    await using daemon = await startTestDaemon({ files: { 'a.txt': 'a' } })
    const target = { url: daemon.url, token: daemon.token, path: '/big.bin' }
    expect(await beginUpload(target, LENGTH)).toBe(201)
    await sendPart(target, new SampleBytes(LENGTH), { start: 0, end: LENGTH / 2 })
    expect(await readdir(daemon.root)).toHaveLength(2)
    await daemon.stop('SIGTERM')
    expect(await readdir(daemon.root)).toEqual(['a.txt'])
  })

  it('are cancelled by a command while the daemon runs', async () => {
    await using store = await storeWithToken()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    await upload({ url: daemon.url, token: store.token }, Buffer.alloc(LENGTH), undefined, LENGTH / 3)
    const [listed] = await store.json<UploadView[]>(['uploads', 'ls'])
    expect(await store.run(['uploads', 'rm', listed?.id ?? '', '--yes'])).toMatchObject({ code: 0 })
    expect(await readdir(store.root)).not.toContainEqual(expect.stringContaining('.fm-tmp'))
    expect(await store.run(['uploads', 'rm', listed?.id ?? '', '--yes'])).toMatchObject({ code: 3, stdout: '' })
    const address = `${daemon.url}api/tus/big.bin`
    expect((await fetch(address, { method: 'HEAD', headers: { 'X-Auth': store.token } })).status).toBe(404)
  })
})
