import { useEffect } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { KeysComing } from '../../kit/keyboard/keys-coming.tsx'
import { carriesFiles } from '../../lib/carries-files.ts'
import type { FolderUploads } from './folder-uploads.ts'
import { dropPlaceAt } from './late/drop-place.ts'
import type { Grid } from './grid/use-grid.ts'

interface EarlyDropsProps {
  readonly folder: VirtualPath
  readonly grid?: Grid
  readonly uploads: FolderUploads
}

/** Takes files that are dropped or pasted, and keeps keys, while the code that does so with all its help is on its way. */
export function EarlyDrops({ folder, grid, uploads }: EarlyDropsProps) {
  const mayCreate = useUser()?.perm.create ?? false
  useEffect(() => {
    const listening = new AbortController()
    const take = (event: DragEvent | ClipboardEvent): void => {
      const transfer = event instanceof DragEvent ? event.dataTransfer : event.clipboardData
      if (!carriesFiles(transfer)) return
      // Else the browser leaves the page for the file.
      event.preventDefault()
      if (!mayCreate) transfer.dropEffect = 'none'
      else if (event.type === 'drop') uploads.take(transfer, dropPlaceAt(event.target, folder, grid).folder)
      else if (event.type === 'paste') uploads.take(transfer, folder)
    }
    for (const type of ['dragover', 'drop', 'paste'] as const) addEventListener(type, take, listening)
    return () => listening.abort()
  }, [folder, grid, uploads, mayCreate])
  return <KeysComing />
}
