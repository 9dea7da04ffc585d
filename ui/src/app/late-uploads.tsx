import { createContext, useContext } from 'react'
import type { FolderUploads } from '../features/files/folder-uploads.ts'
import { takeDropped } from '../features/uploads/dropped-entries.ts'
import type { Uploads } from '../features/uploads/uploads.ts'
import { createStore } from '../lib/create-store.ts'

export interface LateUploads extends FolderUploads {
  /** Called once the uploads are there; what was asked before is done then. */
  ready(uploads: Uploads): void
}

/** Lets a folder ask for uploads while their code is still on its way, so that the first rows need not wait for it. */
export function createLateUploads(): LateUploads {
  const { promise, resolve } = Promise.withResolvers<Uploads>()
  const lastArrival = createStore<ReturnType<FolderUploads['lastArrival']['get']>>(null)
  return {
    lastArrival,
    pick: (kind, target) => void promise.then((uploads) => uploads.pick(kind, target)),
    take(transfer, target) {
      const dropped = takeDropped(transfer)
      void promise.then((uploads) => uploads.receive(dropped, target))
    },
    ready(uploads) {
      uploads.lastArrival.subscribe(() => lastArrival.set(uploads.lastArrival.get()))
      resolve(uploads)
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
