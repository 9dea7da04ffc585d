import { type ReactNode, useId, useRef, useState } from 'react'
import type { SecondStep } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'
import { startSignIn } from '../../../src/api/accounts/providers.ts'
import { RichText, useText, useTextPart } from '../i18n/use-text.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { Button, buttonClass } from '../kit/button/button.tsx'
import { Note } from '../kit/feedback/note.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { useSearchValue } from '../lib/navigation/navigation.tsx'
import { waysProblem } from '../common/ways-problem.ts'
import { PasskeyButton } from './passkey-button.tsx'
import styles from './provider-ways.module.css'

const DirectoryForm = lazyComponent(async () => (await import('./directory-form.tsx')).DirectoryForm)

interface ProviderWaysProps {
  /** The form for a password, or what there is instead. */
  readonly children: ReactNode
  /** Why the person is here. */
  readonly notice: ReactNode
  readonly onStep: (step: SecondStep) => void
}

/** Buttons of the providers, above the form for a password, which may be folded. */
export function ProviderWays({ children, notice, onStep }: ProviderWaysProps) {
  useTextPart('ways')
  const t = useText()
  const formId = useId()
  const { HidePassword, Providers = [] } = useConfig()
  const [isFolded, setFolded] = useState(HidePassword === true)
  const [refusal] = useState(readRefusal)
  const [directory, setDirectory] = useState<Directory>()
  const opened = useRef<string>(undefined)
  if (directory !== undefined) {
    return (
      <section className={styles['card']} aria-label={t('ways.choose')}>
        <DirectoryForm {...directory} onStep={onStep} onBack={() => setDirectory(undefined)} />
      </section>
    )
  }
  const open = (chosen: Directory): void => {
    opened.current = chosen.id
    setDirectory(chosen)
  }
  return (
    <section className={styles['card']} aria-label={t('ways.choose')}>
      {refusal ? <RefusalNote {...refusal} /> : notice}
      {Providers.length > 0 && (
        <div className={styles['links']}>
          <ProviderLinks openDirectory={open} focused={opened.current} />
          <PasskeyButton />
        </div>
      )}
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

interface Directory {
  readonly id: string
  readonly name: string
}

interface ProviderLinksProps {
  /** Keeps this page, which learns of the sign-in there. */
  readonly inNewWindow?: boolean
  /** Without it, directories are left out: the form for a password asks them, too. */
  readonly openDirectory?: (directory: Directory) => void
  /** The directory that somebody has come back from. */
  readonly focused?: string | undefined
}

export function ProviderLinks({ inNewWindow = false, openDirectory, focused }: ProviderLinksProps) {
  useTextPart('ways')
  const t = useText()
  const client = useClient()
  const to = useSearchValue('redirect')
  const { Providers = [] } = useConfig()
  return (
    <>
      {Providers.map(({ id, name, type }, index) => {
        const look = { variant: index === 0 ? 'primary' : 'secondary', size: 'large', block: true } as const
        const label = <span className="clip">{t('ways.continue', { name })}</span>
        if (type === 'ldap') {
          return (
            openDirectory && (
              <Button
                key={id}
                {...look}
                icon="directory"
                autoFocus={focused === id}
                onClick={() => openDirectory({ id, name })}
              >
                {label}
              </Button>
            )
          )
        }
        return (
          <a
            key={id}
            className={buttonClass(look)}
            href={client.url(startSignIn, { params: { id }, query: to === undefined ? {} : { to } })}
            {...(inNewWindow && { target: '_blank', rel: 'noopener' })}
          >
            <Icon name="sso" />
            {label}
          </a>
        )
      })}
    </>
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
      <p dir="ltr">
        {`${id}${word} · `}
        <bdi>{format.dateTime(at)}</bdi>
      </p>
    </details>
  )
}
