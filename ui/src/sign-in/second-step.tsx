import { type ReactNode, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { askPasskey, showFactor } from '../../../src/api/accounts/auth.ts'
import type { BodyOf } from '../../../src/api/operation.ts'
import { ApiError, type SecondStep as Step } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { useProductName } from '../api/page-config.tsx'
import { useSession } from '../api/session.ts'
import { type MessageId, RichText, useText, useTextPart } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { ErrorNote, Note } from '../kit/feedback/note.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { Checkbox } from '../kit/fields/checkbox.tsx'
import { CODE_INPUT } from '../kit/fields/inputs.tsx'
import { TextField } from '../kit/fields/text-field.tsx'
import { signWithPasskey } from '../api/passkeys.ts'
import styles from './second-step.module.css'
import { useCountdown } from './use-login.ts'

interface SecondStepProps {
  readonly step: Step
  /** The password must be asked again. */
  readonly onOver: () => void
}

type Way = 'totp' | 'passkey' | 'recovery'
type Proof = Omit<BodyOf<typeof showFactor>, 'challenge'>

/** The second step of signing in: a code, a passkey or a recovery code. */
export function SecondStep({ step, onOver }: SecondStepProps) {
  useTextPart('factor')
  const { challenge, ways } = step
  const [way, setWay] = useState<Way>(
    () => (['totp', 'passkey', 'recovery'] as const).find((each) => ways.includes(each)) ?? 'totp',
  )
  const attempt = useAttempt(challenge, onOver)
  const others = (['totp', 'passkey', 'recovery'] as const).filter((each) => each !== way && ways.includes(each))
  const choose = (next: Way): void => {
    attempt.forget()
    setWay(next)
  }
  if (attempt.secondsToWait > 0 && way !== 'passkey')
    return (
      <Waiting seconds={attempt.secondsToWait}>
        {ways.includes('passkey') && <Others ways={['passkey']} onChoose={choose} />}
      </Waiting>
    )
  const links = others.length > 0 && <Others ways={others} onChoose={choose} />
  if (way === 'passkey') return <PasskeyStep challenge={challenge} attempt={attempt} links={links} />
  return <CodeStep key={way} way={way} step={step} attempt={attempt} links={links} />
}

const REFUSALS: Readonly<Record<string, MessageId>> = { usedCode: 'factor.usedCode', disabled: 'login.disabled' }

type Attempt = ReturnType<typeof useAttempt>

function useAttempt(challenge: string, onOver: () => void) {
  const session = useSession()
  const client = useClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<MessageId>()
  const [secondsToWait, setSecondsToWait] = useCountdown()

  /** @param proof made by the person, perhaps by the browser, which may refuse */
  async function send(proof: Proof | Promise<Proof>): Promise<void> {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const body = { challenge, ...(await proof) }
      await session.signInWith(client.call(showFactor, { body }))
    } catch (error) {
      // Anything else comes from the browser: the person has cancelled, or has no such passkey.
      if (error instanceof ApiError && error.status === 401) onOver()
      else if (error instanceof ApiError && error.status === 429) setSecondsToWait(error.retryAfter ?? 30)
      else if (error instanceof ApiError && error.status === 403)
        setProblem(REFUSALS[error.reason ?? ''] ?? 'factor.wrongCode')
      else if (error instanceof ApiError && error.code === 'MAINTENANCE') setProblem('maintenance.adminsOnly')
      else setProblem('login.failed')
    } finally {
      setBusy(false)
    }
  }

  return { busy, problem, secondsToWait, send, forget: () => setProblem(undefined) }
}

interface CodeStepProps {
  readonly way: 'totp' | 'recovery'
  readonly step: Step
  readonly attempt: Attempt
  readonly links: ReactNode
}

