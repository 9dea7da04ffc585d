import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { EDITABLE } from '../../../../src/domain/files/media/picture-edit.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { usePermissions } from '../../api/permissions.ts'
import { useText } from '../../i18n/use-text.tsx'
import { isListing, listingKey, listingQuery } from '../../files/queries/listing-query.ts'
import { successorOf } from '../../viewer/file/neighbours.ts'
import type { ViewerAction } from '../../viewer/file/viewed-file.ts'
import { Waiting } from '../../viewer/placeholders.tsx'
import { Viewer } from '../../viewer/viewer.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo, useNavigation } from '../../lib/navigation/navigation.tsx'
import { useFileActions } from '../../files/actions/file-actions-context.tsx'
import type { FileItem } from '../../files/actions/model.ts'
import { isOffered } from '../../files/actions/menus/selection-actions.ts'
import { useSelectionActions } from '../../files/actions/menus/use-selection-actions.ts'

const PictureEditor = lazyComponent(
  async () => (await import('../../viewer/edit/picture-editor.tsx')).PictureEditor,
  Waiting,
)

interface FileScreenProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** Shows a file in the viewer, with the other files of its folder to browse. */
export function FileScreen({ file, path }: FileScreenProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const perm = usePermissions()
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  const toasts = useToasts()
  const [editing, setEditing] = useState(false)
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
    // Keep reading: without `view`, a text would open in the editor.
    history.push(/\.(md|markdown|txt)$/i.test(address) ? `${address}?view=true` : address)
  }
  const editable = file.type === 'text' && perm.modify
  const edit = (): void => navigateTo(`${filesHref(path)}?edit=true`, { replace: true })
  const openRaw = (): void => {
    window.open(client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } }), '_blank', 'noopener')
  }
  const showAfter = (): void => {
    const remaining = entries.filter(({ name }) => name !== file.name)
    const next = successorOf(entries, remaining, file.name)
    if (next === null) close()
    else show(next)
  }
  const fileActions = useViewerActions({
    file,
    path,
    onRenamed: (renamed) => show({ ...file, name: nameOf(renamed), path: renamed }),
    onGone: showAfter,
  })
  const mayCopy = perm.create && perm.download
  const editCopy = (): void => {
    if (EDITABLE.test(file.name)) setEditing(true)
    else toasts.error(t('crop.unsupported'))
  }
  const actions: ViewerAction[] = [
    ...fileActions,
    ...(file.type === 'image' && mayCopy
      ? [{ id: 'crop', label: t('crop.title'), icon: 'edit', run: editCopy } as const]
      : []),
    ...(perm.download ? [{ id: 'raw', label: t('viewer.openRaw'), icon: 'external', run: openRaw } as const] : []),
  ]
  if (editing) {
    return (
      <PictureEditor
        file={file}
        path={path}
        onClose={() => setEditing(false)}
        onSaved={(copy) => {
          setEditing(false)
          void queries.invalidateQueries({ queryKey: listingKey(folder) })
          navigateTo(filesHref(copy), { replace: true })
        }}
      />
    )
  }
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

interface ViewerActionsOptions {
  readonly file: Resource
  readonly path: VirtualPath
  readonly onRenamed: (path: VirtualPath) => void
  readonly onGone: () => void
}

/** Actions with their own button, in this order; the others are in the menu. */
const FIRST: readonly string[] = ['share', 'rename', 'download', 'delete']
/** Clipboard actions need the listing, where their effect is visible. */
const NEEDS_LISTING: ReadonlySet<string> = new Set(['copy', 'cut', 'paste'])

/** The usual file actions, for the shown file. */
export function useViewerActions({ file, path, onRenamed, onGone }: ViewerActionsOptions): ViewerAction[] {
  const files = useFileActions()
  const actionsOf = useSelectionActions()
  const item: FileItem = { ...file, path }
  const leavingAfter = async (removing: Promise<boolean>): Promise<boolean> => {
    const gone = await removing
    if (gone) onGone()
    return gone
  }
  const here = {
    ...files,
    rename: async () => {
      const renamed = await files.rename(item)
      if (renamed !== undefined) onRenamed(renamed)
    },
    remove: async () => await leavingAfter(files.remove([item])),
    removeForever: async () => await leavingAfter(files.removeForever([item])),
  }
  const rank = ({ id }: ViewerAction) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)
  return actionsOf({ folder: parentOf(path), count: 1, items: () => [item], all: false }, here)
    .filter(isOffered)
    .filter(({ id }) => !NEEDS_LISTING.has(id))
    .map(({ id, label, icon, keys, danger, run }) => ({ id, label, icon, keys: keys || undefined, danger, run }))
    .toSorted((one, other) => rank(one) - rank(other))
}
