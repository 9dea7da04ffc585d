import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { createWordFilter } from '../../../../src/domain/text/find-in-text.ts'
import { useClient } from '../../api/client.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, Button, buttonClass } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Page } from '../../kit/page/page.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { FilterField } from '../../kit/fields/text-field.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import styles from './shares-page.module.css'
import { sharesQuery } from '../../files/queries/shares-query.ts'
import { DataTable, SelectionBar } from '../../kit/table/data-table.tsx'
import { shareName, useCopy, useShareLinks } from '../../files/share/share-links.ts'
import { useShareActions, type ShareActions } from '../../files/share/use-share-actions.ts'
import { ShareRowActions } from './share-row-actions.tsx'
import { useShareColumns } from './use-share-columns.tsx'

const NONE: readonly ShareDetails[] = []

/** All share links and their state. */
export function SharesPage() {
  const t = useText()
  const client = useClient()
  const [typed, setTyped] = useState('')
  usePageTitle(t('shell.shares'))
  const { data, isPending } = useQuery({
    ...sharesQuery(client),
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const shares = data ?? NONE
  const fits = createWordFilter(typed)
  const found = shares.filter(({ path, username, hash }) => fits(`${path} ${username} ${hash}`))
  return (
    <Page
      wide
      title={t('shell.shares')}
      hint={data && t('shares.summary', { count: data.length })}
      actions={
        shares.length > 0 && (
          <FilterField className={styles['find']} label={t('shares.find')} value={typed} onChange={setTyped} />
        )
      }
    >
      {isPending && (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('shares.loading')}</span>
        </div>
      )}
      {found.length > 0 && <SharesTable shares={found} />}
      {data?.length === 0 && <NoShares />}
      {shares.length > 0 && found.length === 0 && (
        <EmptyState
          art={<Icon name="search" size={56} />}
          title={t('shares.noneFound')}
          role="status"
          actions={<Button onClick={() => setTyped('')}>{t('shares.showAll')}</Button>}
        />
      )}
    </Page>
  )
}

function NoShares() {
  const t = useText()
  return (
    <EmptyState
      art={<Icon name="link" size={56} />}
      title={t('shares.emptyTitle')}
      role="status"
      actions={
        <AppLink className={buttonClass()} to={filesHref('/')}>
          {t('shares.toFiles')}
        </AppLink>
      }
    >
      {t('shares.emptyText')}
    </EmptyState>
  )
}

/** Table of links. Selected ones can be copied or deleted together. */
export function SharesTable({ shares }: { readonly shares: readonly ShareDetails[] }) {
  const t = useText()
  const actions = useShareActions()
  const columns = useShareColumns(shares, actions)
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set())
  // Drop what was deleted or filtered out meanwhile.
  const selected = shares.filter(({ hash }) => selectedKeys.has(hash))
  return (
    <div className={styles['table']}>
      {selected.length > 0 && (
        <SharesToolbar shares={selected} actions={actions} onClear={() => setSelectedKeys(new Set())} />
      )}
      <DataTable
        label={t('shell.shares')}
        columns={columns}
        rows={shares}
        keyOf={({ hash }) => hash}
        sort={{ column: 'expires', descending: false }}
        texts={{
          sortBy: t('files.sortBy'),
          descending: t('shares.descending'),
          more: (left) => t('shares.more', { count: left }),
        }}
        selection={{
          selected: selectedKeys,
          onChange: setSelectedKeys,
          label: (share) => t('files.select', { name: shareName(share) || t('files.root') }),
          allLabel: t('files.selectAll'),
        }}
        actions={{ head: t('files.actions'), cell: (share) => <ShareRowActions share={share} actions={actions} /> }}
      />
    </div>
  )
}

interface SharesToolbarProps {
  readonly shares: readonly ShareDetails[]
  readonly actions: ShareActions
  readonly onClear: () => void
}

/** Actions for the selected links. */
export function SharesToolbar({ shares, actions, onClear }: SharesToolbarProps) {
  const t = useText()
  const links = useShareLinks()
  const copy = useCopy()
  const count = shares.length
  const copyAll = (): void => {
    const text = shares.map((share) => links.page(share)).join('\n')
    void copy({ text, success: t('shares.copiedAll', { count }) })
  }
  return (
    <SelectionBar
      label={t('files.selectionActions')}
      count={t('files.selected', { count })}
      clearLabel={t('files.clearSelection')}
      onClear={onClear}
    >
      <Button variant="ghost" icon="copy" onClick={copyAll}>
        {t('shares.copyLinks')}
      </Button>
      <Button variant="ghost" icon="trash" onClick={() => void actions.remove(shares)}>
        {t('shares.delete', { count })}
      </Button>
    </SelectionBar>
  )
}
