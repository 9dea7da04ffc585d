import { useEffect, useRef, useState } from 'react'
import { childOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lastSegment } from '../../lib/app-path.ts'
import { carriesFiles } from '../../lib/carries-files.ts'
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
}

/**
 * Takes files from the desktop, wherever on the page they are dropped: into the folder under the pointer, else into the
 * one that is open. Pasted files too. A drop that nobody takes would make the browser leave the page for the file.
 */
export function useDropZone({ folder, grid, uploads, mayCreate }: DropZoneOptions): DropZone {
  const t = useText()
  const [over, setOver] = useState<{ target: string | null } | null>(null)
  const latest = useRef({ folder, grid, uploads })
  useEffect(() => {
    latest.current = { folder, grid, uploads }
  })
  useEffect(() => {
    const listening = new AbortController()
    const folderAt = (event: DragEvent): string | null => {
      const name = entryNameAt(event.target)
      return name !== null && latest.current.grid.entryOf(name)?.isDir === true ? name : null
    }
    const dragOver = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      const taken = mayCreate && !isElsewhere(event.target)
      event.dataTransfer.dropEffect = taken ? 'copy' : 'none'
      const target = taken ? folderAt(event) : null
      setOver((before) => (before !== null && before.target === target ? before : { target }))
    }
    const dragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(null)
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(null)
      const name = folderAt(event)
      const { folder: open, uploads: taker } = latest.current
      if (mayCreate && !isElsewhere(event.target))
        taker.take(event.dataTransfer, name === null ? open : childOf(open, name))
    }
    const paste = (event: ClipboardEvent): void => {
      if (!mayCreate || event.defaultPrevented || !carriesFiles(event.clipboardData) || isElsewhere(event.target))
        return
      event.preventDefault()
      latest.current.uploads.take(event.clipboardData, latest.current.folder)
    }
    addEventListener('dragover', dragOver, listening)
    addEventListener('dragleave', dragLeave, listening)
    addEventListener('drop', drop, listening)
    addEventListener('paste', paste, listening)
    return () => listening.abort()
  }, [mayCreate])
  const shown = over?.target ?? (lastSegment(folder) || t('files.root'))
  const message = mayCreate ? t('files.dropHere', { folder: shown }) : t('files.dropRefused')
  return { target: over?.target ?? null, message: over && message, refused: !mayCreate }
}

/** A field or a prompt takes what comes for itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [role=dialog]') !== null
}
