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
  /** There are more than the server tells. */
  readonly cut: boolean
}

export interface SearchRun {
  readonly state: Store<SearchState>
  stop(): void
}

interface SearchRunOptions {
  /** The folder that is searched, with a slash at its end. */
  readonly folder: string
  /** Lines of the answer, as they arrive. */
  readonly lines: (signal: AbortSignal) => AsyncIterable<readonly string[]>
  readonly onError: (error: unknown) => void
}

/** Milliseconds between two changes of what is shown: each draws the list anew. */
const SHOWN_EVERY = 80

/** One search, from its start to its end. */
export function createSearchRun({ folder, lines, onError }: SearchRunOptions): SearchRun {
  const state = createStore<SearchState>({ status: 'running', hits: [], cut: false })
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
    // A heartbeat before the first hit is an empty line too; behind hits it says that there are more.
    state.set({ status, hits: found, cut: status === 'complete' && lastLine === '' && found.length > 0 })
  }
  const read = async () => {
    for await (const part of lines(stopping.signal)) {
      for (const line of part) if (line !== '') found.push(readHit(line, folder))
      lastLine = part.at(-1)
      timer ??= setTimeout(show, found.length === part.length ? 0 : SHOWN_EVERY)
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
