import { describe, expect, it } from 'vitest'
import { readLines } from '../../../../ui/src/api/search.ts'
import { createSearchRun, type SearchRun } from '../../../../ui/src/files/search/search-run.ts'

const line = (path: string, dir = false) => JSON.stringify({ dir, path })

function bytesOf(...parts: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
      controller.close()
    },
  })
}

async function linesOf(...parts: (string | Uint8Array)[]): Promise<string[]> {
  const lines: string[] = []
  for await (const some of readLines(bytesOf(...parts))) lines.push(...some)
  return lines
}

async function ended({ state }: SearchRun) {
  await expect.poll(() => state.get().status).not.toBe('running')
  return state.get()
}

describe('the lines of a response', () => {
  it('are complete, however the chunks are cut', async () => {
    expect(await linesOf('a\nb', 'c\n', '\n', 'd')).toEqual(['a', 'bc', '', 'd'])
    const [first, second] = [new TextEncoder().encode('é\n').slice(0, 1), new TextEncoder().encode('é\n').slice(1)]
    expect(await linesOf(first, second)).toEqual(['é'])
    expect(await linesOf()).toEqual([])
  })
})

describe('a search', () => {
  const run = (lines: readonly (readonly string[])[], folder = '/a/') =>
    createSearchRun({
      folder,
      async *lines() {
        yield* lines
      },
      onError: (error) => {
        throw error
      },
    })

  it('returns results with paths from the root', async () => {
    const { status, hits, cut } = await ended(run([[line('b.txt')], [line('c/d', true)]]))
    expect([status, cut]).toEqual(['complete', false])
    expect(hits).toEqual([
      { path: '/a/b.txt', isDir: false },
      { path: '/a/c/d', isDir: true },
    ])
  })

  it('keeps which places were left out', async () => {
    const { away, hits } = await ended(
      createSearchRun({
        folder: '/',
        async *lines(_, onAway) {
          onAway(['Photos'])
          yield [line('Home/a')]
        },
        onError: (error) => {
          throw error
        },
      }),
    )
    expect([away, hits.length]).toEqual([['Photos'], 1])
  })

  it('knows from an empty last line that there are more', async () => {
    expect((await ended(run([[line('b')], ['']]))).cut).toBe(true)
    expect((await ended(run([[''], [line('b')]]))).cut).toBe(false)
    expect((await ended(run([['']]))).cut).toBe(false)
  })

  it('keeps its results when it is stopped, and aborts the request', async () => {
    let aborted = false
    const stopped = createSearchRun({
      folder: '/',
      async *lines(signal) {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        yield [line('one')]
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        signal.throwIfAborted()
      },
      onError: (error) => {
        throw error
      },
    })
    await expect.poll(() => stopped.state.get().hits.length).toBe(1)
    stopped.stop()
    expect(stopped.state.get()).toMatchObject({ status: 'stopped', hits: [{ path: '/one' }] })
    expect(aborted).toBe(true)
  })

  it('reports a failure, and keeps the results before it', async () => {
    const errors: unknown[] = []
    const failed = createSearchRun({
      folder: '/',
      async *lines() {
        yield [line('one')]
        throw new Error('the connection is gone')
      },
      onError: (error) => errors.push(error),
    })
    expect(await ended(failed)).toMatchObject({ status: 'failed', hits: [{ path: '/one' }] })
    expect(errors).toHaveLength(1)
  })
})
