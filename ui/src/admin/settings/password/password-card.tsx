import { useRef, useState } from 'react'
import { useConfig } from '../../../api/config.tsx'
import { useUser } from '../../../api/session-context.tsx'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { PasswordField } from '../../../kit/fields/text-field.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { type PasswordAdvice, passwordAdvice } from './password-advice.ts'
import styles from './password-card.module.css'
import type { PasswordFieldName } from './password-problem.ts'
import { useChangePassword } from './use-change-password.ts'

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

/** Another password for oneself. */
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
      title={t('password.title')}
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
          <Note icon="error" tone="danger" role="alert">
            {problem.text}
          </Note>
        </div>
      )}
      {/* For password managers: whose password it is. */}
      <input hidden readOnly autoComplete="username" value={user?.username ?? ''} />
    </SettingCard>
  )
}
