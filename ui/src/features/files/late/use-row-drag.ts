import { useEffect, useRef, type RefObject } from 'react'
import { getRaw } from '../../../../../src/api/files.ts'
import { childOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { useWork } from '../../../work/late-work.tsx'
import type { WorkItem } from '../../../work/work.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import { isSelected, selectedOf } from '../model/selection.ts'
import { dragPicture } from './drag-picture.ts'

interface RowDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

/** What is dragged out of the listing; null while nothing is. What is not selected is selected by dragging it. */
export function useRowDrag(options: RowDragOptions): void {
  const { dragged } = useWork()
  const t = useText()
  const client = useClient()
  const perm = useUser()?.perm
  const allowed = perm !== undefined && (perm.rename || perm.create)
  const mayDownload = perm?.download ?? false
  const latest = useRef({ ...options, t })
  useEffect(() => {
    latest.current = { ...options, t }
  })
  const { scroll } = options
  useEffect(() => {
    const element = scroll.current
    if (element === null || !allowed) return
    const listening = new AbortController()
    // Only a mouse drags: under a finger the same press scrolls, or selects when it rests.
    const press = (event: PointerEvent): void => {
      const cell = cellAt(event.target)
      if (cell !== null) cell.draggable = event.pointerType === 'mouse'
    }
    const start = (event: DragEvent): void => {
      const name = entryNameAt(event.target)
      if (name === null || event.dataTransfer === null) return
      const items = takeUp(latest.current, name)
      dragged.current = items
      event.dataTransfer.effectAllowed = 'copyMove'
      event.dataTransfer.setData('text/plain', items.map(({ path }) => path).join('\n'))
      const [only] = items
      // Chromium saves what is dropped outside of it as a file of its own.
      if (items.length === 1 && only !== undefined && !only.isDir && mayDownload) {
        const url = new URL(client.url(getRaw, { params: { '*': only.path } }), location.href)
        event.dataTransfer.setData('DownloadURL', `application/octet-stream:${name.replaceAll(':', '_')}:${url.href}`)
      }
      const label = items.length === 1 ? name : latest.current.t('files.dragged', { count: items.length })
      dragPicture(event.dataTransfer, label)
    }
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    // A row that has gone, since the folder was left meanwhile, says nothing at the end; the next press does.
    for (const type of ['dragend', 'pointerdown'] as const)
      addEventListener(type, () => void (dragged.current = null), listening)
    return () => listening.abort()
  }, [client, scroll, allowed, mayDownload, dragged])
}

/** What goes along with an entry: all that is selected, or the entry alone, which is selected by it. */
export function takeUp(
  { grid, folder }: { readonly grid: Grid; readonly folder: VirtualPath },
  name: string,
): WorkItem[] {
  const { state, view, entryOf, send } = grid
  const selected = isSelected(state.selection, name)
  if (!selected) send({ kind: 'select', names: [name] })
  const names = selected ? selectedOf(state.selection, view.names) : [name]
  return [...names].flatMap((each) => {
    const entry = entryOf(each)
    return entry === undefined ? [] : [{ ...entry, path: childOf(folder, each) }]
  })
}

/** The entry that a press may drag: not by its check box, its menu or the field of its name. */
function cellAt(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || target.closest('input, button') !== null) return null
  return target.closest<HTMLElement>('[data-entry]')
}
