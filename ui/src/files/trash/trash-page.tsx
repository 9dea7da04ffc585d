import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listTrash } from '../../../../src/api/files/trash.ts'
import type { TrashItem } from '../../../../src/domain/files/trash.ts'
import { useClient, POLL_INTERVAL } from '../../api/client.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { TrashList } from './trash-list.tsx'
import { usePermissionsAnywhere } from '../../api/permissions.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Toolbar, ToolbarText } from '../../kit/button/toolbar.tsx'
import styles from './trash-page.module.css'

const NONE: readonly TrashItem[] = []
/** The server reads a file per item, so a larger trash is not polled. */
const SMALL_TRASH = 500

/** Deleted items that can be restored. */
export function TrashPage() {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const files = useFileActions()
  usePageTitle(t('trash.title'))
  const { data, isPending } = useQuery({
    queryKey: ['trash'],
    queryFn: ({ signal }) => client.call(listTrash, { signal }),
    throwOnError: (_error, query) => query.state.data === undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data ?? NONE).length <= SMALL_TRASH && POLL_INTERVAL,
  })
  const items = data ?? NONE
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  // Excludes items that were removed since they were selected.
  const selected = items.filter(({ id }) => selectedIds.has(id))
  const select = (ids: readonly string[], on: boolean): void => {
    const changed = new Set(ids)
    setSelectedIds((before) => new Set([...[...before].filter((id) => !changed.has(id)), ...(on ? ids : [])]))
  }
  const size = items.reduce((sum, item) => sum + item.size, 0)
  return (
    <div className={styles['page']}>
      <Portal to="title">
        <h1 className={styles['title']}>{t('trash.title')}</h1>
      </Portal>
      {items.length > 0 && (
        <>
          <TrashToolbar
            summary={t('trash.summary', { count: items.length, size: format.bytes(size) })}
            count={selected.length}
            onClear={() => setSelectedIds(new Set())}
            onRestore={() => void files.restore(selected)}
            onRemove={() => void files.purge(selected)}
            onEmpty={() => void files.emptyTrash(items)}
          />
          <TrashList
            items={items}
            selectedIds={selectedIds}
            onSelect={select}
            onRestore={(item) => void files.restore([item])}
            onRemove={(item) => void files.purge([item])}
          />
        </>
      )}
      {isPending && (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('trash.loading')}</span>
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState art={<Icon name="trash" size={56} />} title={t('trash.emptyTitle')} role="status">
          {t('trash.emptyText')}
        </EmptyState>
      )}
    </div>
  )
}

interface TrashToolbarProps {
  /** "12 items, 84.6 KiB". */
  readonly summary: string
  /** How many are selected. */
  readonly count: number
  readonly onClear: () => void
  readonly onRestore: () => void
  readonly onRemove: () => void
  readonly onEmpty: () => void
}

function TrashToolbar({ summary, count, onClear, onRestore, onRemove, onEmpty }: TrashToolbarProps) {
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const mayRestore = usePermissionsAnywhere().create
  if (count === 0) {
    return (
      <Toolbar label={t('trash.actions')} variant="page">
        <ToolbarText>{summary}</ToolbarText>
        <span className="grow" />
        <Button variant="danger-quiet" icon="trash" onClick={onEmpty}>
          {t('trash.empty')}
        </Button>
      </Toolbar>
    )
  }
  const actions = (
    <>
      {mayRestore && (
        <Button variant="ghost" icon="undo" onClick={onRestore}>
          <span className="clip">{t('trash.restore')}</span>
        </Button>
      )}
      <Button variant="ghost" icon="trash" onClick={onRemove}>
        <span className="clip">{t('actions.deleteForever')}</span>
      </Button>
    </>
  )
  return (
    <>
      <Toolbar label={t('files.selectionActions')} variant="selection">
        <IconButton icon="x" label={t('files.clearSelection')} onClick={onClear} />
        <ToolbarText>{t('files.selected', { count })}</ToolbarText>
        <span className="grow" />
        {!narrow && actions}
      </Toolbar>
      {narrow && (
        <Toolbar label={t('files.selectionActionsTouch')} variant="thumb">
          {actions}
        </Toolbar>
      )}
    </>
  )
}
