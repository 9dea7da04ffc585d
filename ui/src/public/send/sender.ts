import type { LinkView, Receipt } from '../../../../src/domain/shares/share-terms.ts'
import { ApiError } from '../../api/api-error.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import { sendFile, whenReachable } from './send-file.ts'
import { type ArrivedFile, type FileFacts, isSameFile } from './send-memory.ts'
import {
  discard,
  fetchArrivedBytes,
  fetchReceipt,
  idOf,
  isLinkReachable,
  type SendTarget,
  withdraw,
} from './send-target.ts'

export type SendProblem = 'type' | 'size' | 'full' | 'count' | 'connection' | 'changed' | 'other'

/** A file that the visitor has chosen. */
export interface SentFile extends FileFacts {
  readonly key: number
  /** Undefined if the file was chosen before the page was reloaded. */
  readonly file?: File
  /** An interrupted upload continues when the visitor chooses the file again. */
  readonly state: 'interrupted' | 'waiting' | 'sending' | 'sent' | 'failed' | 'removed'
  /** Bytes. */
  readonly sent: number
  /** Whether the server cannot be reached at the moment. */
  readonly isLost?: boolean
  readonly problem?: SendProblem | undefined
  /** Set once the file has arrived. */
  readonly id?: string
  readonly receipt?: Receipt | undefined
}

export interface Sender {
  readonly files: Store<readonly SentFile[]>
  /** Lists what was sent before the page was loaded. */
  restore(): Promise<void>
  /** The name of the visitor, kept for later visits. While it is "" and the link asks for it, files wait. */
  readonly from: Store<string>
  sendAs(name: string): void
  add(files: readonly File[]): void
  /** Adds files of which one continues an interrupted upload. If none does, nothing is added and the upload says so. */
  resume(key: number, chosen: readonly File[]): void
  retry(key: number): void
  /** Cancels a file on its way, or removes a sent one. @throws ApiError */
  remove(key: number): Promise<void>
}

interface SenderDeps {
  readonly target: SendTarget
  readonly link: () => LinkView | undefined
  /** Called when all files have arrived or failed, and after each removal. */
  readonly onDone: () => void
  readonly send?: typeof sendFile
}

/** Number of files that are sent at the same time. */
const CONCURRENT = 2

