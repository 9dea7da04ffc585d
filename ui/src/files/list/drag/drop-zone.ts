import { useEffect, useState, type RefObject } from 'react'
import { parentOf, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { hasPlaces } from '../../../api/places.ts'
import { placeOf, useMayTransfer, usePermissionsAt } from '../../../api/permissions.ts'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { useLatest } from '../../../lib/hooks.ts'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { useUploads } from '../../uploads/uploads-context.tsx'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import type { TransferKind } from '../../actions/model.ts'
import type { Grid } from '../grid/use-grid.ts'
import { usePane } from '../pane/two-panes.ts'
import { carriesFiles, dropTargetAt, dropVerdict, markDropTarget, trashAt, type DropTarget } from './drop-target.ts'

interface DropZoneOptions {
  readonly folder: VirtualPath
  /** Of the list that has rows for folders, if there is one. */
  readonly grid?: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

/** Where a drop would go. */
export interface Hover {
  readonly kind: 'upload' | 'trash' | TransferKind
  readonly folder: VirtualPath
  readonly count: number
  readonly verdict: 'accepted' | 'forbidden' | 'intoItself'
}

/**
 * Accepts files from the desktop and entries of the list, dropped anywhere on the page, into the folder under the
 * pointer or else the open one. Accepts pasted files too. Without this, a dropped file would replace the page.
 *
 * @returns null while nothing is dragged
 */
export function useDropZone(options: DropZoneOptions): Hover | null {
  const files = useFileActions()
  const uploads = useUploads()
  const permissionsAt = usePermissionsAt()
  const mayTransfer = useMayTransfer()
  const [hover, setHover] = useState<Hover | null>(null)
  const navigateTo = useNavigateTo()
  const { dragged } = files
  const latest = useLatest({ ...options, ...usePane(), uploads, navigateTo })
  const [spring] = useState(() =>
    createSpring((folder) => {
      latest.current.activate?.()
      latest.current.navigateTo(filesHref(folder === ROOT ? folder : `${folder}/`))
    }),
  )
  useEffect(() => {
    const listening = new AbortController()
    /** The effect of a drop at this position; null if it is not for this page or would change nothing. */
    const dropAt = (event: DragEvent): { readonly hover: Hover; readonly target: DropTarget } | null => {
      const { folder, grid } = latest.current
      const items = carriesFiles(event.dataTransfer) ? null : dragged.current
      if ((items === null && !carriesFiles(event.dataTransfer)) || isElsewhere(event.target)) return null
      const target = dropTargetAt(event.target, folder, grid)
      if (items === null) {
        const verdict = permissionsAt(target.folder).create ? 'accepted' : 'forbidden'
        return { target, hover: { kind: 'upload', folder: target.folder, count: 0, verdict } }
      }
      const here = permissionsAt(items[0]?.path ?? folder)
      const trash = here.delete ? trashAt(event.target) : null
      if (trash !== null) {
        const hover = { kind: 'trash', folder, count: items.length, verdict: 'accepted' } as const
        return { target: { folder, element: trash }, hover }
      }
      const from = items[0]?.path ?? folder
      const may = (kind: TransferKind) => mayTransfer(kind, from, target.folder)
      // As between two disks: nobody must lose a file by showing it to somebody else.
      const isAcross = placeOf(from) !== placeOf(target.folder)
      const kind = isAcross || !may('move') || (may('copy') && wantsCopy(event)) ? 'copy' : 'move'
      const verdict = may(kind) ? dropVerdict(kind, items, target.folder) : 'forbidden'
      const areThere = items.every(({ path }) => parentOf(path) === target.folder)
      if (verdict === 'pointless' || (kind === 'copy' && target.element === null && areThere)) return null
      return { target, hover: { kind, folder: target.folder, count: items.length, verdict } }
    }
    const isHere = ({ target }: Event): boolean => latest.current.takes?.(target) ?? true
    const dragOver = (event: DragEvent): void => {
      if (!isHere(event)) {
        spring.over(null)
        return setHover(null)
      }
      const isOurs = dragged.current !== null || carriesFiles(event.dataTransfer)
      if (!isOurs || event.dataTransfer === null) return
      event.preventDefault()
      // Only for touch drags: with a mouse browsers scroll by themselves.
      if (!event.isTrusted) scrollAtEdge(latest.current.scroll.current, event.clientY)
      const found = dropAt(event)
      const accepted = found?.hover.verdict === 'accepted'
      const kind = accepted ? found.hover.kind : null
      event.dataTransfer.dropEffect = kind === null ? 'none' : kind === 'move' || kind === 'trash' ? 'move' : 'copy'
      markDropTarget(accepted ? found.target.element : null)
      // What takes nothing itself leads to places that do.
      const leadsOn = accepted || (found !== null && isListOfPlaces(found.target.folder))
      spring.over(leadsOn && kind !== 'trash' ? found.target : null)
      setHover((before) =>
        before !== null && found !== null && isSame(before, found.hover) ? before : (found?.hover ?? null),
      )
    }
    const end = (): void => {
      markDropTarget(null)
      spring.over(null)
      setHover(null)
    }
    const dragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) end()
    }
    const drop = (event: DragEvent): void => {
      const { uploads } = latest.current
      const items = carriesFiles(event.dataTransfer) ? null : dragged.current
      if ((items === null && !carriesFiles(event.dataTransfer)) || !isHere(event)) return
      event.preventDefault()
      const found = dropAt(event)
      end()
      dragged.current = null
      if (found?.hover.verdict !== 'accepted') return
      const { kind, folder } = found.hover
      if (kind === 'upload') {
        if (event.dataTransfer !== null) uploads.addTransfer(event.dataTransfer, folder)
      } else if (items !== null) void (kind === 'trash' ? files.remove(items) : files.transfer(kind, items, folder))
    }
    const paste = (event: ClipboardEvent): void => {
      if (!permissionsAt(latest.current.folder).create || !latest.current.isActive || event.defaultPrevented) return
      if (!carriesFiles(event.clipboardData) || isElsewhere(event.target)) return
      event.preventDefault()
      latest.current.uploads.addTransfer(event.clipboardData, latest.current.folder)
    }
    addEventListener('dragover', dragOver, listening)
    addEventListener('dragleave', dragLeave, listening)
    addEventListener('dragend', end, listening)
    addEventListener('drop', drop, listening)
    addEventListener('paste', paste, listening)
    return () => {
      listening.abort()
      end()
    }
  }, [permissionsAt, mayTransfer, files, dragged, latest, spring])
  return hover
}

