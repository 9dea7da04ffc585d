import { useCallback, useEffect, useRef } from 'react'
import { getRaw } from '../../../../../src/api/files/downloads.ts'
import { nameOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useMayTransfer, usePermissions, usePermissionsAt } from '../../../api/permissions.ts'
import { useFilesPath } from '../../../lib/navigation/navigation.tsx'
import { useText, type Translate } from '../../../i18n/use-text.tsx'
import { useFileActions } from '../file-actions-context.tsx'
import type { FileItem } from '../model.ts'
import styles from './drag-entries.module.css'

type DragEntries = (transfer: DataTransfer, items: readonly FileItem[]) => void

/** Set on the document while entries are dragged: it hides overlays that cover folders of the page. */
const DRAGGING = 'data-dragging'

/** Fills the data of a starting drag, for this page and other windows; null if the user has no permission for it. */
export function useDragEntries(): DragEntries | null {
  const { dragged } = useFileActions()
  const t = useText()
  const client = useClient()
  const { download } = usePermissions()
  const permissionsAt = usePermissionsAt()
  const mayTransfer = useMayTransfer()
  const path = useFilesPath() ?? '/'
  const mayDrop = mayTransfer('move', path) || mayTransfer('copy', path)
  const text = useRef(t)
  useEffect(() => {
    text.current = t
  })
  useEffect(() => {
    const listening = new AbortController()
    const show = (): void => document.documentElement.removeAttribute(DRAGGING)
    const end = (): void => {
      dragged.current = null
      show()
    }
    // A row that is removed during the drag, as when another folder opens, sends no dragend: the next press ends it.
    for (const type of ['dragend', 'pointerdown']) addEventListener(type, end, listening)
    addEventListener('drop', show, listening)
    return () => {
      listening.abort()
      show()
    }
  }, [dragged])
  const drag = useCallback<DragEntries>(
    (transfer, items) => {
      if (mayDrop) {
        dragged.current = items
        // Hiding the overlays during the event would end the drag.
        setTimeout(() => dragged.current && document.documentElement.setAttribute(DRAGGING, ''))
      }
      transfer.effectAllowed = 'copyMove'
      transfer.setData('text/plain', items.map(({ path }) => path).join('\n'))
      const [only] = items
      if (items.length === 1 && only !== undefined && !only.isDir && permissionsAt(only.path).download) {
        const { href } = new URL(client.url(getRaw, { params: { '*': only.path } }), location.href)
        // Chromium saves what is dropped outside of its window as a file.
        transfer.setData('DownloadURL', `application/octet-stream:${nameOf(only.path).replaceAll(':', '_')}:${href}`)
      }
      const label = dragLabel(labelOf(text.current, items))
      transfer.setDragImage(label, -8, -8)
      // The browser captures the label after the event.
      setTimeout(() => label.remove())
    },
    [client, dragged, mayDrop, permissionsAt],
  )
  return mayDrop || download ? drag : null
}

/** The name of the dragged item, or the number of items. */
export function labelOf(t: Translate, items: readonly FileItem[]): string {
  const [only] = items
  return items.length === 1 && only !== undefined ? nameOf(only.path) : t('files.items', { count: items.length })
}

/** Adds the label that is shown beside the pointer or finger. The caller removes it. */
export function dragLabel(text: string): HTMLElement {
  const label = document.createElement('bdi')
  label.className = styles['dragged'] ?? ''
  label.textContent = text
  document.body.append(label)
  return label
}
