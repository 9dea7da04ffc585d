import { useQuery, useQueryClient } from '@tanstack/react-query'
import { leaveShared } from '../../../../../src/api/shares/grants.ts'
import { createNameOrder } from '../../../../../src/domain/files/name-order.ts'
import type { SharedWithMe } from '../../../../../src/domain/shares/grant.ts'
import { useClient } from '../../../api/client.ts'
import { usePageTitle } from '../../../api/page-config.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useNow } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { AppLink } from '../../../kit/button/button.tsx'
import { EmptyState } from '../../../kit/feedback/empty-state.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { FileGlyph, Icon } from '../../../kit/icon/icon.tsx'
import { MenuButton } from '../../../kit/menu/menu-button.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { DataTable } from '../../../kit/table/data-table.tsx'
import type { TableColumn } from '../../../kit/table/table-sections.tsx'
import { Avatar, FileName } from '../../../kit/text/names.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { ExpiryBadge } from '../share-facts.tsx'
import { shareGlyph } from '../share-links.ts'
import { sharedQuery } from './granted-query.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import styles from './granted.module.css'

const hrefOf = ({ path, isDir }: SharedWithMe): string => filesHref(isDir ? `${path}/` : path)

/** What others share with the user. */
export function SharedPage() {
  const t = useText()
  usePageTitle(t('shell.sharedWithMe'))
  const { data, isPending } = useQuery({
    ...sharedQuery(useClient()),
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  return (
    <Page wide title={t('shell.sharedWithMe')} hint={t('shares.mineText')}>
      {isPending && (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('files.loading')}</span>
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState art={<Icon name="users" size={56} />} title={t('shares.nothingMine')} role="status">
          {t('shares.nothingMineText')}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <SharedTable shared={data} />}
    </Page>
  )
}

function SharedTable({ shared }: { readonly shared: readonly SharedWithMe[] }) {
  const t = useText()
  return (
    <DataTable
      label={t('shell.sharedWithMe')}
      columns={useColumns()}
      rows={shared}
      keyOf={({ id }) => id}
      sort={{ column: 'name', descending: false }}
      texts={{
        sortBy: t('files.sortBy'),
        descending: t('shares.descending'),
        more: (left) => t('shares.moreShared', { count: left }),
      }}
      actions={{ head: t('files.actions'), cell: (one) => <RowMenu shared={one} /> }}
    />
  )
}

function useColumns(): readonly TableColumn<SharedWithMe>[] {
  const t = useText()
  const now = useNow()
  const compare = createNameOrder()
  return [
    {
      id: 'name',
      head: t('files.name'),
      isTitle: true,
      compare: (a, b) => compare(a.name, b.name),
      cell: (one) => (
        <span className={styles['item']}>
          <FileGlyph type={shareGlyph({ path: one.name, isDir: one.isDir })} size={24} />
          <AppLink className={classNames('touch', styles['name'])} to={hrefOf(one)} title={one.name}>
            <FileName name={one.name} />
          </AppLink>
          {one.isNew && <Badge tone="accent">{t('notices.new')}</Badge>}
        </span>
      ),
    },
    {
      id: 'from',
      head: t('shares.from'),
      compare: (a, b) => compare(a.owner, b.owner),
      cell: ({ owner, group }) => (
        <span className={classNames(styles['item'], styles['from'])}>
          <Avatar name={owner} />
          <bdi className="clip" title={[owner, group].filter(Boolean).join(' · ')}>
            {[owner, group].filter(Boolean).join(' · ')}
          </bdi>
        </span>
      ),
    },
    {
      id: 'may',
      head: t('shares.youMay'),
      cell: ({ allows }) => <span className="muted">{t(KIND_TEXTS[allows])}</span>,
    },
    {
      id: 'until',
      head: t('shares.expires'),
      compare: (a, b) => a.expires - b.expires,
      cell: ({ expires }) => <ExpiryBadge share={{ expire: expires }} now={now} />,
    },
  ]
}

function RowMenu({ shared }: { readonly shared: SharedWithMe }) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const goTo = useNavigateTo()
  const { id, name } = shared
  const leave = async (): Promise<void> => {
    try {
      await client.call(leaveShared, { params: { id } })
      toasts.success(t('shares.left', { name }))
    } catch (error) {
      toasts.error(problemText(t, problemOf(error)))
    }
    await queries.invalidateQueries({ queryKey: ['shares'] })
  }
  return (
    <MenuButton
      label={t('shares.moreActions', { name })}
      size="small"
      entries={() => [
        { label: t('files.open'), icon: shared.isDir ? 'folder' : 'file', run: () => goTo(hrefOf(shared)) },
        { kind: 'separator' },
        { label: t('shares.leave'), icon: 'x', danger: true, run: () => void leave() },
      ]}
    />
  )
}
