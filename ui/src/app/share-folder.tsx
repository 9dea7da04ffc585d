import { sortEntries } from '../features/files/sort/sort-entries.ts'
import { ReadOnlyList } from '../features/files/read-only-list.tsx'
import { FolderPage } from '../features/public/folder-page.tsx'
import type { FolderProps } from '../features/public/public-parts.ts'

/** A folder behind a link, listed as one's own folders are. */
export function ShareFolder(props: FolderProps) {
  return <FolderPage {...props} FolderList={ReadOnlyList} sortEntries={sortEntries} />
}
