import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Store } from '../../lib/create-store.ts'
import type { Arrival } from '../actions/work.ts'

/** What a folder needs of uploads. The app hands it in, since features do not know each other. */
export interface FolderUploads {
  /** Opens the file dialog of the browser. */
  pick(kind: 'files' | 'folder', target: VirtualPath): void
  /** Takes what is dropped or pasted; call it while the event is handled, the browser empties the transfer after it. */
  take(transfer: DataTransfer, target: VirtualPath): void
  readonly lastArrival: Store<Arrival | null>
}

export type MakeEntry = (kind: 'folder' | 'file') => void
