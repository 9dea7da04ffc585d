import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getRaw } from '../../../src/api/files.ts'
import type { Resource } from '../../../src/domain/resource.ts'
import { childOf, parentOf, ROOT, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useClient } from '../api/client-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import { isListing, listingKey, listingQuery } from '../features/files/listing-query.ts'
import { useOpenEntry } from '../features/files/use-open-entry.ts'
import type { ViewerAction } from '../features/viewer/viewer-action.ts'
import { Viewer } from '../features/viewer/viewer.tsx'
import { filesHref } from '../lib/app-path.ts'
import { useNavigateTo } from '../lib/use-navigate-to.ts'

interface FileScreenProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** The address of a file: the file itself, among the others of its folder. */
export function FileScreen({ file, path }: FileScreenProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const router = useRouter()
  const navigateTo = useNavigateTo()
  const folder = parentOf(path)
  const { data: found } = useQuery(listingQuery(client, folder))
  const entries = found !== undefined && isListing(found) ? found.items : [file]
  const { download } = useOpenEntry(folder)

  const show = (entry: Resource): void => {
    const next = childOf(folder, entry.name)
    queries.setQueryData(listingKey(next), entry)
    navigateTo(filesHref(next) + (entry.type.startsWith('text') ? '?view=true' : ''), { replace: true })
  }
  const close = (): void => {
    if (router.history.canGoBack()) router.history.back()
    else navigateTo(filesHref(folder === ROOT ? ROOT : `${folder}/`), { replace: true })
  }
  const follow = (address: string): void => {
    // Who reads goes on reading: a text on its own would open in the editor.
    router.history.push(/\.(md|markdown|txt)$/i.test(address) ? `${address}?view=true` : address)
  }
  const openRaw = (): void => {
    window.open(client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } }), '_blank', 'noopener')
  }
  const actions: ViewerAction[] = [
    { id: 'download', label: t('files.download'), icon: 'download', keys: 'Ctrl+S', run: () => download(file) },
    { id: 'raw', label: t('viewer.openRaw'), icon: 'external', run: openRaw },
  ]
  return (
    <Viewer
      file={file}
      path={path}
      entries={entries}
      actions={actions}
      onShow={show}
      onClose={close}
      onFollow={follow}
    />
  )
}
