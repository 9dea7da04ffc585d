import { describe, expect, it } from 'vitest'
import type { ServerEvent } from '../../../../src/domain/automation/event.ts'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import { createLiveConnection, type LiveConnection, type Watched } from '../../../../ui/src/api/live-connection.ts'

interface Opened {
  readonly watched: Watched
  readonly signal: AbortSignal
  send(name: string, data?: object): void
  end(): void
}

/** A stream server controlled by the test, and a connection to it. `refuse` rejects openings with its errors. */
class Wire {
  readonly opened: Opened[] = []
  readonly watched: Watched[] = []
  readonly events: ServerEvent[] = []
  readonly waits: number[] = []
  readonly reach: boolean[] = []
  refuse: (watched: Watched) => ApiError | undefined = () => undefined
  refuseWatch: { status: number; code?: string } | undefined
  readonly connection: LiveConnection

  constructor() {
    this.connection = createLiveConnection({
      notify: (event) => this.events.push(event),
      onReach: (isThere) => this.reach.push(isThere),
      wait: async (milliseconds) => void this.waits.push(milliseconds),
      transport: {
        open: async (watched, signal) => {
          const error = this.refuse(watched)
          if (error !== undefined) throw error
          return this.#stream(watched, signal)
        },
        watch: async (_stream, watched) => {
          this.watched.push(watched)
          if (this.refuseWatch) throw new ApiError({ message: 'refused', ...this.refuseWatch })
        },
      },
    })
  }

