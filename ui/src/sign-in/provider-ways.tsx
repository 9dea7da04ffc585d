import { type ReactNode, useId, useState } from 'react'
import { useClient } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'
import { startSignIn } from '../../../src/api/accounts/providers.ts'
import { RichText, useText, useTextPart } from '../i18n/use-text.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { Button, buttonClass } from '../kit/button/button.tsx'
import { Note } from '../kit/feedback/note.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { useSearchValue } from '../lib/navigation/navigation.tsx'
import { waysProblem } from '../common/ways-problem.ts'
import styles from './provider-ways.module.css'

interface ProviderWaysProps {
  /** The form for a password, or what there is instead. */
  readonly children: ReactNode
}

/** Buttons of the providers, above the form for a password, which may be folded. */
export function ProviderWays({ children }: ProviderWaysProps) {
  useTextPart('ways')
  const t = useText()
  const formId = useId()
  const { HidePassword, Providers = [] } = useConfig()
  const [isFolded, setFolded] = useState(HidePassword === true)
  const [refusal] = useState(readRefusal)
  return (
    <section className={styles['card']} aria-label={t('ways.choose')}>
      {refusal && <RefusalNote {...refusal} />}
      <ProviderLinks />
      {isFolded && (
        <Button
          variant="ghost"
          className={styles['fold']}
          aria-expanded={false}
          aria-controls={formId}
          onClick={() => setFolded(false)}
        >
          {t('ways.usePassword')}
          <Icon name="down" size={16} />
        </Button>
      )}
      {!isFolded && Providers.length > 0 && <p className={styles['or']}>{t('ways.orPassword')}</p>}
      <div id={formId} hidden={isFolded}>
        {children}
      </div>
      {refusal && <RefusalDetails {...refusal} />}
    </section>
  )
}

/** @param inNewWindow keeps this page, which learns of the sign-in there */
export function ProviderLinks({ inNewWindow = false }: { readonly inNewWindow?: boolean }) {
  useTextPart('ways')
  const t = useText()
  const client = useClient()
  const to = useSearchValue('redirect')
  const { Providers = [] } = useConfig()
  return (
    <div className={styles['links']}>
      {Providers.filter(({ type }) => type === 'oidc').map(({ id, name }, index) => (
        <a
          key={id}
          className={buttonClass({ variant: index === 0 ? 'primary' : 'secondary', size: 'large', block: true })}
          href={client.url(startSignIn, { params: { id }, query: to === undefined ? {} : { to } })}
          {...(inNewWindow && { target: '_blank', rel: 'noopener' })}
        >
          <Icon name="sso" />
          <span className="clip">{t('ways.continue', { name })}</span>
        </a>
      ))}
    </div>
  )
}

interface Refusal {
  /** A word of the server, for which there is a sentence. */
  readonly problem: string
  readonly provider: string
  readonly at: Date
}

/** From the fragment, which anyone could have written: so only words that are known have an effect. */
function readRefusal(): Refusal | undefined {
  const sent = new URLSearchParams(globalThis.location.hash.slice(1))
  const problem = sent.get('problem')
  if (problem === null) return undefined
  const at = Number(sent.get('at') ?? Number.NaN)
  return { problem, provider: sent.get('provider') ?? '', at: Number.isFinite(at) ? new Date(at) : new Date() }
}

function useProviderName(id: string): string | undefined {
  const { Providers = [] } = useConfig()
  return Providers.find((provider) => provider.id === id)?.name
}

function RefusalNote({ problem, provider }: Refusal) {
  const t = useText()
  const name = useProviderName(provider) ?? t('ways.theProvider')
  return (
    <Note icon="error" tone="danger" role="alert">
      <RichText id={waysProblem(problem)} values={{ name }} elements={[<b key="0" className="strong" />]} />
    </Note>
  )
}

function RefusalDetails({ problem, provider, at }: Refusal) {
  const t = useText()
  const format = useFormat()
  const word = /^\w{1,40}$/.test(problem) ? problem : 'unknown'
  const id = useProviderName(provider) === undefined ? '' : `${provider} · `
  return (
    <details className={styles['details']}>
      <summary>{t('ways.details')}</summary>
      <p dir="ltr">{`${id}${word} · ${format.dateTime(at)}`}</p>
    </details>
  )
}
