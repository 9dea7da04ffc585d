import { useQuery } from '@tanstack/react-query'
import { nameOf, ROOT, tryParseVirtualPath, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { usePermissions, usePermissionsAnywhere } from '../../../api/permissions.ts'
import { hasPlaces } from '../../../api/places.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { type MenuEntry, useMenus } from '../../../kit/menu/menu.tsx'
import { NARROW, useMediaQuery } from '../../../lib/hooks.ts'
import { useFilesPath } from '../../../lib/navigation/navigation.tsx'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import { isListing, listingQuery } from '../../queries/listing-query.ts'
import { useUploads } from '../../uploads/uploads-context.tsx'
import { useOpenEntry } from './use-open-entry.ts'
import styles from '../folder-view.module.css'

export type CreateEntry = (kind: 'folder' | 'file') => void

/** Asks for a name and creates an entry; a new file opens in the editor. */
export function useCreateEntry(folder: VirtualPath): CreateEntry {
  const files = useFileActions()
  const { edit } = useOpenEntry(folder)
  return (kind) =>
    void files.make(kind, folder).then((path) => {
      if (path !== undefined && kind === 'file') edit({ name: nameOf(path) })
    })
}

interface OpenFolder {
  /** The folder of the address; undefined on other screens, and for users who may not add to it. */
  readonly folder: VirtualPath | undefined
  /** Its entries are there. */
  readonly listed: boolean
}

function useOpenFolder(): OpenFolder {
  const client = useClient()
  const path = useFilesPath()
  const mayCreate = usePermissions().create
  const folder = mayCreate && path?.endsWith('/') ? tryParseVirtualPath(path) : undefined
  // The screen fetches it.
  const { data } = useQuery({ ...listingQuery(client, folder ?? ROOT), enabled: false })
  return { folder, listed: folder !== undefined && data !== undefined && isListing(data) }
}

/** New folder and new file, for the sidebar. They keep their place on all screens, so that nothing below them moves. */
export function NewButtons({ className }: { readonly className: string | undefined }) {
  const t = useText()
  const reason = usePlacesReason()
  const mayMake = usePermissions().make || reason !== undefined
  const { folder = ROOT, listed } = useOpenFolder()
  const make = useCreateEntry(folder)
  if (!mayMake) return null
  const of = (kind: 'folder' | 'file') => ({
    ...reason,
    className: styles['brief'],
    icon: `${kind}-plus` as const,
    'aria-disabled': !listed,
    onClick: () => listed && make(kind),
  })
  return (
    <div className={className}>
      <Button {...of('folder')}>{t('files.newFolder')}</Button>
      <Button {...of('file')}>{t('files.newFile')}</Button>
    </div>
  )
}

/** Why nothing can be added to the list of places, for a button; undefined elsewhere, and if nothing can be added to any of them. */
function usePlacesReason() {
  const t = useText()
  const { create } = usePermissionsAnywhere()
  const path = useFilesPath() ?? '/'
  if (!create || path !== '/' || !hasPlaces()) return undefined
  const reason = t('files.openPlace')
  return { 'aria-description': reason, 'data-tooltip': reason }
}

/** Uploads to the open folder, in the header. Narrow screens have `FloatingUpload` instead. */
export function HeaderUpload() {
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const { folder, listed } = useOpenFolder()
  const path = useFilesPath()
  const reason = usePlacesReason()
  const showMenu = useUploadMenu(folder ?? ROOT)
  if ((folder === undefined && (path !== '/' || reason === undefined)) || narrow) return null
  return (
    <Button
      {...reason}
      className={styles['brief']}
      variant="primary"
      icon="upload"
      aria-haspopup="menu"
      aria-disabled={!listed}
      onClick={(event) => listed && showMenu(event.currentTarget)}
    >
      {t('files.upload')}
    </Button>
  )
}

/** The actions of a selection and of an empty folder take its place. */
export function FloatingUpload({ folder }: { readonly folder: VirtualPath }) {
  const t = useText()
  const showMenu = useUploadMenu(folder)
  return (
    <IconButton
      className={styles['fab']}
      icon="upload"
      label={t('files.upload')}
      aria-haspopup="menu"
      onClick={(event) => showMenu(event.currentTarget)}
    />
  )
}

function useUploadMenu(folder: VirtualPath): (button: HTMLElement) => void {
  const t = useText()
  const menus = useMenus()
  const uploads = useUploads()
  return (element) => {
    const entries: MenuEntry[] = [
      { label: t('files.uploadFiles'), icon: 'file', run: () => uploads.pick('files', folder) },
      { label: t('files.uploadFolder'), icon: 'folder', run: () => uploads.pick('folder', folder) },
    ]
    menus.open({ label: t('files.upload'), anchor: { element }, entries })
  }
}
