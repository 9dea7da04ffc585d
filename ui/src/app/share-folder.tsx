import { sortEntries } from '../files/list/sort/sort-entries.ts'
import { ReadOnlyList } from '../files/list/read-only-list.tsx'
import { FolderPage } from '../public/folder-page.tsx'
import type { FolderProps } from '../public/open-share.ts'

/** A folder behind a link, listed as one's own folders are. */
export function ShareFolder(props: FolderProps) {
  return <FolderPage {...props} FolderList={ReadOnlyList} sortEntries={sortEntries} />
}
