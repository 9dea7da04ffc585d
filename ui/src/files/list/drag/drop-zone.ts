import { useEffect, useState, type RefObject } from 'react'
import { nameOf, parentOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { usePermissions } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { useLatest } from '../../../lib/hooks.ts'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useUploads } from '../../uploads/uploads-context.tsx'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import type { TransferKind } from '../../actions/model.ts'
import type { Grid } from '../grid/use-grid.ts'
import { usePane } from '../pane/two-panes.ts'
import { carriesFiles, dropTargetAt, dropVerdict, markDropTarget, trashAt, type DropTarget } from './drop-target.ts'
import styles from '../folder-view.module.css'

interface DropZoneOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

interface DropZone {
  /** Where a drop would go, or why it is refused; null while nothing is dragged. */
  readonly message: string | null
  readonly kind: Hover['kind']
  readonly refused: boolean
}

interface Hover {
  readonly kind: 'upload' | 'trash' | TransferKind
  readonly folder: VirtualPath
  readonly count: number
  readonly verdict: 'accepted' | 'forbidden' | 'intoItself'
}

/**
 * Accepts files from the desktop and entries of the list, dropped anywhere on the page, into the folder under the
 * pointer or else the open one. Accepts pasted files too. Without this, a dropped file would replace the page.
 */
export function useDropZone(options: DropZoneOptions): DropZone {
  const t = useText()
  const files = useFileActions()
  const uploads = useUploads()
  const perm = usePermissions()
  const { create, rename, delete: mayDelete } = perm
  const [hover, setHover] = useState<Hover | null>(null)
  const navigateTo = useNavigateTo()
  const { dragged } = files
  const latest = useLatest({ ...options, ...usePane(), uploads, navigateTo })
  const [spring] = useState(() =>
    createSpring((folder) => {
      latest.current.activate?.()
      latest.current.navigateTo(filesHref(`${folder}/`))
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
        const verdict = create ? 'accepted' : 'forbidden'
        return { target, hover: { kind: 'upload', folder: target.folder, count: 0, verdict } }
      }
      const trash = mayDelete ? trashAt(event.target) : null
      if (trash !== null) {
        const hover = { kind: 'trash', folder, count: items.length, verdict: 'accepted' } as const
        return { target: { folder, element: trash }, hover }
      }
      const kind = !rename || (create && wantsCopy(event)) ? 'copy' : 'move'
      const verdict = dropVerdict(kind, items, target.folder)
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
      spring.over(accepted && kind !== 'trash' ? found.target : null)
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
      if (!create || !latest.current.isActive || event.defaultPrevented) return
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
  }, [create, rename, mayDelete, files, dragged, latest, spring])
  if (hover === null) return { message: null, kind: 'upload', refused: false }
  const { kind, count, verdict } = hover
  const folder = kind === 'trash' ? t('trash.title') : nameOf(hover.folder) || t('files.root')
  const messages = {
    accepted: () => {
      if (kind === 'upload') return t('files.dropHere', { folder })
      return t(
        kind === 'copy' ? 'files.dropCopy' : kind === 'move' && create ? 'files.dropMoveOrCopy' : 'files.dropMove',
        {
          count,
          folder,
        },
      )
    },
    forbidden: () => t('files.dropRefused'),
    intoItself: () => t('actions.intoItself'),
  }
  return { message: messages[verdict](), kind, refused: verdict !== 'accepted' }
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

const ICONS = { upload: 'upload', copy: 'copy', move: 'folder-move', trash: 'trash' } as const

/** Shows where a drop goes, or why it is refused. Lets the drag through to the rows beneath. */
export function DropOverlay({ message, kind, refused }: DropZone) {
  return (
    <>
      {kind === 'upload' && <div className={classNames(styles['frame'], refused && styles['refused'])} />}
      <div className={styles['overlay']} role="status">
        <div className={classNames(refused && styles['refusal'])}>
          <Icon name={refused ? 'ban' : ICONS[kind]} />
          <span className="clip">{message}</span>
        </div>
      </div>
    </>
  )
}
