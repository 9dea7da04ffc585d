import { useEffect } from 'react'
import { segmentsOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, Button, IconButton } from '../../kit/button/button.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import type { IconName } from '../../kit/icon/icon.tsx'
import crumbs from '../../kit/page/crumbs.module.css'
import { classNames } from '../../lib/class-names.ts'
import type { ListSelection } from '../list/read-only-list.tsx'
import styles from './archive-page.module.css'
import { archiveHref, type ShownArchive } from '../queries/archive-query.ts'

export interface ArchiveAction {
  readonly label: string
  readonly icon: IconName
  readonly run: () => void
}

/** The actions on entries of the shown folder, given by name; without names, those on the whole archive. */
export type ArchiveActions = (names: readonly string[]) => ArchiveAction[]

interface ArchiveBarsProps {
  readonly archive: ShownArchive
  readonly folder: VirtualPath
  readonly selection: ListSelection
  readonly actions: ArchiveActions
}

/** The bar above the list: breadcrumbs or the number of selected entries, and the actions. */
export function ArchiveBars({ archive, folder, selection, actions }: ArchiveBarsProps) {
  const t = useText()
  const announce = useAnnounce()
  const { entries, selecting, clear, beginSelecting } = selection
  const isSelecting = entries.length > 0 || selecting
  const count = t('files.selected', { count: entries.length })
  useEffect(() => announce(entries.length > 0 ? count : ''), [announce, count, entries.length])
  const shown = isSelecting && entries.length === 0 ? [] : actions(entries.map(({ name }) => name))
  return (
    <div className={styles['bar']}>
      {isSelecting ? <span className={styles['count']}>{count}</span> : <Crumbs archive={archive} folder={folder} />}
      <Toolbar label={t(isSelecting ? 'files.selectionActions' : 'files.folderActions')} className={styles['buttons']}>
        {shown.map(({ label, icon, run }) => (
          <Button key={label} variant="ghost" size="small" icon={icon} onClick={run}>
            {label}
          </Button>
        ))}
        {isSelecting ? (
          <IconButton icon="x" label={t('files.clearSelection')} aria-keyshortcuts="Escape" onClick={clear} />
        ) : (
          <IconButton icon="select" label={t('files.selectItems')} onClick={beginSelecting} />
        )}
      </Toolbar>
    </div>
  )
}

/** Breadcrumbs from the archive down to the folder in it. The header of the page has those above the archive. */
function Crumbs({ archive, folder }: { readonly archive: ShownArchive; readonly folder: VirtualPath }) {
  const t = useText()
  const names = segmentsOf(folder)
  const levels = [
    { name: archive.file.name, inside: '/' },
    ...names.map((name, index) => ({ name, inside: `/${names.slice(0, index + 1).join('/')}/` })),
  ]
  return (
    <nav className={classNames(crumbs['crumbs'], crumbs['arrows'])} aria-label={t('archive.inside')}>
      <ol>
        {levels.map(({ name, inside }, index) => (
          <li key={inside}>
            <AppLink
              to={archiveHref(archive, inside)}
              className={crumbs['crumb']}
              title={name}
              aria-current={index === names.length ? 'page' : undefined}
            >
              <bdi className="clip">{name}</bdi>
            </AppLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}
