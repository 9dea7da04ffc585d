import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { getRaw } from '../../../../../src/api/files/downloads.ts'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { usePermissions } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { useNavigation, appHref, useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { startDownload } from '../../../lib/start-download.ts'
import { listingKey } from '../../queries/listing-query.ts'

export interface EntryOpener {
  /** The address that an entry links to. */
  hrefOf(entry: Resource): string
  open(entry: Resource): void
  /** Opens a file in the editor, even if the viewer could show it. */
  edit(entry: Pick<Resource, 'name'>): void
  /** Undefined without the permission. */
  readonly download: ((entry: Resource) => void) | undefined
}

/** Opens the entries of a folder, each at its own address. */
export function useOpenEntry(folder: VirtualPath): EntryOpener {
  const { base } = useNavigation()
  const navigateTo = useNavigateTo()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const t = useText()
  const { read: mayRead, download: mayDownload } = usePermissions()

  const appPathOf = useCallback(
    (entry: Resource) => filesHref(childOf(folder, entry.name) + (entry.isDir ? '/' : '')),
    [folder],
  )
  const hrefOf = useCallback((entry: Resource) => appHref(base, appPathOf(entry)), [appPathOf, base])
  const download = (entry: Resource): void => {
    startDownload(client.url(getRaw, { params: { '*': childOf(folder, entry.name) } }), entry.name)
  }
  const open = (entry: Resource): void => {
    if (entry.isDir) return navigateTo(appPathOf(entry))
    if (entry.type === 'invalid_link') toasts.error(t('files.linkIsBroken', { name: entry.name }))
    else if (!mayRead) toasts.error(t('files.cannotDownload'))
    else {
      // The viewer starts with data from the listing.
      queries.setQueryData(listingKey(childOf(folder, entry.name)), entry)
      navigateTo(appPathOf(entry))
    }
  }
  const edit = ({ name }: Pick<Resource, 'name'>): void => navigateTo(`${filesHref(childOf(folder, name))}?edit=true`)
  return { hrefOf, open, edit, download: mayDownload ? download : undefined }
}
