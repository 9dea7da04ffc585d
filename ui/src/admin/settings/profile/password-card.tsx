import { useRef, useState } from 'react'
import { useConfig } from '../../../api/page-config.tsx'
import { useUser } from '../../../api/session.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { PasswordField } from '../../../kit/fields/text-field.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import {
  type PasswordAdvice,
  passwordAdvice,
  type PasswordFieldName,
  type PasswordEntries,
  type PasswordProblem,
  problemOfAnswer,
  problemOfEntries,
} from './password-rules.ts'
import styles from './password-card.module.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { updateUser } from '../../../../../src/api/accounts/users.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { passwordRulesQuery } from '../../../api/password-rules.ts'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { devicesQuery, othersOf } from './devices-card.tsx'

const EMPTY: Readonly<Record<PasswordFieldName, string>> = { current: '', next: '', repeated: '' }

const ADVICE: Readonly<Record<PasswordAdvice, MessageId>> = {
  none: 'password.advice',
  short: 'password.tooShort',
  predictable: 'password.tooEasy',
  fair: 'password.fair',
  good: 'password.good',
  strong: 'password.strong',
}

const LABELS: Readonly<Record<PasswordFieldName, MessageId>> = {
  current: 'password.current',
  next: 'password.new',
  repeated: 'password.repeat',
}

/** Changes the user's own password. */
export function PasswordCard() {
  const t = useText()
  const user = useUser()
  const asksCurrent = useConfig().AuthMethod === 'json'
  const { change, busy, problem, least, forgetProblem } = useChangePassword()
  const [entries, setEntries] = useState(EMPTY)
  const inputs = useRef<Partial<Record<PasswordFieldName, HTMLInputElement | null>>>({})
  const advice = passwordAdvice(entries.next, least)
  const repeats = entries.repeated !== '' && entries.repeated === entries.next
  const differs = entries.repeated !== '' && !repeats

  const submit = async (): Promise<void> => {
    const wrong = await change({ ...entries, current: asksCurrent ? entries.current : undefined })
    if (wrong === undefined) setEntries(EMPTY)
    if (wrong?.field !== undefined) inputs.current[wrong.field]?.select()
  }

  const errorOf = (name: PasswordFieldName): string | undefined => {
    if (problem?.field === name) return problem.text
    return name === 'repeated' && differs ? t('password.mismatch') : undefined
  }

  const row = (name: PasswordFieldName, matched: boolean, hint?: string) => (
    <SettingRow label={t(LABELS[name])} hint={hint} error={errorOf(name)}>
      {(control) => (
        <PasswordField
          {...control}
          ref={(input) => {
            inputs.current[name] = input
          }}
          autoComplete={name === 'current' ? 'current-password' : 'new-password'}
          matched={matched}
          value={entries[name]}
          onChange={({ currentTarget: { value } }) => {
            setEntries((before) => ({ ...before, [name]: value }))
            forgetProblem()
          }}
        />
      )}
    </SettingRow>
  )

  return (
    <SettingCard
      title={t('login.password')}
      hint={t('password.text')}
      onSubmit={() => void submit()}
      footer={
        <Button variant="primary" type="submit" progress={busy ? 'busy' : 'idle'}>
          {t('password.change')}
        </Button>
      }
    >
      {asksCurrent && row('current', false)}
      {row('next', repeats, t(ADVICE[advice], { least: least ?? 0 }))}
      {row('repeated', repeats)}
      {problem !== undefined && problem.field === undefined && (
        <div className={styles['problem']}>
          <ErrorNote>{problem.text}</ErrorNote>
        </div>
      )}
      {/* Password managers need the username. */}
      <input hidden readOnly autoComplete="username" value={user?.username ?? ''} />
    </SettingCard>
  )
}

function useChangePassword() {
  const t = useText()
  const id = useUser()?.id
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PasswordProblem>()
  const rules = useQuery(passwordRulesQuery(client))
  const [reported, setReported] = useState<number>()
  const least = reported ?? rules.data?.minimumLength

  function show(next: PasswordProblem | undefined): PasswordProblem | undefined {
    setProblem(next)
    if (next?.least !== undefined) setReported(next.least)
    return next
  }

  const countOthers = async (): Promise<number> => othersOf(await queries.query(devicesQuery(client))).length

  /** Resolves to the problem, or to undefined after the password was changed. */
  async function change(entries: PasswordEntries): Promise<PasswordProblem | undefined> {
    if (busy || id === undefined) return problem
    const wrong = problemOfEntries(entries, t)
    if (wrong !== undefined) return show(wrong)
    setBusy(true)
    try {
      const before = await countOthers()
      const body = {
        what: 'user',
        which: ['password'],
        data: { id, password: entries.next },
        ...(entries.current !== undefined && { current_password: entries.current }),
      }
      await client.call(updateUser, { params: { id: String(id) }, body })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
      toasts.success(t('password.changed', { count: before - (await countOthers()) }))
      return show(undefined)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return show(problemOfAnswer(error, t))
    } finally {
      setBusy(false)
    }
  }

  return { change, busy, problem, least, forgetProblem: () => setProblem(undefined) }
}
