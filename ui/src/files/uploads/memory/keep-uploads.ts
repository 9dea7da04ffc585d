import type { Uploads } from '../uploads.ts'
import { supplyFromHandles } from './find-missing.ts'
import { type KeptQueue, type QueueStore, createUploadMemory, keptTasks } from './upload-memory.ts'
import { createStore, del, entries, promisifyRequest, set } from 'idb-keyval'

interface KeepOptions {
  readonly uploads: Pick<Uploads, 'state' | 'queue'>
  readonly baseUrl: string
  readonly userId: number
}

/** Milliseconds. */
const SAVE_AFTER = 300
/** Saving thousands of uploads is slow, above all their file handles. The next one waits this many times its duration. */
const WAIT_FACTOR = 10

/** Chromium may end the page before a write begun in `pagehide` completes, and `beforeunload` does not always fire. */
const LEAVING = ['beforeunload', 'pagehide'] as const

/**
 * Restores unfinished uploads of an earlier page and stores those of this one. If the browser refuses to store
 * anything, uploads end with the page.
 *
 * @returns a function that stops saving and keeps what is saved
 */
export function keepUploads({ uploads: { state, queue }, baseUrl, userId }: KeepOptions): () => void {
  const memory = createUploadMemory({
    store: openBrowserStore(),
    channel: new BroadcastChannel(`filemgr:uploads:${baseUrl}`),
    owner: `${baseUrl}\n${userId}`,
    id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
    now: Date.now,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let saved = state.get().version
  let took = 0
  const save = (): void => {
    timer = undefined
    saved = state.get().version
    const began = performance.now()
    void memory
      .save(keptTasks(state.get().items))
      .catch(ignoreStorageRefusal)
      .finally(() => (took = performance.now() - began))
  }
  const stopListening = state.subscribe(() => {
    if (state.get().version !== saved) timer ??= setTimeout(save, Math.max(SAVE_AFTER, took * WAIT_FACTOR))
  })
  const flush = (): void => {
    if (timer === undefined) return
    clearTimeout(timer)
    save()
  }
  for (const event of LEAVING) addEventListener(event, flush)
  let stopped = false
  void memory.takeOver().then((tasks) => {
    if (stopped) return
    queue.restore(tasks)
    const missing = queue.snapshot().items.filter((item) => item.state === 'missing')
    void supplyFromHandles(queue, missing, false)
  }, ignoreStorageRefusal)
  return () => {
    stopped = true
    flush()
    stopListening()
    for (const event of LEAVING) removeEventListener(event, flush)
    memory.close()
  }
}

/** Browsers refuse to store anything in private windows and on full disks. */
function ignoreStorageRefusal(error: unknown): void {
  if (!(error instanceof DOMException)) throw error
}

/** IndexedDB, which can also keep file handles. */
function openBrowserStore(): QueueStore {
  const store = createStore('filemgr-uploads', 'queues')
  return {
    entries: () => entries(store),
    set: (key, queue) => set(key, queue, store),
    delete: (key) => del(key, store),
    adopt: async (keys, own, savedAt) =>
      await store('readwrite', async (queues) => {
        const [ownQueue, ...others] = await Promise.all(
          [own, ...keys].map((key) => promisifyRequest<KeptQueue | undefined>(queues.get(key))),
        )
        // Another window may have taken some of them since.
        const adopted = others.flatMap((queue) => queue?.tasks ?? [])
        queues.put({ savedAt, tasks: [...(ownQueue?.tasks ?? []), ...adopted] } satisfies KeptQueue, own)
        for (const key of keys) queues.delete(key)
        await promisifyRequest(queues.transaction)
        return adopted
      }),
  }
}
