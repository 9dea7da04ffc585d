import type { Sorting } from '../../../../../src/domain/sorting.ts'
import { useText, type MessageId } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/icon-button.tsx'
import type { IconName } from '../../../kit/icon-names.ts'
import { MenuButton } from '../../../kit/menu-button.tsx'
import { Segmented } from '../../../kit/segmented.tsx'
import { Toolbar } from '../../../kit/toolbar.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'
import type { SortColumn } from '../model/sort-entries.ts'
import { sortMenu, SORT_LABELS } from './sort-menu.ts'
import styles from './toolbar.module.css'

interface FolderToolbarProps {
  /** "5 folders, 9 files". */
  readonly summary: string
  readonly empty: boolean
  readonly sorting: Sorting
  readonly mode: ViewMode
  readonly narrow: boolean
  readonly onSort: (sorting: Sorting) => void
  readonly onMode: (mode: ViewMode) => void
  readonly onMultiple: () => void
}

const MODES: readonly { value: ViewMode; icon: IconName; label: MessageId }[] = [
  { value: 'list', icon: 'list', label: 'files.viewList' },
  { value: 'mosaic', icon: 'grid', label: 'files.viewMosaic' },
  { value: 'mosaic gallery', icon: 'gallery', label: 'files.viewGallery' },
]

/** What can be done with the folder as a whole. The toolbar of a selection takes its place. */
export function FolderToolbar(props: FolderToolbarProps) {
  const { summary, empty, sorting, mode, narrow, onSort, onMode, onMultiple } = props
  const t = useText()
  const column: SortColumn = sorting.by || 'name'
  const current = MODES.findIndex(({ value }) => value === mode)
  const next = MODES[(current + 1) % MODES.length]
  return (
    <Toolbar label={t('files.folderActions')} className={styles['tools']}>
      <span className={styles['summary']}>{summary}</span>
      <span className="grow" />
      <MenuButton label={t('files.sortBy')} icon="sort" entries={() => sortMenu(t, sorting, onSort)}>
        {t(SORT_LABELS[column])}
      </MenuButton>
      {narrow ? (
        <IconButton
          icon={MODES[current]?.icon ?? 'list'}
          label={t('files.changeView')}
          onClick={() => next && onMode(next.value)}
        />
      ) : (
        <Segmented
          label={t('files.view')}
          value={mode}
          onChange={onMode}
          options={MODES.map(({ value, icon, label }) => ({ value, icon, label: t(label) }))}
        />
      )}
      {!narrow && !empty && <span className={styles['separator']} />}
      {!empty && <IconButton icon="select" label={t('files.selectItems')} onClick={onMultiple} />}
    </Toolbar>
  )
}
