import { withdrawFromLink } from '../../../../src/api/files/public.ts'
import type { LinkView, Receipt } from '../../../../src/domain/access/share-terms.ts'
import { ApiError } from '../../api/api-error.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import { fetchReceipt, sendFile, type SendTarget } from './send-file.ts'

export type SendProblem = 'type' | 'size' | 'full' | 'connection' | 'other'

/** A file that the visitor has chosen. */
export interface SentFile {
  readonly key: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed' | 'removed'
  /** Bytes. */
  readonly sent: number
  readonly problem?: SendProblem | undefined
  readonly receipt?: Receipt | undefined
}

export interface Sender {
  readonly files: Store<readonly SentFile[]>
  /** @param from name of the visitor, "" if it is not wanted */
  add(files: readonly File[], from: string): void
  retry(key: number): void
  /** Cancels a file on its way, or removes a sent one. @throws ApiError */
  remove(key: number): Promise<void>
}

/** Files that are sent at a time. */
const CONCURRENT = 2

/** Sends files to a link, in their order. @param onDone called when all have arrived or failed, and when one was removed */
export function createSender(target: SendTarget, link: () => LinkView | undefined, onDone: () => void): Sender {
  const files = createStore<readonly SentFile[]>([])
  const stops = new Map<number, AbortController>()
  const names = new Map<number, string>()
  const ids = new Map<number, string>()
  let nextKey = 1

  const change = (key: number, facts: Partial<SentFile>): void =>
    files.set((all) => all.map((each) => (each.key === key ? { ...each, ...facts } : each)))

  const run = async ({ key, file }: SentFile): Promise<void> => {
    const stop = new AbortController()
    stops.set(key, stop)
    change(key, { state: 'sending', problem: undefined })
    try {
      const onProgress = (sent: number): void => change(key, { sent })
      const id = await sendFile(target, { file, from: names.get(key) ?? '', signal: stop.signal, onProgress })
      ids.set(key, id)
      change(key, { state: 'sent', sent: file.size, receipt: await fetchReceipt(target, id).catch(() => undefined) })
    } catch (error) {
      if (!stop.signal.aborted) change(key, { state: 'failed', problem: problemOf(error) })
    }
    stops.delete(key)
    next()
    if (stops.size === 0) onDone()
  }

  const next = (): void => {
    const waiting = files.get().filter(({ state }) => state === 'waiting')
    for (const each of waiting.slice(0, CONCURRENT - stops.size)) void run(each)
  }

  return {
    files,
    add(chosen, from) {
      const added = chosen.map((file): SentFile => {
        const key = nextKey++
        names.set(key, from)
        const problem = refusalOf(file, link())
        return { key, file, sent: 0, state: problem === undefined ? 'waiting' : 'failed', problem }
      })
      files.set((all) => [...all, ...added])
      next()
    },
    retry(key) {
      change(key, { state: 'waiting' })
      next()
    },
    async remove(key) {
      const id = ids.get(key)
      const { hash, token, client } = target
      if (id !== undefined) {
        const query = token === undefined ? {} : { token }
        await client.call(withdrawFromLink, { params: { '*': `${hash}/${id}` }, query })
        onDone()
      }
      stops.get(key)?.abort(new DOMException('cancelled', 'AbortError'))
      if (id === undefined) files.set((all) => all.filter((each) => each.key !== key))
      else change(key, { state: 'removed' })
    },
  }
}

/** Why the link does not take a file, known before anything is sent. */
function refusalOf({ name, size }: File, link: LinkView | undefined): SendProblem | undefined {
  if (link === undefined) return undefined
  const { types, maxFileBytes, bytesLeft, filesLeft } = link
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (types.length > 0 && !types.includes(extension)) return 'type'
  if (maxFileBytes > 0 && size > maxFileBytes) return 'size'
  return filesLeft === 0 || (bytesLeft !== null && size > bytesLeft) ? 'full' : undefined
}

function problemOf(error: unknown): SendProblem {
  if (!(error instanceof ApiError)) return 'other'
  if (error.status === 0) return 'connection'
  if (error.field === 'types') return 'type'
  if (error.field === 'maxFileBytes') return 'size'
  return error.status === 413 ? 'full' : 'other'
}
