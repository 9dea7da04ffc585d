import { useEffect, useRef, useState, type RefObject } from 'react'
import { nameOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { carriesFiles } from '../../../lib/carries-files.ts'
import { useWork } from '../../../work/late-work.tsx'
import type { TransferKind, WorkItem } from '../../../work/work.ts'
import type { FolderUploads } from '../folder-uploads.ts'
import type { Grid } from '../grid/use-grid.ts'
import { dropVerdict } from '../model/drop-rule.ts'
import { dropPlaceAt, markDropPlace, type DropPlace } from './drop-place.ts'

interface DropZoneOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly uploads: FolderUploads
  /** What is dragged inside the page. */
  readonly dragged: RefObject<readonly WorkItem[] | null>
}

export interface DropZone {
  /** Says where a drop would go, or why it is refused; null while nothing is dragged over a place. */
  readonly message: string | null
  readonly kind: Hover['kind']
  readonly refused: boolean
}

interface Hover {
  readonly kind: 'upload' | TransferKind
  readonly folder: VirtualPath
  readonly count: number
  readonly verdict: 'taken' | 'forbidden' | 'intoItself'
}

/**
 * Takes files from the desktop and entries of the listing, wherever on the page they are dropped: into the folder under
 * the pointer, else into the one that is open. Pasted files too. A drop that nobody takes would make the browser leave the
 * page for the file.
 */
export function useDropZone(options: DropZoneOptions): DropZone {
  const t = useText()
  const work = useWork()
  const perm = useUser()?.perm
  const { create = false, rename = false } = perm ?? {}
  const [hover, setHover] = useState<Hover | null>(null)
  const latest = useRef({ ...options, work })
  useEffect(() => {
    latest.current = { ...options, work }
  })
  useEffect(() => {
    const listening = new AbortController()
    /** What a drop here would do; null when it is nothing of ours, or when nothing would change. */
    const look = (event: DragEvent): { readonly hover: Hover; readonly place: DropPlace } | null => {
      const { folder, grid, dragged } = latest.current
      const items = dragged.current
      if ((items === null && !carriesFiles(event.dataTransfer)) || isElsewhere(event.target)) return null
      const place = dropPlaceAt(event.target, folder, grid)
      if (items === null) {
        const verdict = create ? 'taken' : 'forbidden'
        return { place, hover: { kind: 'upload', folder: place.folder, count: 0, verdict } }
      }
      const kind = !rename || (create && wantsCopy(event)) ? 'copy' : 'move'
      const verdict = dropVerdict(kind, items, place.folder)
      if (verdict === 'pointless' || (kind === 'copy' && place.element === null)) return null
      return { place, hover: { kind, folder: place.folder, count: items.length, verdict } }
    }
    const dragOver = (event: DragEvent): void => {
      const isOurs = latest.current.dragged.current !== null || carriesFiles(event.dataTransfer)
      if (!isOurs || event.dataTransfer === null) return
      event.preventDefault()
      const found = look(event)
      const taken = found?.hover.verdict === 'taken'
      event.dataTransfer.dropEffect = taken ? (found.hover.kind === 'move' ? 'move' : 'copy') : 'none'
      markDropPlace(taken ? found.place.element : null)
      setHover((before) =>
        before !== null && found !== null && isSame(before, found.hover) ? before : (found?.hover ?? null),
      )
    }
    const end = (): void => {
      markDropPlace(null)
      setHover(null)
    }
    const dragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) end()
    }
    const drop = (event: DragEvent): void => {
      const { dragged, uploads } = latest.current
      const items = dragged.current
      if (items === null && !carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      const found = look(event)
      end()
      if (found?.hover.verdict !== 'taken') return
      const { kind, folder } = found.hover
      if (kind === 'upload') {
        if (event.dataTransfer !== null) uploads.take(event.dataTransfer, folder)
      } else if (items !== null) void latest.current.work.transfer(kind, items, folder)
    }
    const paste = (event: ClipboardEvent): void => {
      if (!create || event.defaultPrevented || !carriesFiles(event.clipboardData) || isElsewhere(event.target)) return
      event.preventDefault()
      latest.current.uploads.take(event.clipboardData, latest.current.folder)
    }
    addEventListener('dragover', dragOver, listening)
    addEventListener('dragleave', dragLeave, listening)
    addEventListener('dragend', end, listening)
    addEventListener('drop', drop, listening)
    addEventListener('paste', paste, listening)
    return () => {
      listening.abort()
      markDropPlace(null)
    }
  }, [create, rename])
  if (hover === null) return { message: null, kind: 'upload', refused: false }
  const { kind, count, verdict } = hover
  const folder = nameOf(hover.folder) || t('files.root')
  const messages = {
    taken: () => {
      if (kind === 'upload') return t('files.dropHere', { folder })
      return t(kind === 'copy' ? 'files.dropCopy' : create ? 'files.dropMoveOrCopy' : 'files.dropMove', {
        count,
        folder,
      })
    },
    forbidden: () => t('files.dropRefused'),
    intoItself: () => t('work.intoItself'),
  }
  return { message: messages[verdict](), kind, refused: verdict !== 'taken' }
}

/** Option on a Mac, where Control and a press are the right button. */
function wantsCopy(event: DragEvent): boolean {
  return event.ctrlKey || event.altKey || event.metaKey
}

function isSame(a: Hover, b: Hover): boolean {
  return a.kind === b.kind && a.folder === b.folder && a.verdict === b.verdict
}

/** A field or a prompt takes what comes for itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [role=dialog]') !== null
}
