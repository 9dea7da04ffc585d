import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { listTokens, revokeToken } from '../../../../../src/api/accounts/tokens.ts'
import type { ApiTokenView } from '../../../../../src/domain/accounts/api-token.ts'
import { ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import { ignoreGone } from '../../../api/api-error.ts'
import { type Client, useClient } from '../../../api/client.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { rootName } from '../../../common/where.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useLocale, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { PERMISSION_TEXTS } from '../../forms/permission-fields.tsx'
import styles from '../rows.module.css'
import { ListStatus } from './devices-card.tsx'

const NewToken = lazyPrompt(async () => (await import('./new-token-prompt.tsx')).NewTokenPrompt)

/** The user's API tokens, each with a button to revoke it. */
export function TokensCard() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const { data, isPending, refetch } = useQuery({ ...tokensQuery(client), throwOnError: false })
  const create = async (): Promise<void> => {
    await ask(NewToken, {})
    await queries.invalidateQueries({ queryKey: ['tokens'] })
  }
  return (
    <SettingCard
      title={t('tokens.title')}
      hint={t('tokens.text')}
      footer={
        <Button icon="plus" onClick={() => void create()}>
          {t('tokens.new')}
        </Button>
      }
    >
      {data !== undefined && data.length > 0 && (
        <ul className={styles['list']} aria-label={t('tokens.title')}>
          {data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {data?.length === 0 && (
        <div className={styles['wait']}>
          <p>{t('tokens.none')}</p>
        </div>
      )}
      {data === undefined && (
        <ListStatus
          isPending={isPending}
          loading={t('tokens.loading')}
          failed={t('tokens.failed')}
          onRetry={() => void refetch()}
        />
      )}
    </SettingCard>
  )
}

function TokenRow({ token }: { readonly token: ApiTokenView }) {
  const t = useText()
  const format = useFormat()
  const { name, permissions, path, lastUsed } = token
  const revoke = useRevoke(token)
  const list = new Intl.ListFormat(useLocale(), { type: 'unit', style: 'short' })
  const may = list.format(permissions.map((permission) => t(PERMISSION_TEXTS[permission].label)))
  return (
    <li className={styles['row']} aria-label={name}>
      <span className={styles['disc']}>
        <Icon name="key" size={20} />
      </span>
      <div className="grow">
        <p className="strong clip" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="tiny subtle">
          {may === '' ? t('permissions.viewOnly') : may}
          {' · '}
          <bdi dir="ltr">{path === ROOT ? rootName(t) : path}</bdi>
        </p>
        <p className="tiny subtle">
          {lastUsed === undefined ? (
            t('tokens.unused')
          ) : (
            <time dateTime={lastUsed} title={format.dateTime(new Date(lastUsed))}>
              {t('tokens.used', { when: format.relativeTime(new Date(lastUsed), new Date()) })}
            </time>
          )}
          {' · '}
          <Expiry token={token} />
        </p>
      </div>
      <Button size="small" aria-label={t('tokens.revokeOne', { name })} onClick={() => void revoke()}>
        {t('tokens.revoke')}
      </Button>
    </li>
  )
}

function Expiry({ token: { expires } }: { readonly token: ApiTokenView }) {
  const t = useText()
  const format = useFormat()
  if (expires === undefined) return t('shares.neverExpires')
  const end = new Date(expires)
  if (end <= new Date()) return <Badge tone="danger">{t('shares.expired')}</Badge>
  return t('shares.until', { date: format.dateTime(end) })
}

function useRevoke({ id, name }: ApiTokenView): () => Promise<void> {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  return async () => {
    const outcome = await confirmed({
      title: t('tokens.revokeTitle', { name }),
      text: t('tokens.revokeText'),
      label: t('tokens.revoke'),
      danger: true,
      always: true,
      sensitive: false,
      send: async () => await client.call(revokeToken, { params: { id } }).catch(ignoreGone),
    })
    if (outcome === true) toasts.success(t('tokens.revoked', { name }))
    else if (outcome !== undefined) toasts.error(problemText(t, problemOf(outcome)))
    await queries.invalidateQueries({ queryKey: ['tokens'] })
  }
}

/** The user's own tokens. */
function tokensQuery(client: Client) {
  return queryOptions({
    queryKey: ['tokens', 'own'],
    queryFn: ({ signal }) => client.call(listTokens, { query: {}, signal }),
    staleTime: 0,
  })
}
