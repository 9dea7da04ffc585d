import { useEffect } from 'react'
import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Sorting } from '../../../../src/domain/files/sorting.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import type { IconName } from '../../kit/icon/icon.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import styles from './folder-page.module.css'
import type { FolderChoices, OpenShare } from '../open-share.ts'
import type { ListSelection } from '../../files/list/read-only-list.tsx'
import { ShareCrumbs } from '../share-crumbs.tsx'
import type { VisitorActions } from '../use-visitor-actions.ts'

interface FolderToolsProps {
  readonly share: OpenShare
  readonly folder: VirtualPath
  readonly selection: ListSelection
  readonly choices: FolderChoices
  readonly onChoose: (choices: FolderChoices) => void
  readonly actions: VisitorActions
  readonly empty: boolean
}

/** Above the list: breadcrumbs, and the actions on the folder or the selection. */
export function FolderTools({ share, folder, selection, choices, onChoose, actions, empty }: FolderToolsProps) {
  const t = useText()
  const announce = useAnnounce()
  const narrow = useMediaQuery(NARROW)
  const { entries, selecting, clear, beginSelecting } = selection
  const count = entries.length
  const selected = count > 0 || selecting
  const text = t('files.selected', { count })
  useEffect(() => announce(count > 0 ? text : ''), [announce, count, text])
  const gallery = choices.view === 'mosaic gallery'
  if (selected) {
    return (
      <Toolbar label={t('files.selectionActions')} className={styles['tools']}>
        <IconButton icon="x" label={t('files.clearSelection')} aria-keyshortcuts="Escape" onClick={clear} />
        <span className={styles['count']}>{text}</span>
        <span className="grow" />
        {!narrow && <SelectionButtons folder={folder} selection={selection} actions={actions} />}
      </Toolbar>
    )
  }
  return (
    <div className={styles['tools']}>
      <ShareCrumbs share={share} path={folder} />
      {!empty && (
        <Toolbar label={t('files.folderActions')} className={styles['buttons']}>
          {(narrow || gallery) && (
            <MenuButton
              label={t('files.sortBy')}
              icon="sort"
              entries={() =>
                sortEntries(choices.sorting).map(([sorting, label, checked]) =>
                  choice(t(label), checked, () => onChoose({ ...choices, sorting })),
                )
              }
            />
          )}
          <IconButton
            icon={gallery ? 'list' : 'gallery'}
            label={t(gallery ? 'public.showList' : 'public.showGallery')}
            onClick={() => onChoose({ ...choices, view: gallery ? 'list' : 'mosaic gallery' })}
          />
          <IconButton icon="select" label={t('files.selectItems')} onClick={beginSelecting} />
        </Toolbar>
      )}
    </div>
  )
}

interface SelectionProps {
  readonly folder: VirtualPath
  readonly selection: ListSelection
  readonly actions: VisitorActions
}

/** The same actions within reach of the thumb on narrow screens. */
export function SelectionBar(props: SelectionProps) {
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  if (!narrow || props.selection.entries.length === 0) return null
  return (
    <Toolbar label={t('files.selectionActionsTouch')} variant="thumb">
      <SelectionButtons {...props} />
    </Toolbar>
  )
}

function SelectionButtons({ folder, selection: { entries }, actions }: SelectionProps) {
  const t = useText()
  const [only] = entries
  if (only === undefined) return null
  const button = (icon: IconName, label: MessageId, run: () => void) => (
    <Button variant="ghost" icon={icon} onClick={run}>
      {t(label)}
    </Button>
  )
  const one = entries.length === 1
  return (
    <>
      {actions.mayDownload && button('download', 'public.download', () => actions.download(entries))}
      {actions.mayDownload &&
        (!one || only.isDir) &&
        button('archive', 'public.downloadAs', () => actions.downloadAs(entries))}
      {one &&
        button('link', 'public.copyLink', () => actions.copyLink(childOf(folder, only.name) + (only.isDir ? '/' : '')))}
    </>
  )
}

/** Sorting by name is inverted in the API: `asc: false` is A to Z. */
const ORDERS: readonly (readonly [Sorting, MessageId])[] = [
  [{ by: 'name', asc: false }, 'files.sortAToZ'],
  [{ by: 'name', asc: true }, 'files.sortZToA'],
  [{ by: 'modified', asc: false }, 'files.sortNewest'],
  [{ by: 'modified', asc: true }, 'files.sortOldest'],
  [{ by: 'size', asc: false }, 'files.sortLargest'],
  [{ by: 'size', asc: true }, 'files.sortSmallest'],
]

function sortEntries(current: Sorting): (readonly [Sorting, MessageId, boolean])[] {
  return ORDERS.map(([sorting, label]) => [sorting, label, sorting.by === current.by && sorting.asc === current.asc])
}

function choice(label: string, checked: boolean, run: () => void): MenuEntry {
  return { kind: 'choice', label, checked, run }
}
