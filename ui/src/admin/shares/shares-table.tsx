import { useState } from 'react'
import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useText } from '../../i18n/use-text.tsx'
import { DataTable } from '../../kit/table/data-table.tsx'
import { shareName } from '../../files/share/share-name.ts'
import { useShareActions } from '../../files/share/use-share-actions.ts'
import { ShareRowActions } from './share-row-actions.tsx'
import styles from './shares-page.module.css'
import { SharesToolbar } from './shares-toolbar.tsx'
import { useShareColumns } from './use-share-columns.tsx'

/** Links as rows; what is chosen among them can be copied and deleted together. */
export function SharesTable({ shares }: { readonly shares: readonly ShareDetails[] }) {
  const t = useText()
  const actions = useShareActions()
  const columns = useShareColumns(shares)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // What is gone or filtered out meanwhile is not meant any more.
  const selected = shares.filter(({ hash }) => chosen.has(hash))
  return (
    <div className={styles['table']}>
      {selected.length > 0 && (
        <SharesToolbar shares={selected} actions={actions} onClear={() => setChosen(new Set())} />
      )}
      <DataTable
        label={t('shares.title')}
        columns={columns}
        rows={shares}
        keyOf={({ hash }) => hash}
        sort={{ column: 'expires', descending: false }}
        words={{
          sortBy: t('files.sortBy'),
          descending: t('shares.descending'),
          more: (left) => t('shares.more', { count: left }),
        }}
        choice={{
          chosen,
          onChange: setChosen,
          label: (share) => t('files.select', { name: shareName(share) || t('files.root') }),
          allLabel: t('files.selectAll'),
        }}
        actions={{ head: t('files.actions'), cell: (share) => <ShareRowActions share={share} actions={actions} /> }}
      />
    </div>
  )
}
