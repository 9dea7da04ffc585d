import { type ReactNode, useEffect, useMemo } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { type Translate, useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import type { Format } from '../../../lib/format.ts'
import type { Grid } from '../grid/use-grid.ts'
import type { FolderLook } from '../listing/use-look.ts'
import { countSelected, type Selection } from '../model/selection.ts'
import { FolderToolbar } from './folder-toolbar.tsx'
import type { OfferedAction } from '../../actions/menus/selection-actions.ts'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { TightLabels } from '../../../kit/button/tight-labels.tsx'
import { Toolbar, ToolbarText } from '../../../kit/button/toolbar.tsx'
import { PaneButtons } from '../pane/beside-details.tsx'
import styles from './toolbar.module.css'

interface FolderBarsProps {
  readonly grid: Grid
  readonly look: FolderLook
  readonly narrow: boolean
  readonly actions: readonly OfferedAction[]
  readonly onFilter: () => void
  readonly onMore: (button: HTMLElement) => void
  readonly onMoreOfSelection: (button: HTMLElement) => void
  /** The listing, between the bars. */
  readonly children: ReactNode
}

/** The bars above and below the listing: of the folder, or of the selection while there is one. */
export function FolderBars(props: FolderBarsProps) {
  const { grid, look, narrow, actions, onFilter, onMore, onMoreOfSelection, children } = props
  const t = useText()
  const format = useFormat()
  const { state, entries, entryOf, send } = grid
  const all = useMemo(() => summarise(entries), [entries])
  const selected = countSelected(state.selection, entries.length)
  const chosen = useMemo(() => summariseSelection(state.selection, all, entryOf), [state.selection, all, entryOf])
  const summary = summaryText(t, all)
  const count = t('files.selected', { count: selected })
  useAnnouncement(summary, selected === 0 ? '' : count)
  const selecting = selected > 0 || state.multiple
  const bar = actions.filter((action) => action.bar)
  return (
    <>
      {selecting ? (
        <SelectionToolbar
          count={count}
          detail={selected === 0 ? '' : detailText(t, format, chosen)}
          actions={bar}
          narrow={narrow}
          onClear={() => send({ kind: 'clear' })}
          onMore={onMoreOfSelection}
        />
      ) : (
        <FolderToolbar
          summary={summary}
          empty={entries.length === 0}
          look={look}
          narrow={narrow}
          actions={bar}
          onFilter={onFilter}
          onMore={onMore}
          onMultiple={() => send({ kind: 'multiple', on: true })}
        />
      )}
      {children}
      {selecting && !narrow && (
        <div className={styles['status']}>
          <span>{summary}</span>
          <bdi>{format.bytes(all.bytes)}</bdi>
        </div>
      )}
      {selecting && narrow && <SelectionBottomBar actions={bar} />}
    </>
  )
}

/** Announces the folder's summary when it opens, and the selection whenever it changes. */
function useAnnouncement(summary: string, selection: string): void {
  const announce = useAnnounce()
  const text = selection || summary
  useEffect(() => announce(text), [announce, text])
}

function summaryText(t: Translate, { folders, files }: Summary): string {
  if (folders + files === 0) return t('files.noItems')
  if (folders === 0) return t('files.countFiles', { files })
  return files === 0 ? t('files.countFolders', { folders }) : t('files.countBoth', { folders, files })
}

function detailText(t: Translate, format: Format, { folders, files, bytes }: Summary): string {
  if (folders === 0) return format.bytes(bytes)
  if (files === 0) return t('files.countFolders', { folders })
  return t('files.foldersAndSize', { folders, size: format.bytes(bytes) })
}

interface SelectionToolbarProps {
  /** "3 selected". */
  readonly count: string
  /** "2 folders and 84.6 KiB"; empty while nothing is selected yet. */
  readonly detail: string
  readonly actions: readonly OfferedAction[]
  readonly narrow: boolean
  readonly onClear: () => void
  readonly onMore: (button: HTMLElement) => void
}

/** Replaces the folder's toolbar, so that the rows stay in place. */
function SelectionToolbar({ count, detail, actions, narrow, onClear, onMore }: SelectionToolbarProps) {
  const t = useText()
  return (
    <Toolbar label={t('files.selectionActions')} variant="selection">
      <TightLabels />
      <IconButton icon="x" label={t('files.clearSelection')} aria-keyshortcuts="Escape" onClick={onClear} />
      <ToolbarText>
        {count}
        {detail && (
          <span>
            {' · '}
            <bdi>{detail}</bdi>
          </span>
        )}
      </ToolbarText>
      <span className="grow" />
      {!narrow &&
        actions.map((action) => (
          <Button
            key={action.id}
            variant="ghost"
            icon={action.icon}
            aria-keyshortcuts={action.keys}
            onClick={action.run}
          >
            <span>{action.label}</span>
          </Button>
        ))}
      <PaneButtons />
      <IconButton
        icon="more"
        label={t('files.selectionActions')}
        aria-haspopup="menu"
        onClick={(event) => onMore(event.currentTarget)}
      />
    </Toolbar>
  )
}

/** The same actions at the lower edge, for thumbs. */
function SelectionBottomBar({ actions }: { readonly actions: readonly OfferedAction[] }) {
  const t = useText()
  if (actions.length === 0) return null
  return (
    <Toolbar label={t('files.selectionActionsTouch')} variant="thumb">
      {actions.map((action) => (
        <Button key={action.id} variant="ghost" icon={action.icon} onClick={action.run}>
          <span className="clip">{action.label}</span>
        </Button>
      ))}
    </Toolbar>
  )
}

export interface Summary {
  readonly folders: number
  readonly files: number
  /** Bytes of the files; folders have no size of their own. */
  readonly bytes: number
}

const NONE: Summary = { folders: 0, files: 0, bytes: 0 }

export function summarise(entries: Iterable<Resource>): Summary {
  let { folders, files, bytes } = NONE
  for (const entry of entries) {
    if (entry.isDir) folders += 1
    else {
      files += 1
      bytes += entry.size
    }
  }
  return { folders, files, bytes }
}

/** The summary of the selected entries. Looks only at the names that the selection holds, never at the whole folder. */
export function summariseSelection(
  selection: Selection,
  all: Summary,
  entryOf: (name: string) => Resource | undefined,
): Summary {
  const listed = summarise([...selection.names].map(entryOf).filter((entry) => entry !== undefined))
  if (!selection.inverted) return listed
  return { folders: all.folders - listed.folders, files: all.files - listed.files, bytes: all.bytes - listed.bytes }
}
