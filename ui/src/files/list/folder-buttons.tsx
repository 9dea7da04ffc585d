import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { type MenuEntry, useMenus } from '../../kit/menu/menu.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import type { FolderUploads, MakeEntry } from './folder-uploads.ts'
import styles from './folder-view.module.css'

interface FolderButtonsProps {
  readonly folder: VirtualPath
  readonly make: MakeEntry
  readonly uploads: FolderUploads
  /** The bottom of a narrow screen is for it; not while the selection has its actions there, or an empty folder its own. */
  readonly floating: boolean
}

/** What can be put into the folder: upload in the header (at the thumb on narrow screens), new things in the sidebar. */
export function FolderButtons({ folder, make, uploads, floating }: FolderButtonsProps) {
  const t = useText()
  const menus = useMenus()
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
        <Fill slot="header-actions">
          <Button
            variant="primary"
            icon="upload"
            aria-haspopup="menu"
            onClick={(event) => showMenu(event.currentTarget)}
          >
            {t('files.upload')}
          </Button>
        </Fill>
      )}
      <Fill slot="sidebar-actions">
        <Button icon="folder-plus" onClick={() => make('folder')}>
          {t('files.newFolder')}
        </Button>
        <Button icon="file-plus" onClick={() => make('file')}>
          {t('files.newFile')}
        </Button>
      </Fill>
    </>
  )
}
