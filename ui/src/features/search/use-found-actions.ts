import { useRouter } from '@tanstack/react-router'
import { getRaw } from '../../../../src/api/files.ts'
import { useClient } from '../../api/client-context.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import type { MenuEntry } from '../../kit/menu.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { filesHref, lastSegment, parentFolder } from '../../lib/app-path.ts'
import { startDownload } from '../../lib/start-download.ts'
import { appHref, useNavigateTo } from '../../lib/use-navigate-to.ts'
import type { FoundEntry } from './search-run.ts'

/** What the app knows to do with things that were found, beyond what the search does itself. */
export type MoreActions = (entries: readonly FoundEntry[]) => readonly MenuEntry[]

export interface FoundActions {
  readonly mayDownload: boolean
  hrefOf(entry: FoundEntry): string
  open(entry: FoundEntry): void
  /** Shows it among its neighbours. */
  openFolder(entry: FoundEntry): void
  download(entries: readonly FoundEntry[]): void
  menuOf(entries: readonly FoundEntry[]): MenuEntry[]
}

/** @param folder what was searched: several things are downloaded as an archive of it */
export function useFoundActions(folder: string, more: MoreActions | undefined): FoundActions {
  const t = useText()
  const client = useClient()
  const router = useRouter()
  const navigateTo = useNavigateTo()
  const toasts = useToasts()
  const mayDownload = useUser()?.perm.download ?? false
  const placeOf = ({ path, isDir }: FoundEntry) => filesHref(isDir ? `${path}/` : path)
  const open = (entry: FoundEntry) => navigateTo(placeOf(entry))
  const openFolder = ({ path }: FoundEntry) => {
    router.history.push(appHref(router.basepath, filesHref(parentFolder(path))), { reveal: lastSegment(path) })
  }
  const download = (entries: readonly FoundEntry[]) => {
    const [only] = entries
    if (only === undefined) return
    if (entries.length === 1) startDownload(client.url(getRaw, { params: { '*': only.path } }), lastSegment(only.path))
    else {
      const files = entries.map(({ path }) => encodeURIComponent(path.slice(folder.length))).join(',')
      startDownload(client.url(getRaw, { params: { '*': folder }, query: { files } }))
    }
  }
  const copyPaths = async (entries: readonly FoundEntry[]) => {
    try {
      await navigator.clipboard.writeText(entries.map(({ path }) => path).join('\n'))
      toasts.success(t('search.pathCopied', { count: entries.length }))
    } catch (error) {
      // No clipboard without TLS, or it was forbidden.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error
      toasts.error(t('search.pathNotCopied'))
    }
  }
  return {
    mayDownload,
    hrefOf: (entry) => appHref(router.basepath, placeOf(entry)),
    open,
    openFolder,
    download,
    menuOf(entries) {
      const [only] = entries
      if (only === undefined) return []
      const own: MenuEntry[] = [
        {
          kind: 'heading',
          label: entries.length === 1 ? lastSegment(only.path) : t('files.selected', { count: entries.length }),
        },
        ...(entries.length > 1
          ? []
          : [
              { label: t('search.openHit'), icon: 'eye' as const, keys: 'Enter', run: () => open(only) },
              {
                label: t('search.openFolder'),
                icon: 'folder' as const,
                keys: 'Ctrl+Enter',
                run: () => openFolder(only),
              },
            ]),
        ...(mayDownload
          ? [{ label: t('search.download'), icon: 'download' as const, run: () => download(entries) }]
          : []),
        { label: t('search.copyPath', { count: entries.length }), icon: 'copy', run: () => void copyPaths(entries) },
      ]
      return [...own, ...(more?.(entries) ?? [])]
    },
  }
}
