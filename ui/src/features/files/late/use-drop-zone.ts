import { useEffect, useRef, useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { carriesFiles } from '../../../lib/carries-files.ts'
import type { FolderUploads } from '../folder-uploads.ts'
import type { Grid } from '../grid/use-grid.ts'
import { dropPlaceAt, markDropPlace, type DropPlace } from './drop-place.ts'

interface DropZoneOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly uploads: FolderUploads
  readonly mayCreate: boolean
}

export interface DropZone {
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
  const [over, setOver] = useState<VirtualPath | null>(null)
  const latest = useRef({ folder, grid, uploads })
  useEffect(() => {
    latest.current = { folder, grid, uploads }
  })
  useEffect(() => {
    const listening = new AbortController()
    const placeAt = (target: EventTarget | null): DropPlace =>
      dropPlaceAt(target, latest.current.folder, latest.current.grid)
    const dragOver = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      const place = mayCreate && !isElsewhere(event.target) ? placeAt(event.target) : null
      event.dataTransfer.dropEffect = place === null ? 'none' : 'copy'
      markDropPlace(place?.element ?? null)
      setOver(place?.folder ?? latest.current.folder)
    }
    const end = (): void => {
      markDropPlace(null)
      setOver(null)
    }
    const dragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) end()
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      end()
      const { folder: target } = placeAt(event.target)
      if (mayCreate && !isElsewhere(event.target)) latest.current.uploads.take(event.dataTransfer, target)
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
    return () => {
      listening.abort()
      markDropPlace(null)
    }
  }, [mayCreate])
  const name = over === null ? '' : nameOf(over) || t('files.root')
  const message = mayCreate ? t('files.dropHere', { folder: name }) : t('files.dropRefused')
  return { message: over && message, refused: !mayCreate }
}

/** A field or a prompt takes what comes for itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [role=dialog]') !== null
}
