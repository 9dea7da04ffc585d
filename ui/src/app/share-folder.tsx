import { useState } from 'react'
import { sortEntries } from '../files/list/sort/sort-entries.ts'
import { ReadOnlyList } from '../files/list/read-only-list.tsx'
import { FolderPage } from '../public/folder-page.tsx'
import type { FolderProps } from '../public/open-share.ts'
import { createStore } from '../lib/create-store.ts'
import { createLateWork, WorkProvider } from '../files/actions/late-work.tsx'
import type { Arrival } from '../files/actions/work.ts'

/** A folder behind a link, listed as one's own folders are. Visitors change nothing: nobody does the work that is offered. */
export function ShareFolder(props: FolderProps) {
  const [work] = useState(() => createLateWork(createStore<Arrival | null>(null)))
  return (
    <WorkProvider value={work}>
      <FolderPage {...props} FolderList={ReadOnlyList} sortEntries={sortEntries} />
    </WorkProvider>
  )
}
