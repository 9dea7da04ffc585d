import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { getRaw } from '../../../../src/api/files.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { filesHref } from '../../lib/app-path.ts'
import { startDownload } from '../../lib/start-download.ts'
import { appHref, useNavigateTo } from '../../lib/use-navigate-to.ts'

/** What browsers show by themselves; everything else is downloaded. */
const SHOWN_BY_BROWSERS: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'pdf', 'text', 'textImmutable'])

export interface EntryOpener {
  /** Where the link of an entry leads. */
  hrefOf(entry: Resource): string
  open(entry: Resource): void
  download(entry: Resource): void
}

/** Opens the entries of a folder: folders here, files in a tab of their own. */
export function useOpenEntry(folder: VirtualPath): EntryOpener {
  const router = useRouter()
  const navigateTo = useNavigateTo()
  const client = useClient()
  const toasts = useToasts()
  const t = useText()
  const mayDownload = useUser()?.perm.download ?? false

  const placeOf = useCallback((entry: Resource) => filesHref(`${childOf(folder, entry.name)}/`), [folder])
  const rawUrl = useCallback(
    (entry: Resource, inline: boolean) => {
      const params = { '*': childOf(folder, entry.name) }
      return client.url(getRaw, inline ? { params, query: { inline: 'true' } } : { params })
    },
    [client, folder],
  )
  const hrefOf = useCallback(
    (entry: Resource) => (entry.isDir ? appHref(router.basepath, placeOf(entry)) : rawUrl(entry, true)),
    [placeOf, rawUrl, router.basepath],
  )
  const download = (entry: Resource): void => {
    if (mayDownload) startDownload(rawUrl(entry, false), entry.name)
    else toasts.error(t('files.mayNotDownload'))
  }
  const open = (entry: Resource): void => {
    if (entry.isDir) navigateTo(placeOf(entry))
    else if (entry.type === 'invalid_link') toasts.error(t('files.linkLeadsNowhere', { name: entry.name }))
    else if (!mayDownload) toasts.error(t('files.mayNotDownload'))
    else if (SHOWN_BY_BROWSERS.has(entry.type)) window.open(rawUrl(entry, true), '_blank', 'noopener')
    else download(entry)
  }
  return { hrefOf, open, download }
}
