import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRaw } from '../../../src/api/files.ts'
import type { Resource } from '../../../src/domain/resource.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useClient } from '../api/client-context.tsx'
import { useUser } from '../api/session-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import { isListing, listingKey, listingQuery } from '../files/list/listing/listing-query.ts'
import { successorOf } from '../viewer/file/neighbours.ts'
import type { ViewerAction } from '../viewer/file/viewed-file.ts'
import { Viewer } from '../viewer/viewer.tsx'
import { filesHref } from '../lib/app-path.ts'
import { useNavigateTo, useNavigation } from '../lib/navigation.tsx'
import { useViewerActions } from './use-viewer-actions.ts'

interface FileScreenProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** The address of a file: the file itself, among the others of its folder. */
export function FileScreen({ file, path }: FileScreenProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const user = useUser()
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  const folder = parentOf(path)
  const { data: found } = useQuery(listingQuery(client, folder))
  const entries = found !== undefined && isListing(found) ? found.items : [file]

  const show = (entry: Resource): void => {
    const next = childOf(folder, entry.name)
    queries.setQueryData(listingKey(next), entry)
    navigateTo(filesHref(next) + (entry.type.startsWith('text') ? '?view=true' : ''), { replace: true })
  }
  const close = (): void => {
    if (history.canGoBack()) history.back()
    else navigateTo(filesHref(folder === ROOT ? ROOT : `${folder}/`), { replace: true })
  }
  const follow = (address: string): void => {
    // Who reads goes on reading: a text on its own would open in the editor.
    history.push(/\.(md|markdown|txt)$/i.test(address) ? `${address}?view=true` : address)
  }
  const editable = file.type === 'text' && (user?.perm.modify ?? false)
  const edit = (): void => navigateTo(`${filesHref(path)}?edit=true`, { replace: true })
  const openRaw = (): void => {
    window.open(client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } }), '_blank', 'noopener')
  }
  const showAfter = (): void => {
    const left = entries.filter(({ name }) => name !== file.name)
    const next = successorOf(entries, left, file.name)
    if (next === null) close()
    else show(next)
  }
  const work = useViewerActions({
    file,
    path,
    onRenamed: (renamed) => show({ ...file, name: nameOf(renamed), path: renamed }),
    onGone: showAfter,
  })
  const actions: ViewerAction[] = [...work, { id: 'raw', label: t('viewer.openRaw'), icon: 'external', run: openRaw }]
  return (
    <Viewer
      file={file}
      path={path}
      entries={entries}
      actions={actions}
      onShow={show}
      onClose={close}
      onEdit={editable ? edit : undefined}
      onFollow={follow}
    />
  )
}
