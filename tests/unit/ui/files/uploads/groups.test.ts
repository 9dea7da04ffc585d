import { describe, expect, it } from 'vitest'
import { createGroupUpload } from '../../../../../ui/src/files/uploads/engine/group-upload.ts'
import type { UploadRequest } from '../../../../../ui/src/files/uploads/engine/simple-upload.ts'

function request(path: string, signal = new AbortController().signal): UploadRequest {
  return {
    path,
    file: new File(['x'], path),
    override: false,
    begun: false,
    signal,
    onBegun: () => undefined,
    onProgress: () => undefined,
  }
}

/** Uploads a, b and c together with this reply; those in `failing` also fail alone. */
async function upload(
  reply: readonly boolean[] | undefined,
  failing = '',
  requests = ['a', 'b', 'c'].map((name) => request(name)),
) {
  const alone: string[] = []
  let running = 0
  const engine = createGroupUpload(
    async () => await Promise.resolve(reply),
    async ({ path, begun }) => {
      running += 1
      alone.push(`${path}${begun ? ' begun' : ''}${running > 1 ? ' beside another' : ''}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      if (failing.includes(path)) throw new Error(`${path} failed`)
    },
  )
  const results = await Promise.allSettled(engine(requests))
  return { alone, results: results.map(({ status }) => status) }
}

describe('a group of small files', () => {
  it('is done if the server has stored all', async () => {
    expect(await upload([true, true, true])).toEqual({ alone: [], results: Array(3).fill('fulfilled') })
  })

  it('sends refused files alone, which gives the reason', async () => {
    expect(await upload([true, false, false], 'b')).toEqual({
      alone: ['b', 'c'],
      results: ['fulfilled', 'rejected', 'fulfilled'],
    })
  })

  it('sends all alone, one after the other, if the reply is missing: the server may have some', async () => {
    expect(await upload(undefined, 'a')).toEqual({
      alone: ['a begun', 'b begun', 'c begun'],
      results: ['rejected', 'fulfilled', 'fulfilled'],
    })
  })

  it('leaves out what was cancelled meanwhile', async () => {
    const cancelled = request('b', AbortSignal.abort())
    const { alone, results } = await upload(undefined, '', [request('a'), cancelled, request('c')])
    expect({ alone, results }).toEqual({
      alone: ['a begun', 'c begun'],
      results: ['fulfilled', 'rejected', 'fulfilled'],
    })
  })

  it('of one file is sent as that file', async () => {
    expect(await upload([], '', [request('a')])).toEqual({ alone: ['a'], results: ['fulfilled'] })
  })
})
