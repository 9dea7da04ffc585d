import { useState } from 'react'
import type { ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import { useFormat, useNow } from '../../../i18n/use-format.ts'
import { useText, useTextPart } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { ProviderForm } from './provider-form.tsx'
import { PROVIDER_KINDS } from './provider-kinds.ts'
import rows from '../rows.module.css'
import styles from './providers.module.css'
import { type Providers, useProviders, useProviderState } from './use-providers.ts'

/** The providers, each with its form in place. */
export function ProvidersSection() {
  useTextPart('directories')
  const t = useText()
  const providers = useProviders()
  const [added, setAdded] = useState<string>()
  const kind = PROVIDER_KINDS.find(({ type }) => type === added)
  const { list } = providers
  if (list === undefined) return null
  return (
    <SettingCard
      title={t('providers.title')}
      hint={t('providers.hint')}
      footer={
        kind === undefined &&
        PROVIDER_KINDS.map(({ type, name }) => (
          <Button key={type} icon="plus" onClick={() => setAdded(type)}>
            {t('providers.addOne', { type: t(name) })}
          </Button>
        ))
      }
    >
      {list.length > 0 && (
        <ul className={rows['list']} aria-label={t('providers.title')}>
          {list.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} providers={providers} />
          ))}
        </ul>
      )}
      {list.length === 0 && kind === undefined && <p className={styles['empty']}>{t('providers.none')}</p>}
      {kind !== undefined && (
        <ProviderForm kind={kind} provider={undefined} providers={providers} onClose={() => setAdded(undefined)} />
      )}
    </SettingCard>
  )
}

interface ProviderRowProps {
  readonly provider: ProviderView
  readonly providers: Providers
}

function ProviderRow({ provider, providers }: ProviderRowProps) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const { type, name, people, lastUsed } = provider
  const kind = PROVIDER_KINDS.find((known) => known.type === type)
  const facts = [
    kind && t(kind.name),
    t('providers.people', { count: format.number(people) }),
    lastUsed !== undefined && t('providers.lastUsed', { when: format.relativeTime(new Date(lastUsed), now) }),
  ]
  return (
    <li aria-label={name}>
      <div className={rows['row']}>
        <span className={rows['disc']}>
          <Icon name={kind?.icon ?? 'key'} size={20} />
        </span>
        <div className="grow">
          <p className="strong clip" title={name}>
            <bdi>{name}</bdi>
          </p>
          <p className="tiny subtle">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        <StateBadge provider={provider} />
        {kind && (
          <IconButton
            icon="rename"
            size="small"
            label={t('users.editOne', { name })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {kind && isOpen && (
        <ProviderForm kind={kind} provider={provider} providers={providers} onClose={() => setOpen(false)} />
      )}
    </li>
  )
}

function StateBadge({ provider }: { readonly provider: ProviderView }) {
  const t = useText()
  const works = useProviderState(provider)
  if (!provider.enabled) return <Badge>{t('providers.off')}</Badge>
  if (works === undefined) return null
  if (works) {
    return (
      <Badge tone="ok" icon="check">
        {t('providers.works')}
      </Badge>
    )
  }
  return (
    <Badge tone="danger" icon="alert">
      {t('providers.fails')}
    </Badge>
  )
}
