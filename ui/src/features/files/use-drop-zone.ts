import { useEffect, useRef, useState, type DragEvent } from 'react'
import { childOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lastSegment } from '../../lib/app-path.ts'
import type { FolderUploads } from './folder-uploads.ts'
import type { Grid } from './grid/use-grid.ts'
import { entryNameAt } from './grid/use-grid-handlers.ts'

interface DropZoneOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly uploads: FolderUploads
  readonly mayCreate: boolean
}

export interface DropZone {
  /** The folder of this listing under the pointer. */
  readonly target: string | null
  /** Says where a drop would go, or why it is refused; null while nothing is dragged. */
  readonly message: string | null
  readonly refused: boolean
  readonly handlers: {
    onDragOver(event: DragEvent): void
    onDragLeave(event: DragEvent): void
    onDrop(event: DragEvent): void
  }
}

/** Takes files from the desktop: into the folder under the pointer, else into the one that is open. Pasted files too. */
export function useDropZone({ folder, grid, uploads, mayCreate }: DropZoneOptions): DropZone {
  const t = useText()
  const [over, setOver] = useState<{ target: string | null } | null>(null)
  usePaste(uploads, folder, mayCreate)

  const folderAt = (event: DragEvent): string | null => {
    const name = entryNameAt(event.target)
    return name !== null && grid.entryOf(name)?.isDir === true ? name : null
  }
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = mayCreate ? 'copy' : 'none'
      const target = mayCreate ? folderAt(event) : null
      setOver((before) => (before !== null && before.target === target ? before : { target }))
    },
    onDragLeave(event: DragEvent) {
      const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
      if (!inside) setOver(null)
    },
    onDrop(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(null)
      const name = folderAt(event)
      if (mayCreate) uploads.take(event.dataTransfer, name === null ? folder : childOf(folder, name))
    },
  }
  const shown = over?.target ?? (lastSegment(folder) || t('files.root'))
  const message = mayCreate ? t('files.dropHere', { folder: shown }) : t('files.dropRefused')
  return { target: over?.target ?? null, message: over && message, refused: !mayCreate, handlers }
}

function usePaste(uploads: FolderUploads, folder: VirtualPath, mayCreate: boolean): void {
  const latest = useRef({ uploads, folder })
  useEffect(() => {
    latest.current = { uploads, folder }
  })
  useEffect(() => {
    if (!mayCreate) return
    const paste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || !carriesFiles(event.clipboardData) || isElsewhere(event.target)) return
      event.preventDefault()
      latest.current.uploads.take(event.clipboardData, latest.current.folder)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [mayCreate])
}

/** A field or a prompt takes what is pasted for itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [role=dialog]') !== null
}

/** Told apart from a drag inside the page. */
function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
