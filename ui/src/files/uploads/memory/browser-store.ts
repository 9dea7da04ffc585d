import { createStore, del, entries, set } from 'idb-keyval'
import type { QueueStore } from './upload-memory.ts'

/** IndexedDB, which can also keep file handles. */
export function openBrowserStore(): QueueStore {
  const store = createStore('filemgr-uploads', 'queues')
  return {
    entries: () => entries(store),
    set: (key, queue) => set(key, queue, store),
    delete: (key) => del(key, store),
  }
}
