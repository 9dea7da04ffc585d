import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { linkOwnIdentity, listIdentities, unlinkIdentity } from '../../../../../src/api/accounts/identities.ts'
import { startLink } from '../../../../../src/api/accounts/providers.ts'
import type { IdentityView } from '../../../../../src/domain/accounts/provider-view.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { waysProblem } from '../../../common/ways-problem.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useFormat, useNow } from '../../../i18n/use-format.ts'
import { useText, useTextPart } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { useLocation, useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { ListStatus } from './devices-card.tsx'
import styles from '../rows.module.css'
import { useLinkDirectory } from './link-directory.tsx'

/** The ways into the user's own account. Linking leads to the provider and back to this card. */
export function WaysCard() {
  useTextPart('ways')
  const t = useText()
  const { data, isPending, refetch } = useOwnWays()
  useLinkOnReturn()
  const begin = useBeginLink()
  const linkDirectory = useLinkDirectory()
  if (data?.identities.length === 0 && data.linkable.length === 0) return null
  const links = data?.linkable.map(({ id, name, type }) => (
    <Button key={id} icon="plus" onClick={() => void (type === 'ldap' ? linkDirectory : begin)(id, name)}>
      {t('ways.link', { name })}
    </Button>
  ))
  return (
    <SettingCard
      title={t('ways.title')}
      hint={t('ways.hint')}
      footer={links !== undefined && links.length > 0 && links}
    >
      {data === undefined ? (
        <ListStatus
          isPending={isPending}
          loading={t('ways.loading')}
          failed={t('ways.failed')}
          onRetry={() => void refetch()}
        />
      ) : (
        <ul className={styles['list']} aria-label={t('ways.title')}>
          {data.identities.map((identity) => (
            <IdentityRow key={`${identity.issuer} ${identity.subject}`} identity={identity} />
          ))}
          {data.hasPassword && (
            <li className={styles['row']} aria-label={t('login.password')}>
              <span className={styles['disc']}>
                <Icon name="lock" size={20} />
              </span>
              <p className="strong grow">{t('login.password')}</p>
            </li>
          )}
        </ul>
      )}
    </SettingCard>
  )
}

function IdentityRow({ identity }: { readonly identity: IdentityView }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const { name, label, linked, lastUsed } = identity
  const unlink = useUnlink(identity)
  const time = (at: string) => format.relativeTime(new Date(at), now)
  const facts = [
    t('ways.linked', { when: time(linked) }),
    lastUsed === undefined ? t('ways.neverUsed') : t('ways.used', { when: time(lastUsed) }),
  ]
  return (
    <li className={styles['row']} aria-label={name}>
      <span className={styles['disc']}>
        <Icon name="sso" size={20} />
      </span>
      <div className="grow">
        <p className="strong clip" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="tiny subtle clip" title={label}>
          <bdi>{label}</bdi>
        </p>
        <p className="tiny subtle">{facts.join(' · ')}</p>
      </div>
      <Button size="small" aria-label={t('ways.unlinkOne', { name })} onClick={() => void unlink()}>
        {t('ways.unlink')}
      </Button>
    </li>
  )
}

const QUERY = ['ways']

function useOwnWays() {
  const client = useClient()
  const user = useUser()
  const id = String(user?.id)
  return useQuery({
    queryKey: [...QUERY, id],
    queryFn: ({ signal }) => client.call(listIdentities, { params: { id }, signal }),
    // The card is drawn once more while a session ends.
    enabled: user !== undefined,
    staleTime: 0,
    throwOnError: false,
  })
}

/** Sends the browser to the provider. */
function useBeginLink(): (id: string, name: string) => Promise<void> {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const { pathname } = useLocation()
  return async (id, name) => {
    const outcome = await confirmed({
      title: t('ways.linkTitle', { name }),
      text: t('ways.linkText', { name }),
      label: t('ways.continue', { name }),
      send: async (password) => {
        const body = { to: pathname, ...(password !== undefined && { current_password: password }) }
        const { url } = await client.call(startLink, { params: { id }, body })
        location.assign(url)
      },
    })
    if (outcome instanceof ApiError)
      toasts.error(t(waysProblem(outcome.reason ?? ''), { name }).replaceAll(/<\/?0>/g, ''))
  }
}

/** Links the person with whom the browser has come back from the provider. */
function useLinkOnReturn(): void {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  const { hash, pathname } = useLocation()
  const finish = useEffectEvent(async (id: string, code: string | null, problem: string): Promise<void> => {
    // Before anything else: a reload must not try again.
    navigateTo(pathname, { replace: true })
    try {
      if (code === null) throw new ApiError({ status: 0, message: problem, reason: problem })
      const ways = await client.call(linkOwnIdentity, { params: { id }, body: { code } })
      const name = ways.identities.find(({ provider }) => provider === id)?.name ?? id
      toasts.success(t('ways.linkedNow', { name }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const sentence = t(waysProblem(error.reason ?? ''), { name: t('ways.theProvider') })
      toasts.error(sentence.replaceAll(/<\/?0>/g, ''))
    }
    await queries.invalidateQueries({ queryKey: QUERY })
  })
  useEffect(() => {
    const sent = new URLSearchParams(hash.slice(1))
    const [code, problem] = [sent.get('link'), sent.get('problem')]
    if (code !== null || problem !== null) void finish(sent.get('provider') ?? '', code, problem ?? '')
  }, [hash])
}

function useUnlink({ name, issuer, subject }: IdentityView): () => Promise<void> {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const id = String(useUser()?.id ?? 0)
  return async () => {
    const outcome = await confirmed({
      title: t('ways.unlinkTitle', { name }),
      text: t('ways.unlinkText', { name }),
      label: t('ways.unlink'),
      danger: true,
      always: true,
      send: async (password) => {
        const body = { issuer, subject, ...(password !== undefined && { current_password: password }) }
        await client.call(unlinkIdentity, { params: { id }, body })
      },
      explain: ({ reason }) => (reason === 'lastWay' ? t('ways.lastWay') : undefined),
    })
    if (outcome === true) toasts.success(t('ways.unlinked', { name }))
    else if (outcome !== undefined) toasts.error(problemText(t, problemOf(outcome)))
    await queries.invalidateQueries({ queryKey: QUERY })
  }
}
