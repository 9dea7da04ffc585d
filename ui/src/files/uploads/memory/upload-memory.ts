import type { UploadItem, UploadTask } from '../queue/upload-item.ts'

export interface KeptQueue {
  readonly savedAt: number
  readonly tasks: readonly KeptTask[]
}

/** Storage of queues between visits, by key. */
export interface QueueStore {
  entries(): Promise<[string, KeptQueue][]>
  set(key: string, queue: KeptQueue): Promise<void>
  delete(key: string): Promise<void>
  /** Moves the uploads of other queues to the queue `own`, in one transaction, and returns them. */
  adopt(keys: readonly string[], own: string, now: number): Promise<KeptTask[]>
}

/** "Does this queue belong to an open window?" and the answer "yes". */
type WindowMessage = { readonly ask: string } | { readonly alive: string }

interface UploadMemoryDeps {
  readonly store: QueueStore
  /** The other windows of this browser. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>
  /** The account; others do not see these uploads. */
  readonly owner: string
  /** Identifies this page among the windows. */
  readonly id: string
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Milliseconds for another window to claim its queue. */
const REPLY_TIMEOUT = 400
/** Milliseconds. The server has discarded the parts of older uploads. */
const MAX_AGE = 7 * 24 * 60 * 60 * 1000

/** Saves the queue of this page, and finds those of closed pages. Open windows keep theirs. */
export function createUploadMemory({ store, channel, owner, id, now, wait }: UploadMemoryDeps) {
  const prefix = `${owner}\n`
  const own = prefix + id
  const alive = new Set<string>()
  channel.addEventListener('message', ({ data }: MessageEvent<WindowMessage>) => {
    if ('alive' in data) alive.add(data.alive)
    else if (data.ask === own) channel.postMessage({ alive: own } satisfies WindowMessage)
  })

  return {
    /** Takes over the unfinished uploads of closed pages. Saves them as this page's own before returning them. */
    async takeOver(): Promise<KeptTask[]> {
      const others = (await store.entries()).filter(([key]) => key.startsWith(prefix) && key !== own)
      if (others.length === 0) return []
      for (const [ask] of others) channel.postMessage({ ask } satisfies WindowMessage)
      await wait(REPLY_TIMEOUT)
      const orphans = others.filter(([key]) => !alive.has(key))
      const isOld = ([, { savedAt }]: [string, KeptQueue]): boolean => now() - savedAt >= MAX_AGE
      for (const [key] of orphans.filter(isOld)) await store.delete(key)
      const fresh = orphans.filter((orphan) => !isOld(orphan)).map(([key]) => key)
      return fresh.length === 0 ? [] : await store.adopt(fresh, own, now())
    },
    async save(tasks: readonly KeptTask[]) {
      await (tasks.length === 0 ? store.delete(own) : store.set(own, { savedAt: now(), tasks }))
    },
    close: () => channel.close(),
  }
}

/** An upload as stored between visits. */
export interface KeptTask extends UploadTask {
  readonly sent: number
  /** Paused: resumes only when the user asks. */
  readonly paused: boolean
}

/** The uploads to save: all that are unfinished. */
export function keptTasks(items: readonly UploadItem[]): KeptTask[] {
  return items
    .filter(({ state }) => state !== 'done')
    .map(({ kind, target, source, path, group, override, size, modified, begun, origin, sent, state, wasPaused }) => ({
      kind,
      target,
      source,
      path,
      group,
      override,
      size,
      modified,
      begun,
      origin,
      sent: begun ? sent : 0,
      paused: state === 'paused' || (state === 'missing' && wasPaused),
    }))
}
