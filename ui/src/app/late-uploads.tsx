import { createContext, useContext } from 'react'
import type { FolderUploads } from '../files/list/folder-uploads.ts'
import { takeDropped } from '../files/uploads/dropped-entries.ts'
import { pickFiles } from '../files/uploads/pick-files.ts'
import type { Uploads } from '../files/uploads/uploads.ts'
import { createStore, type Store } from '../lib/create-store.ts'

export interface LateUploads extends FolderUploads {
  /** Whether somebody has asked for an upload: its code is fetched then. */
  readonly wanted: Store<boolean>
  /** Called when the uploads are there, and for another user again; what was asked before is done then. Returns how to leave. */
  ready(uploads: Uploads): () => void
}

/** Lets a folder ask for uploads while their code is still on its way, so that the first rows need not wait for it. */
export function createLateUploads(): LateUploads {
  const { promise, resolve } = Promise.withResolvers<Uploads>()
  let current = promise
  const wanted = createStore(false)
  const ask = (act: (uploads: Uploads) => void): void => {
    wanted.set(true)
    void current.then(act)
  }
  const lastArrival = createStore<ReturnType<FolderUploads['lastArrival']['get']>>(null)
  return {
    lastArrival,
    wanted,
    pick(kind, target) {
      const files = pickFiles(kind)
      ask((uploads) => uploads.send(files, target))
    },
    take(transfer, target) {
      const dropped = takeDropped(transfer)
      ask((uploads) => uploads.receive(dropped, target))
    },
    ready(uploads) {
      resolve(uploads)
      current = Promise.resolve(uploads)
      return uploads.lastArrival.subscribe(() => lastArrival.set(uploads.lastArrival.get()))
    },
  }
}

const LateUploadsContext = createContext<LateUploads | undefined>(undefined)

export const LateUploadsProvider = LateUploadsContext.Provider

export function useLateUploads(): LateUploads {
  const uploads = useContext(LateUploadsContext)
  if (uploads === undefined) throw new Error('LateUploadsProvider is missing above this component')
  return uploads
}
