import type { ServerEvent } from '../../../src/domain/automation/event.ts'
import { ApiError, isUnreachable, noConnection } from './api-error.ts'
import { openEvents, watchFolder } from '../../../src/api/automation/events.ts'
import type { Client } from './client.ts'

/** At most two folders, in alphabetic order. */
export interface Watched {
  readonly folder?: string
  readonly beside?: string
}

interface LiveTransport {
  /** Opens a stream that watches these folders. @throws ApiError */
  open(watched: Watched, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Makes an open stream watch other folders. @throws ApiError */
  watch(stream: string, watched: Watched): Promise<unknown>
}

interface LiveConnectionDeps {
  readonly transport: LiveTransport
  /** Receives every event; a "hello" also after the watched folders changed, a "gap" also after a lost connection. */
  readonly notify: (event: ServerEvent) => void
  /** Reports whether the server can be reached. Short restarts are not reported. */
  readonly onReach: (isReachable: boolean) => void
  readonly wait?: typeof waitFor
}

const FIRST_WAIT = 1000
const MAX_WAIT = 10_000

interface OpenStream {
  readonly id: string
  watched: Watched
  /** Closes the stream; a new one is opened. */
  readonly close: () => void
}

export function createLiveConnection({ transport, notify, onReach, wait = waitFor }: LiveConnectionDeps) {
  let folders: Watched = {}
  let refused: Watched | undefined
  /** The refused folders are on a disk that is away, which comes back. */
  let isFolderAway = false
  let stream: OpenStream | undefined
  let running: AbortController | undefined
  let waiting: AbortController | undefined
  let wasConnected = false

  /** Passes events on until the stream ends. After `over`, retrying is pointless. */
  async function listen(outer: AbortSignal): Promise<'lost' | 'over'> {
    const inner = new AbortController()
    const signal = AbortSignal.any([outer, inner.signal])
    const requested = folders === refused ? {} : folders
    const body = await transport.open(requested, signal)
    for await (const event of eventsIn(body, () => inner.abort())) {
      if (event.name === 'hello') {
        onReach(true)
        stream = { id: event.data.stream, watched: requested, close: () => inner.abort() }
        notify(event)
        if (wasConnected) notify({ name: 'gap', data: {} })
        wasConnected = true
        void moveOn()
      } else notify(event)
      if (event.name === 'session') return 'over'
    }
    return 'lost'
  }

  function refuse(watched: Watched, isAway: boolean): void {
    refused = watched
    isFolderAway = isAway
  }

  /** Switches to the folders that the page has moved to meanwhile. */
  async function moveOn(): Promise<void> {
    const open = stream
    while (open !== undefined && open === stream && open.watched !== folders && folders !== refused) {
      const next = folders
      try {
        await transport.watch(open.id, next)
      } catch (error) {
        if (isOfFolderAway(error)) {
          refuse(next, true)
          return
        }
        // Either the server has forgotten the stream or a folder cannot be watched. A new stream shows which.
        open.close()
        return
      }
      open.watched = next
      notify({ name: 'hello', data: { stream: open.id, ...next } })
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const before = folders
      let isAway = false
      try {
        if ((await listen(signal)) === 'over') return
      } catch (error) {
        const status = statusOf(error)
        if (status === 401) return
        // Above 504 are the statuses with which content delivery networks report that the server does not answer.
        // The disk of a folder, while the server answers.
        const isOfFolder = isOfFolderAway(error) && refused !== before
        isAway = !isOfFolder && (isUnreachable(error) || status > 504)
        if (isOfFolder || (status >= 400 && status < 500)) refuse(before, isOfFolder)
      }
      if (stream !== undefined) failures = 0
      if (isAway && failures > 0) onReach(false)
      stream = undefined
      waiting = new AbortController()
      const pause = Math.min(FIRST_WAIT * 2 ** failures, MAX_WAIT)
      await wait(pause, AbortSignal.any([signal, waiting.signal]))
    }
  }

  return {
    /** Watches these folders from now on. */
    follow(next: { readonly [Each in keyof Watched]: string | undefined }) {
      if (folders.folder === next.folder && folders.beside === next.beside) return
      // Requests leave out what is undefined.
      folders = next as Watched
      refused = undefined
      isFolderAway = false
      void moveOn()
    },
    /** Watches folders whose disk was away, after one of them could be read. */
    watchAgain(): void {
      if (!isFolderAway) return
      isFolderAway = false
      refused = undefined
      void moveOn()
    },
    /** Connects, or retries at once. */
    resume(): void {
      if (running !== undefined) return waiting?.abort()
      const controller = new AbortController()
      running = controller
      void run(controller.signal).finally(() => {
        if (running === controller) running = undefined
      })
    },
    /** Closes the connection until `resume`: browsers allow only a few for all tabs. */
    pause() {
      running?.abort()
      running = undefined
      stream = undefined
    },
  }
}

/** One event stream for the whole page. It reconnects automatically. */
export type LiveConnection = ReturnType<typeof createLiveConnection>

function isOfFolderAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAVAILABLE'
}

/** Status 0 for a lost connection. Any other error is a bug and is rethrown. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.status
  if (error instanceof TypeError || error instanceof DOMException) return 0
  throw error
}

/** Resolves after a delay, or when aborted. */
export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Authenticates with the header like all calls: the cookie may be blocked or belong to another session. */
export function createLiveTransport(client: Client): LiveTransport {
  return {
    async open(query, signal) {
      const sent = client.authHeaders()
      const headers = { ...sent, Accept: 'text/event-stream, application/json' }
      const url = client.url(openEvents, { query })
      const response = await fetch(url, { headers, signal, cache: 'no-store' }).catch(noConnection)
      client.handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
      if (!response.ok || response.body === null) throw await ApiError.from(response)
      return response.body
    },
    watch: (stream, body) => client.call(watchFolder, { params: { stream }, body }),
  }
}

/**
 * The server sends something at least every 15 s. A longer silence means a dead connection, for example after sleep.
 */
const SILENCE_TIMEOUT = 45_000

/**
 * Reads server-sent events. `EventSource` cannot send an auth header.
 *
 * @param onSilence called when nothing has arrived for a while
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  onSilence: () => void,
  silence = SILENCE_TIMEOUT,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let timer = setTimeout(onSilence, silence)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(onSilence, silence)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    clearTimeout(timer)
    // The reader has already reported the broken connection.
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => splitField(line)))
  const name = fields.get('event')
  const data = fields.get('data')
  if (name === undefined || data === undefined) return undefined
  return { name, data: JSON.parse(data) as unknown } as ServerEvent
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}