/** Sends files to a link, in their order. */
export function createSender({ target, link, onDone, send = sendFile }: SenderDeps): Sender {
  const { memory } = target
  const files = createStore<readonly SentFile[]>([])
  const stops = new Map<number, AbortController>()
  const from = createStore(memory.from)
  const asksName = (): boolean => link()?.asksName === true
  let nextKey = 1

  const change = (key: number, facts: Partial<SentFile>): void =>
    files.set((all) => all.map((each) => (each.key === key ? { ...each, ...facts } : each)))
  const drop = (key: number): void => files.set((all) => all.filter((each) => each.key !== key))

  const keepArrived = (): void =>
    memory.keepArrived(
      files
        .get()
        .flatMap(({ name, size, lastModified, state, id }) =>
          state === 'sent' && id !== undefined ? { name, size, lastModified, id } : [],
        ),
    )

  /** Undefined if the receipt cannot be fetched. */
  const receiptOf = async (id: string, signal: AbortSignal, onLost: () => void): Promise<Receipt | undefined> => {
    const isReachable = async () => await isLinkReachable(target, signal)
    const work = async () => await fetchReceipt(target, id, signal)
    return await whenReachable(work, { signal, isReachable, onLost }).catch(() => undefined)
  }

  const run = async ({ key, file }: SentFile): Promise<void> => {
    if (file === undefined) return
    const stop = new AbortController()
    const { signal } = stop
    stops.set(key, stop)
    change(key, { state: 'sending', problem: undefined, isLost: false })
    try {
      const onProgress = (sent: number): void => change(key, { sent, isLost: false })
      const onLost = (): void => change(key, { isLost: true })
      const name = asksName() ? from.get() : ''
      const id = await send(target, { file, from: name, signal, onProgress, onLost })
      change(key, { state: 'sent', id, sent: file.size, isLost: false })
      keepArrived()
      change(key, { receipt: await receiptOf(id, signal, onLost), isLost: false })
    } catch (error) {
      if (!signal.aborted) change(key, { state: 'failed', problem: problemOf(error) })
    }
    stops.delete(key)
    next()
    if (stops.size === 0) onDone()
  }

  const next = (): void => {
    if (asksName() && from.get() === '') return
    const waiting = files.get().filter(({ state }) => state === 'waiting')
    for (const each of waiting.slice(0, CONCURRENT - stops.size)) void run(each)
  }

  const isListed = (file: FileFacts): boolean => files.get().some((each) => isSameFile(each, file))

  /** Lists an upload that an earlier page began. It may have arrived since, or be lost. */
  const restoreBegun = async (begun: FileFacts): Promise<void> => {
    const address = memory.addressOf(begun) ?? ''
    // The request below would cut off a part that is being sent.
    if (isListed(begun)) return
    const sent = await fetchArrivedBytes(address).catch(() => null)
    if (isListed(begun)) return
    if (sent === undefined) {
      memory.end(begun)
      return
    }
    const key = nextKey++
    const hasArrived = sent === begun.size
    const facts = hasArrived ? ({ state: 'sent', id: idOf(address) } as const) : ({ state: 'interrupted' } as const)
    files.set((all) => [...all, { ...begun, key, sent: sent ?? 0, ...facts }])
    if (!hasArrived) return
    memory.end(begun)
    keepArrived()
    change(key, { receipt: await fetchReceipt(target, idOf(address)).catch(() => undefined) })
  }

  const add = (chosen: readonly File[]): void => {
    const isOnItsWay = (file: File): boolean =>
      files.get().some((each) => ['waiting', 'sending'].includes(each.state) && isSameFile(each, file))
    const begun = files.get().filter(({ state }) => state === 'interrupted')
    const added = chosen
      .filter((file) => !isOnItsWay(file))
      .map((file): SentFile => {
        // The link has already counted an unfinished upload.
        const problem = memory.addressOf(file) === undefined ? refusalOf(file, link()) : undefined
        const { name, size, lastModified } = file
        const sent = begun.find((each) => isSameFile(each, file))?.sent ?? 0
        const state = problem === undefined ? 'waiting' : 'failed'
        return { key: nextKey++, file, name, size, lastModified, sent, state, problem }
      })
    const isContinued = (each: SentFile): boolean =>
      each.state === 'interrupted' && added.some((file) => isSameFile(each, file))
    files.set((all) => [...all.filter((each) => !isContinued(each)), ...added])
    next()
  }

  return {
    files,
    from,
    add,
    sendAs(name) {
      from.set(name)
      memory.keepFrom(name)
      next()
    },
    async restore() {
      const isKnown = ({ id }: ArrivedFile): boolean => files.get().some((each) => each.id === id)
      const arrived = memory
        .arrived()
        .filter((each) => !isKnown(each))
        .map((each): SentFile => ({ ...each, key: nextKey++, state: 'sent', sent: each.size }))
      files.set((all) => [...arrived, ...all])
      const receipts = arrived.map(async ({ key, id = '' }) => {
        try {
          change(key, { receipt: await fetchReceipt(target, id) })
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) drop(key)
        }
      })
      await Promise.all([...receipts, ...memory.begun().map(restoreBegun)])
    },
    resume(key, chosen) {
      const item = files.get().find((each) => each.key === key)
      if (item === undefined || chosen.some((file) => isSameFile(file, item))) add(chosen)
      else change(key, { problem: 'changed' })
    },
    retry(key) {
      change(key, { state: 'waiting', problem: undefined })
      next()
    },
    async remove(key) {
      const item = files.get().find((each) => each.key === key)
      if (item === undefined) return
      if (item.state === 'sent' && item.id !== undefined) {
        await withdraw(target, item.id)
        change(key, { state: 'removed' })
        keepArrived()
        onDone()
        return
      }
      stops.get(key)?.abort(new DOMException('cancelled', 'AbortError'))
      drop(key)
      const address = memory.addressOf(item)
      if (address === undefined) return
      memory.end(item)
      await discard(target, idOf(address))
      onDone()
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
  if (filesLeft === 0) return 'count'
  return bytesLeft !== null && size > bytesLeft ? 'full' : undefined
}

function problemOf(error: unknown): SendProblem {
  if (!(error instanceof ApiError)) return 'other'
  if (error.status === 0) return 'connection'
  if (error.field === 'types') return 'type'
  if (error.field === 'maxFileBytes') return 'size'
  if (error.field === 'maxFiles' || error.reason === 'files') return 'count'
  return error.status === 413 || error.status === 507 ? 'full' : 'other'
}