/** Pixels from the upper or lower edge within which a touch drag scrolls the list. */
const EDGE = 56
const SCROLL_STEP = 12

function scrollAtEdge(list: HTMLElement | null, y: number): void {
  if (list === null) return
  const { top, bottom } = list.getBoundingClientRect()
  if (y > top && y < top + EDGE) list.scrollBy(0, -SCROLL_STEP)
  if (y > bottom - EDGE) list.scrollBy(0, SCROLL_STEP)
}

/** Option and Command count too, because Control-click opens the context menu on a Mac. */
function wantsCopy(event: DragEvent): boolean {
  return event.ctrlKey || event.altKey || event.metaKey
}

function isListOfPlaces(folder: VirtualPath): boolean {
  return folder === ROOT && hasPlaces()
}

function isSame(a: Hover, b: Hover): boolean {
  return a.kind === b.kind && a.folder === b.folder && a.verdict === b.verdict
}

/** Fields and dialogs handle drops and pastes themselves. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [role$=dialog]') !== null
}

/** Milliseconds that a drag has to rest on a folder to open it. */
const SPRING_DELAY = 700

/** Opens a folder when a drag rests on it, so that the drag can continue inside. */
function createSpring(open: (folder: VirtualPath) => void) {
  let element: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** Call with the folder under the drag, or with null when there is none to open. */
    over(target: DropTarget | null) {
      const next = target?.element ?? null
      if (next === element) return
      element = next
      clearTimeout(timer)
      if (target !== null && next !== null) timer = setTimeout(() => open(target.folder), SPRING_DELAY)
    },
  }
}
