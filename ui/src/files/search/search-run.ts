import type { HitDetails, SearchHit } from '../../../../src/domain/files/search-query.ts'
import { createStore, type Store } from '../../lib/create-store.ts'

/** A hit. Its path starts at the user's root and has no slash at its end. */
export interface FoundEntry {
  readonly path: string
  readonly isDir: boolean
  /** As in a listing; undefined when the entry is gone. */
  readonly details?: HitDetails | undefined
}

export interface SearchState {
  readonly status: 'running' | 'complete' | 'stopped' | 'failed'
  readonly hits: readonly FoundEntry[]
  /** There are more hits than the server returns. */
  readonly cut: boolean
  /** Places that were left out because they are away. */
  readonly away: readonly string[]
}

export interface SearchRun {
  readonly state: Store<SearchState>
  stop(): void
}

interface SearchRunOptions {
  /** The folder that is searched, with a slash at its end. */
  readonly folder: string
  /** Lines of the response as they arrive. */
  readonly lines: (signal: AbortSignal, onAway: (names: readonly string[]) => void) => AsyncIterable<readonly string[]>
  readonly onError: (error: unknown) => void
}

/** Milliseconds between two updates: each renders the list again. */
const UPDATE_INTERVAL = 80

/** One search, from its start to its end. */
export function createSearchRun({ folder, lines, onError }: SearchRunOptions): SearchRun {
  const state = createStore<SearchState>({ status: 'running', hits: [], cut: false, away: [] })
  const stopping = new AbortController()
  const found: FoundEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastLine: string | undefined

  const show = () => {
    timer = undefined
    state.set((before) => ({ ...before, hits: found.slice() }))
  }
  const end = (status: SearchState['status']) => {
    clearTimeout(timer)
    // An empty last line means that there are more hits. Before the first hit it is only a heartbeat.
    const cut = status === 'complete' && lastLine === '' && found.length > 0
    state.set((before) => ({ ...before, status, hits: found, cut }))
  }
  const read = async () => {
    const onAway = (away: readonly string[]) => state.set((before) => ({ ...before, away }))
    for await (const part of lines(stopping.signal, onAway)) {
      for (const line of part) if (line !== '') found.push(readHit(line, folder))
      lastLine = part.at(-1)
      timer ??= setTimeout(show, found.length === part.length ? 0 : UPDATE_INTERVAL)
    }
  }
  read().then(
    () => end('complete'),
    (error: unknown) => {
      if (stopping.signal.aborted) return
      end('failed')
      onError(error)
    },
  )
  return {
    state,
    stop() {
      if (state.get().status !== 'running') return
      stopping.abort()
      end('stopped')
    },
  }
}

function readHit(line: string, folder: string): FoundEntry {
  const { dir, path, size = 0, modified, type = '' } = JSON.parse(line) as SearchHit & Partial<HitDetails>
  return { path: folder + path, isDir: dir, ...(modified !== undefined && { details: { size, modified, type } }) }
}
