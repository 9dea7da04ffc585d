import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { EmptyState } from '../../../kit/feedback/empty-state.tsx'
import { type MenuEntry, useMenus } from '../../../kit/menu/menu.tsx'
import { Portal } from '../../../kit/page/portal.tsx'
import { NARROW, useMediaQuery } from '../../../lib/hooks.ts'
import { useUploads } from '../../uploads/uploads-context.tsx'
import styles from '../folder-view.module.css'

export type CreateEntry = (kind: 'folder' | 'file') => void

interface FolderButtonsProps {
  readonly folder: VirtualPath
  readonly make: CreateEntry
  /** Shows the floating button of narrow screens; the actions of a selection and of an empty folder take its place. */
  readonly floating: boolean
}

/** Upload in the header, or as a floating button on narrow screens; new folder and new file in the sidebar. */
export function FolderButtons({ folder, make, floating }: FolderButtonsProps) {
  const t = useText()
  const menus = useMenus()
  const uploads = useUploads()
  const narrow = useMediaQuery(NARROW)
  const showMenu = (element: HTMLElement): void => {
    const entries: MenuEntry[] = [
      { label: t('files.uploadFiles'), icon: 'file', run: () => uploads.pick('files', folder) },
      { label: t('files.uploadFolder'), icon: 'folder', run: () => uploads.pick('folder', folder) },
    ]
    menus.open({ label: t('files.upload'), anchor: { element }, entries })
  }
  return (
    <>
      {narrow ? (
        floating && (
          <IconButton
            className={styles['fab']}
            icon="upload"
            label={t('files.upload')}
            aria-haspopup="menu"
            onClick={(event) => showMenu(event.currentTarget)}
          />
        )
      ) : (
        <Portal to="header-actions">
          <Button
            variant="primary"
            icon="upload"
            aria-haspopup="menu"
            onClick={(event) => showMenu(event.currentTarget)}
          >
            {t('files.upload')}
          </Button>
        </Portal>
      )}
      <Portal to="sidebar-actions">
        <Button icon="folder-plus" onClick={() => make('folder')}>
          {t('files.newFolder')}
        </Button>
        <Button icon="file-plus" onClick={() => make('file')}>
          {t('files.newFile')}
        </Button>
      </Portal>
    </>
  )
}

interface EmptyFolderProps {
  readonly folder: VirtualPath
  readonly mayCreate: boolean
  readonly make: CreateEntry
}

export function EmptyFolder({ folder, mayCreate, make }: EmptyFolderProps) {
  const t = useText()
  const uploads = useUploads()
  if (!mayCreate) return <EmptyState art={<Art />} title={t('files.emptyTitle')} role="status" />
  return (
    <EmptyState
      art={<Art />}
      title={t('files.emptyTitle')}
      dropTarget
      actions={
        <>
          <Button variant="primary" icon="upload" onClick={() => uploads.pick('files', folder)}>
            {t('files.uploadFiles')}
          </Button>
          <Button icon="folder-plus" onClick={() => make('folder')}>
            {t('files.newFolder')}
          </Button>
          <Button icon="file-plus" onClick={() => make('file')}>
            {t('files.newFile')}
          </Button>
        </>
      }
    >
      {t('files.emptyText')}
    </EmptyState>
  )
}

/** An open folder with an arrow into it. */
function Art() {
  return (
    <svg
      width="120"
      height="96"
      viewBox="0 0 120 96"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        d="M12 36a9 9 0 0 1 9-9h20c2.600 0 5 1.100 6.700 3l5 5.500H99a9 9 0 0 1 9 9V76a9 9 0 0 1-9 9H21a9 9 0 0 1-9-9z"
        fill="var(--sunken)"
      />
      <path d="M60 72V49m-9.500 9.500L60 49l9.500 9.500" stroke="var(--accent)" strokeWidth="2" />
      <path d="M90 12v7m-3.500-3.500h7M28 11v5m-2.500-2.500h5M105 20v.010" />
    </svg>
  )
}
