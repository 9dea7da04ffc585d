import { createStore, del, entries, keys, set } from 'idb-keyval'
import { markKeptUploads } from '../kept-mark.ts'
import type { QueueStore } from './upload-memory.ts'

/** In the browser, where also handles of files can be kept. */
export function openBrowserStore(): QueueStore {
  const store = createStore('filemgr-uploads', 'queues')
  return {
    entries: () => entries(store),
    count: async () => (await keys(store)).length,
    set: (key, queue) => set(key, queue, store),
    delete: (key) => del(key, store),
    mark: markKeptUploads,
  }
}
