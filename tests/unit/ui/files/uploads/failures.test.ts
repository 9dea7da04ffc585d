import { describe, expect, it } from 'vitest'
import type { ClientConfig } from '../../../../../src/domain/settings/client-config.ts'
import { ApiError } from '../../../../../ui/src/api/api-error.ts'
import type { Client } from '../../../../../ui/src/api/client.ts'
import { chooseEngine } from '../../../../../ui/src/files/uploads/engine/choose-engine.ts'
import { judgeFailure } from '../../../../../ui/src/files/uploads/queue/connection.ts'
import type { UploadEngine } from '../../../../../ui/src/files/uploads/engine/simple-upload.ts'

const answer = (status: number) => new ApiError({ status, message: `said ${status}` })
const FILE = new File(['four'], 'a.txt', { lastModified: 1_500_000_000_123 })

describe('a failed upload', () => {
  const world = { isSignedIn: () => true, isReachable: async () => true }
  const judge = async (status: number, changes: Partial<typeof world> = {}, file: File | null = FILE) =>
    await judgeFailure(answer(status), { file }, { ...world, ...changes })

  it('fails if the server says so', async () => {
    expect(await judge(507)).toEqual({ status: 507, message: 'said 507' })
  })

  it('waits for the session if it has ended, and fails if a valid one is rejected', async () => {
    expect(await judge(401, { isSignedIn: () => false })).toBe('session')
    expect(await judge(401)).toMatchObject({ status: 401 })
  })

  it('waits for the end of maintenance', async () => {
    const error = new ApiError({ status: 503, message: 'New disks', code: 'MAINTENANCE' })
    expect(await judgeFailure(error, { file: FILE }, world)).toBe('maintenance')
  })

  it('waits for the connection if the server does not respond, and fails if it responds to other requests', async () => {
    expect(await judge(0, { isReachable: async () => false })).toBe('offline')
    expect(await judge(0)).toMatchObject({ status: 0 })
  })

  it('fails for good if its file cannot be read any more, whatever the network', async () => {
    const gone = { slice: () => ({ arrayBuffer: async () => await Promise.reject(new Error('NotReadable')) }) }
    const verdict = await judge(0, { isReachable: async () => false }, gone as unknown as File)
    expect(verdict).toMatchObject({ changed: true })
  })

  it('fails on a bug of our own', async () => {
    expect(await judgeFailure(new Error('oops'), { file: null }, world)).toMatchObject({ status: 500 })
  })
})

describe('a small file', () => {
  /** Sends a small file. The attempts fail with these statuses, then succeed; `there` is the existing file. */
  async function send(tries: readonly number[], there: { size: number; modified: string } | null = null) {
    let sent = 0
    const simple: UploadEngine = async () => {
      const status = tries[sent]
      sent += 1
      if (status !== undefined) throw answer(status)
    }
    const call = async () => (there === null ? await Promise.reject(answer(404)) : { isDir: false, ...there })
    const config = { TusSettings: { chunkSize: 1, retryCount: 1 } } as ClientConfig
    const engine = chooseEngine({ call } as unknown as Client, simple, config)
    const signal = new AbortController().signal
    const request = { path: '/a.txt', file: FILE, override: false, begun: false, signal }
    await engine({ ...request, onBegun: () => undefined, onProgress: () => undefined })
    return sent
  }
  const same = { size: 4, modified: '2017-07-14T02:40:00.123Z' }

  it('is sent in one request, and again after an interruption', async () => {
    expect(await send([])).toBe(1)
    expect(await send([0])).toBe(2)
  })

  it('is done even if only the response was lost', async () => {
    expect(await send([0, 409], same)).toBe(2)
  })

  it('conflicts with another file, also after an interrupted attempt', async () => {
    await expect(send([409], same)).rejects.toMatchObject({ status: 409 })
    await expect(send([0, 409], { ...same, size: 5 })).rejects.toMatchObject({ status: 409 })
    await expect(send([0, 409], { ...same, modified: '2017-07-14T02:40:09Z' })).rejects.toMatchObject({ status: 409 })
    await expect(send([0, 409])).rejects.toMatchObject({ status: 409 })
  })
})
