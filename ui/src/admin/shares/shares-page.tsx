import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useClient } from '../../api/client-context.tsx'
import { usePageTitle } from '../../api/use-page-title.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { Button, buttonClass } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Page } from '../../kit/page/page.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { FilterField } from '../../kit/fields/text-field.tsx'
import { filesHref } from '../../lib/app-path.ts'
import styles from './shares-page.module.css'
import { SharesTable } from './shares-table.tsx'
import { matchesWords } from '../../files/share/model/matching.ts'
import { sharesQuery } from '../../files/share/shares-query.ts'

const NONE: readonly ShareDetails[] = []

/** All links that were made, and what became of them. */
export function SharesPage() {
  const t = useText()
  const client = useClient()
  const [typed, setTyped] = useState('')
  usePageTitle(t('shares.title'))
  const { data, isPending } = useQuery({
    ...sharesQuery(client),
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const shares = data ?? NONE
  const found = shares.filter((share) => matchesWords(share, typed))
  return (
    <Page
      wide
      title={t('shares.title')}
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
