import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { MenuButton } from '../../../kit/menu/menu-button.tsx'
import { Segmented } from '../../../kit/button/toggles.tsx'
import { Toolbar, ToolbarText } from '../../../kit/button/toolbar.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'
import type { FolderLook } from '../listing/use-look.ts'
import type { SortColumn } from '../sort/sort-order.ts'
import { SORT_LABELS, VIEW_MODES, orderMenu } from './view-options.ts'
import type { OfferedAction } from '../../actions/menus/selection-actions.ts'
import { PaneButtons } from '../pane/beside-details.tsx'
import styles from './toolbar.module.css'

interface FolderToolbarProps {
  /** "5 folders, 9 files". */
  readonly summary: string
  readonly empty: boolean
  readonly look: FolderLook
  readonly narrow: boolean
  /** Of the folder as a whole. */
  readonly actions: readonly OfferedAction[]
  readonly onMultiple: () => void
  readonly onFilter: () => void
  readonly onMore: (button: HTMLElement) => void
}

/** The toolbar of the folder, until something is selected. */
export function FolderToolbar(props: FolderToolbarProps) {
  const { summary, empty, look, narrow, actions, onMultiple, onFilter, onMore } = props
  const t = useText()
  const { mode } = look
  const onMode = (next: ViewMode): void => look.change({ mode: next })
  const column: SortColumn = look.sorting.by || 'name'
  const current = VIEW_MODES.findIndex(({ value }) => value === mode)
  const next = VIEW_MODES[(current + 1) % VIEW_MODES.length]
  return (
    <Toolbar label={t('files.folderActions')} variant="page">
      <ToolbarText>{summary}</ToolbarText>
      <span className="grow" />
      {!narrow && !empty && (
        <Button variant="ghost" icon="filter" aria-keyshortcuts="/" onClick={onFilter}>
          {t('files.filter')}
        </Button>
      )}
      <MenuButton label={t('files.sortBy')} icon="sort" entries={() => orderMenu(t, look)}>
        {t(SORT_LABELS[column])}
      </MenuButton>
      {narrow ? (
        <IconButton
          icon={VIEW_MODES[current]?.icon ?? 'list'}
          label={t('files.changeView')}
          onClick={() => next && onMode(next.value)}
        />
      ) : (
        <Segmented
          label={t('files.view')}
          value={mode}
          onChange={onMode}
          options={VIEW_MODES.map(({ value, icon, label }) => ({ value, icon, label: t(label) }))}
        />
      )}
      {!narrow && !empty && <span className={styles['separator']} />}
      {!empty && <IconButton icon="select" label={t('files.selectItems')} onClick={onMultiple} />}
      {!narrow &&
        actions.map(({ id, icon, label, run }) => <IconButton key={id} icon={icon} label={label} onClick={run} />)}
      <PaneButtons />
      <IconButton
        icon="more"
        label={t('files.moreActions')}
        aria-haspopup="menu"
        onClick={(event) => onMore(event.currentTarget)}
      />
    </Toolbar>
  )
}
