import { type SubmitEvent, useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { PasswordField } from '../kit/fields/text-field.tsx'
import styles from './card.module.css'

interface PasswordCardProps {
  /** @throws ApiError */
  readonly unlock: (password: string) => Promise<void>
}

type Problem = 'missing' | 'wrong' | 'connection' | 'server'

const SECOND = 1000

/** Asks for the password of a share. A wrong one stays in the field, selected. */
export function PasswordCard({ unlock }: PasswordCardProps) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [wait, startWaiting] = useSecondsLeft()
  const messages: Readonly<Record<Problem, string>> = {
    missing: t('public.passwordMissing'),
    wrong: t('public.wrongPassword'),
    connection: t('errors.connection'),
    server: t('public.failedText'),
  }

  const submit = async (field: HTMLInputElement): Promise<void> => {
    const found = field.value === '' ? 'missing' : await tryPassword(field.value)
    if (found === undefined) return
    setProblem(found)
    field.focus()
    field.select()
  }
  const tryPassword = async (password: string): Promise<Problem | undefined> => {
    setBusy(true)
    try {
      await unlock(password)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 429) startWaiting(error.retryAfter ?? 60)
      if (error.status === 401 || error.status === 429) return 'wrong'
      return error.status === 0 ? 'connection' : 'server'
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('password')
    if (!busy && wait === 0 && field instanceof HTMLInputElement) void submit(field)
  }
  return (
    <form className={styles['password']} aria-labelledby="password-title" noValidate onSubmit={handleSubmit}>
      <div className={styles['head']}>
        <span className={styles['disc']}>
          <Icon name="lock" size={24} />
        </span>
        <h1 id="password-title">{t('public.passwordTitle')}</h1>
        <p className="muted">{t('public.passwordText')}</p>
      </div>
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete="off"
        autoFocus
        required
        enterKeyHint="go"
        error={wait > 0 ? t('public.tooManyTries', { seconds: wait }) : problem && messages[problem]}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        progress={busy ? 'busy' : 'idle'}
        aria-disabled={wait > 0 || undefined}
      >
        {t('public.openShare')}
      </Button>
    </form>
  )
}

/** Counts down to the next attempt. */
function useSecondsLeft(): readonly [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const remaining = Math.max(0, Math.ceil((until - now) / SECOND))
  useEffect(() => {
    if (remaining === 0) return
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [remaining])
  const start = (seconds: number): void => {
    const moment = Date.now()
    setNow(moment)
    setUntil(moment + seconds * SECOND)
  }
  return [remaining, start]
}
