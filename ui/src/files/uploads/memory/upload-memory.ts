import type { KeptTask } from './kept-task.ts'

export interface KeptQueue {
  readonly savedAt: number
  readonly tasks: readonly KeptTask[]
}

/** Where queues lie between visits, by key. */
export interface QueueStore {
  entries(): Promise<[string, KeptQueue][]>
  set(key: string, queue: KeptQueue): Promise<void>
  delete(key: string): Promise<void>
}

type Question = { readonly ask: string } | { readonly alive: string }

interface UploadMemoryDeps {
  readonly store: QueueStore
  /** The other windows of this browser. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>
  /** Whose uploads: nobody else sees them. */
  readonly owner: string
  /** Of this page. */
  readonly id: string
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** How long another window may take to say that its queue is its own. */
const ANSWER_WITHIN = 400
/** The server has forgotten such long ago. */
const LONGEST = 7 * 24 * 60 * 60 * 1000

export interface UploadMemory {
  /** What pages that are no more have left; from now on it is this page's. */
  takeOver(): Promise<KeptTask[]>
  save(tasks: readonly KeptTask[]): Promise<void>
  close(): void
}

/** Keeps the queue of this page, and finds those of pages that were closed. Windows that live keep theirs. */
export function createUploadMemory({ store, channel, owner, id, now, wait }: UploadMemoryDeps): UploadMemory {
  const prefix = `${owner}\n`
  const own = prefix + id
  const alive = new Set<string>()
  channel.addEventListener('message', ({ data }: MessageEvent<Question>) => {
    if ('alive' in data) alive.add(data.alive)
    else if (data.ask === own) channel.postMessage({ alive: own } satisfies Question)
  })

  return {
    async takeOver() {
      const left = (await store.entries()).filter(([key]) => key.startsWith(prefix) && key !== own)
      if (left.length === 0) return []
      for (const [ask] of left) channel.postMessage({ ask } satisfies Question)
      await wait(ANSWER_WITHIN)
      const orphans = left.filter(([key]) => !alive.has(key))
      for (const [key] of orphans) await store.delete(key)
      return orphans.filter(([, { savedAt }]) => now() - savedAt < LONGEST).flatMap(([, { tasks }]) => tasks)
    },
    async save(tasks) {
      await (tasks.length === 0 ? store.delete(own) : store.set(own, { savedAt: now(), tasks }))
    },
    close: () => channel.close(),
  }
}
