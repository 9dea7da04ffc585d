import { useCallback, useEffect, useRef } from 'react'
import { getRaw } from '../../../../src/api/files.ts'
import { nameOf } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { dragLabel } from './drag-label.ts'
import { useWork } from './late-work.tsx'
import type { WorkItem } from './work.ts'

type Carry = (transfer: DataTransfer, items: readonly WorkItem[]) => void

/** On the document while something is dragged that folders of the page take: what covers them makes way. */
const CARRYING = 'data-carrying'

/** Gives a drag that begins what it takes along, for this page and for others; null for who can do nothing with it. */
export function useCarry(): Carry | null {
  const { dragged } = useWork()
  const t = useText()
  const client = useClient()
  const { rename = false, create = false, download = false } = useUser()?.perm ?? {}
  const text = useRef(t)
  useEffect(() => {
    text.current = t
  })
  useEffect(() => {
    const listening = new AbortController()
    const show = (): void => document.documentElement.removeAttribute(CARRYING)
    const end = (): void => {
      dragged.current = null
      show()
    }
    // A row that has gone, since the folder was left meanwhile, says nothing at the end; the next press does.
    for (const type of ['dragend', 'pointerdown']) addEventListener(type, end, listening)
    addEventListener('drop', show, listening)
    return () => {
      listening.abort()
      show()
    }
  }, [dragged])
  const carry = useCallback<Carry>(
    (transfer, items) => {
      if (rename || create) {
        dragged.current = items
        // What makes way while the event lasts would end the drag.
        setTimeout(() => dragged.current && document.documentElement.setAttribute(CARRYING, ''))
      }
      transfer.effectAllowed = 'copyMove'
      transfer.setData('text/plain', items.map(({ path }) => path).join('\n'))
      const [only] = items
      if (download && items.length === 1 && only !== undefined && !only.isDir) {
        const { href } = new URL(client.url(getRaw, { params: { '*': only.path } }), location.href)
        // Chromium saves what is dropped outside of it as a file of its own.
        transfer.setData('DownloadURL', `application/octet-stream:${nameOf(only.path).replaceAll(':', '_')}:${href}`)
      }
      const label = dragLabel(labelOf(text.current, items))
      transfer.setDragImage(label, -8, -8)
      // The browser takes its picture once the event is over.
      setTimeout(() => label.remove())
    },
    [client, create, download, dragged, rename],
  )
  return rename || create || download ? carry : null
}

/** The name of what is dragged, or how many things. */
export function labelOf(t: Translate, items: readonly WorkItem[]): string {
  const [only] = items
  return items.length === 1 && only !== undefined ? nameOf(only.path) : t('files.items', { count: items.length })
}