function CodeStep({ way, step: { username, trustDays }, attempt, links }: CodeStepProps) {
  const t = useText()
  const product = useProductName()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [trust, setTrust] = useState(false)
  const isApp = way === 'totp'
  const { problem } = attempt
  useEffect(() => {
    if (problem !== undefined) input.current?.select()
  }, [problem])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (code.trim() !== '') void attempt.send(isApp ? { code, trust } : { recovery: code })
  }
  return (
    <form className={styles['step']} aria-labelledby="second-step" noValidate onSubmit={submit}>
      <div className={styles['head']}>
        <h2 id="second-step">{t(isApp ? 'factor.codeTitle' : 'factor.useRecovery')}</h2>
        <p>
          {isApp ? (
            <RichText
              id="factor.codeText"
              values={{ product, name: username }}
              elements={[<b key="0" className="strong" />]}
            />
          ) : (
            t('factor.recoveryText')
          )}
        </p>
      </div>
      <TextField
        ref={input}
        label={t(isApp ? 'factor.code' : 'factor.recoveryCode')}
        {...CODE_INPUT}
        className={styles[isApp ? 'digits' : 'letters']}
        autoFocus
        data-autofocus=""
        value={code}
        error={problem && t(problem)}
        {...(isApp && { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 })}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      {isApp && trustDays !== undefined && (
        <Checkbox checked={trust} label={t('factor.trust', { count: trustDays })} onChange={setTrust} />
      )}
      <Button type="submit" variant="primary" size="large" block progress={attempt.busy ? 'busy' : 'idle'}>
        {t('factor.continue')}
      </Button>
      {links}
    </form>
  )
}

/** What another try does not change. */
const OF_ACCOUNTS: readonly MessageId[] = ['login.disabled', 'maintenance.adminsOnly']

function PasskeyStep({
  challenge,
  attempt,
  links,
}: {
  readonly challenge: string
  readonly attempt: Attempt
  readonly links: ReactNode
}) {
  const t = useText()
  const client = useClient()
  const button = useRef<HTMLButtonElement>(null)
  const { busy, problem } = attempt
  const ask = async (): Promise<Proof> => ({
    passkey: await signWithPasskey(await client.call(askPasskey, { body: { challenge } })),
  })
  const begin = useEffectEvent(() => {
    button.current?.focus()
    void attempt.send(ask())
  })
  // At once: the person has chosen this way, or has no other.
  useEffect(() => begin(), [])
  return (
    <div className={styles['step']}>
      <div className={styles['disc']}>
        <Icon name="passkey" size={28} />
      </div>
      <div className={styles['centre']} role="status">
        <h2>{t('factor.passkeyTitle')}</h2>
        <p>{t('factor.passkeyText')}</p>
      </div>
      <ErrorNote>{problem && t(OF_ACCOUNTS.includes(problem) ? problem : 'factor.passkeyFailed')}</ErrorNote>
      <Button
        ref={button}
        size="large"
        block
        progress={busy ? 'busy' : 'idle'}
        onClick={() => void attempt.send(ask())}
      >
        {t(busy ? 'factor.passkeyWaiting' : 'errors.retry')}
      </Button>
      {links}
    </div>
  )
}

function Waiting({ seconds, children }: { readonly seconds: number; readonly children: ReactNode }) {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <div className={styles['step']}>
      <h2 ref={heading} tabIndex={-1}>
        {t('factor.waitTitle')}
      </h2>
      <Note icon="clock" tone="warning" role="alert">
        {t('factor.waitText')}
      </Note>
      <Button variant="primary" size="large" block disabled>
        <span className="num">{t('factor.waitButton', { time })}</span>
      </Button>
      <p className="small muted">{t('factor.waitHelp')}</p>
      {children}
    </div>
  )
}

const CHOICES = { totp: 'factor.useCode', passkey: 'login.passkey', recovery: 'factor.useRecovery' } as const

function Others({ ways, onChoose }: { readonly ways: readonly Way[]; readonly onChoose: (way: Way) => void }) {
  const t = useText()
  return (
    <p className={styles['others']}>
      {ways.map((way) => (
        <button key={way} type="button" className="link touch" onClick={() => onChoose(way)}>
          {t(CHOICES[way])}
        </button>
      ))}
    </p>
  )
}