  #stream(watched: Watched, signal: AbortSignal): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder()
    return new ReadableStream({
      start: (controller) => {
        const opened: Opened = {
          watched,
          signal,
          send: (name, data = {}) =>
            controller.enqueue(encoder.encode(`:\n\nid: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)),
          end: () => controller.close(),
        }
        signal.addEventListener('abort', () => controller.error(signal.reason))
        this.opened.push(opened)
      },
    })
  }

  async opening(count: number): Promise<Opened> {
    await expect.poll(() => this.opened.length).toBe(count)
    const opened = this.opened.at(-1)
    if (opened === undefined) throw new Error('nothing was opened')
    return opened
  }

  names(): string[] {
    return this.events.map(({ name }) => name)
  }
}

describe('the live connection', () => {
  it('passes on events', async () => {
    const wire = new Wire()
    wire.connection.follow({ folder: '/a/' })
    wire.connection.resume()
    const stream = await wire.opening(1)
    expect(stream.watched).toEqual({ folder: '/a/' })
    stream.send('hello', { stream: 's', folder: '/a' })
    stream.send('folder', { path: '/a' })
    await expect
      .poll(() => wire.events)
      .toEqual([
        { name: 'hello', data: { stream: 's', folder: '/a' } },
        { name: 'folder', data: { path: '/a' } },
      ])
  })

  it('reconnects after a loss and reports that events may be missing', async () => {
    const wire = new Wire()
    wire.connection.resume()
    const first = await wire.opening(1)
    first.send('hello', { stream: 's' })
    await expect.poll(() => wire.names()).toEqual(['hello'])
    first.end()
    const second = await wire.opening(2)
    second.send('hello', { stream: 't' })
    await expect.poll(() => wire.names()).toEqual(['hello', 'hello', 'gap'])
  })

  it('waits longer after each failure', async () => {
    const wire = new Wire()
    wire.refuse = () => (wire.waits.length < 7 ? ApiError.noConnection(undefined) : undefined)
    wire.connection.resume()
    await wire.opening(1)
    expect(wire.waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
  })

  it('reports an unreachable server after the second failure, and when it is back', async () => {
    const wire = new Wire()
    const answers = [undefined, ApiError.noConnection(undefined), undefined]
    wire.refuse = () => answers.shift()
    wire.connection.resume()
    const first = await wire.opening(1)
    first.send('hello', { stream: 's' })
    await expect.poll(() => wire.reach).toEqual([true])
    first.end()
    const second = await wire.opening(2)
    expect(wire.reach).toEqual([true, false])
    second.send('hello', { stream: 't' })
    await expect.poll(() => wire.reach).toEqual([true, false, true])
    second.end()
    const third = await wire.opening(3)
    third.send('hello', { stream: 'u' })
    await expect.poll(() => wire.reach).toEqual([true, false, true, true])
  })

  it('switches to another folder in the same stream', async () => {
    const wire = new Wire()
    wire.connection.follow({ folder: '/a/' })
    wire.connection.resume()
    const stream = await wire.opening(1)
    stream.send('hello', { stream: 's', folder: '/a' })
    await expect.poll(() => wire.names()).toEqual(['hello'])
    wire.connection.follow({ folder: '/b/' })
    await expect.poll(() => wire.names()).toEqual(['hello', 'hello'])
    expect(wire.watched).toEqual([{ folder: '/b/' }])
    expect(wire.opened).toHaveLength(1)
  })

  it('watches two folders, and asks for nothing while they stay the same', async () => {
    const wire = new Wire()
    wire.connection.follow({ folder: '/a/', beside: '/b/' })
    wire.connection.resume()
    const stream = await wire.opening(1)
    expect(stream.watched).toEqual({ folder: '/a/', beside: '/b/' })
    stream.send('hello', { stream: 's', folder: '/a', beside: '/b' })
    await expect.poll(() => wire.names()).toEqual(['hello'])
    wire.connection.follow({ folder: '/a/', beside: '/b/' })
    wire.connection.follow({ folder: '/a/', beside: '/c/' })
    await expect.poll(() => wire.events.at(-1)?.data).toEqual({ stream: 's', folder: '/a/', beside: '/c/' })
    expect(wire.watched).toEqual([{ folder: '/a/', beside: '/c/' }])
  })

  it('opens a new stream if the server does not know the old one', async () => {
    const wire = new Wire()
    wire.connection.resume()
    const stream = await wire.opening(1)
    stream.send('hello', { stream: 's' })
    await expect.poll(() => wire.names()).toEqual(['hello'])
    wire.refuseWatch = { status: 404 }
    wire.connection.follow({ folder: '/b/' })
    const second = await wire.opening(2)
    expect(second.watched).toEqual({ folder: '/b/' })
  })

  it.each([
    { what: 'is gone', error: { status: 404, message: 'none' } },
    { what: 'is on a disk that is away', error: { status: 503, code: 'UNAVAILABLE', message: 'away' } },
  ])('continues without a folder that $what', async ({ error }) => {
    const wire = new Wire()
    wire.refuse = ({ folder }) => (folder === undefined ? undefined : new ApiError(error))
    wire.connection.follow({ folder: '/gone/' })
    wire.connection.resume()
    expect((await wire.opening(1)).watched).toEqual({})
    expect(wire.reach).not.toContain(false)
  })

  it('watches a folder in the same stream once its disk is back', async () => {
    const wire = new Wire()
    wire.connection.resume()
    const stream = await wire.opening(1)
    stream.send('hello', { stream: 's' })
    await expect.poll(() => wire.names()).toEqual(['hello'])
    wire.connection.watchAgain()
    wire.refuseWatch = { status: 503, code: 'UNAVAILABLE' }
    wire.connection.follow({ folder: '/usb/' })
    await expect.poll(() => wire.watched).toHaveLength(1)
    wire.refuseWatch = undefined
    await expect
      .poll(() => {
        wire.connection.watchAgain()
        return wire.events.at(-1)?.data
      })
      .toEqual({ stream: 's', folder: '/usb/' })
    expect(wire.opened).toHaveLength(1)
    expect(wire.reach).not.toContain(false)
  })

  it('does not reconnect after the session has ended', async () => {
    const wire = new Wire()
    wire.connection.resume()
    const stream = await wire.opening(1)
    stream.send('hello', { stream: 's' })
    stream.send('session', { end: 'revoked' })
    stream.end()
    await expect.poll(() => wire.names()).toEqual(['hello', 'session'])
    expect(wire.opened).toHaveLength(1)
    expect(wire.waits).toEqual([])
  })

  it('closes the connection while it is paused', async () => {
    const wire = new Wire()
    wire.connection.resume()
    const stream = await wire.opening(1)
    wire.connection.pause()
    expect(stream.signal.aborted).toBe(true)
    wire.connection.resume()
    await wire.opening(2)
  })
})
