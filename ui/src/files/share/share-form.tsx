import { type Dispatch, type SetStateAction, useId, useState } from 'react'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import {
  type DurationUnit,
  type Ending,
  type EndingProblem,
  MOST,
  NEVER,
  UNITS,
  checkEnding,
  endOf,
  isSameEnding,
} from './ending.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { Chip } from '../../kit/button/toggles.tsx'
import { DateTimeField, TextField } from '../../kit/fields/text-field.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { newPassword } from './new-password.ts'
import { Note } from '../../kit/feedback/note.tsx'
import { problemOf, problemText } from '../actions/batches/problem-text.ts'
import { useCopy } from './share-links.ts'
import styles from './shares.module.css'

/** Bytes of a password that the server accepts. */
const LONGEST_PASSWORD = 72

export interface ShareForm {
  readonly ending: Ending
  readonly password: string
  /** Removes the existing password. */
  readonly open: boolean
  /** The error beneath the field, after a try to save. */
  readonly problems: { readonly ending?: string | undefined; readonly password?: string | undefined }
  setEnding(ending: Ending): void
  setPassword(password: string): void
  setOpen: Dispatch<SetStateAction<boolean>>
  /** Shows errors. True when there are none. */
  check(): boolean
}

const SENTENCES = { amount: 'shares.amountWrong', noDate: 'shares.dateMissing', past: 'shares.datePast' } as const

/** The state of the form. @param initial how long the link lasts unless changed */
export function useShareForm(initial: () => Ending): ShareForm {
  const t = useText()
  const [ending, setEnding] = useState(initial)
  const [password, setPassword] = useState('')
  const [open, setOpen] = useState(false)
  const [wrong, setWrong] = useState<{ ending?: EndingProblem | undefined; password?: boolean }>({})
  return {
    ending,
    password,
    open,
    problems: {
      ending: wrong.ending && t(SENTENCES[wrong.ending]),
      password: wrong.password === true ? t('shares.passwordTooLong', { bytes: LONGEST_PASSWORD }) : undefined,
    },
    setEnding(next) {
      setWrong((before) => ({ ...before, ending: undefined }))
      setEnding(next)
    },
    setPassword(next) {
      setWrong((before) => ({ ...before, password: false }))
      setPassword(next)
    },
    setOpen,
    check() {
      const found = {
        ending: checkEnding(ending, new Date()),
        password: !open && new TextEncoder().encode(password.trim()).length > LONGEST_PASSWORD,
      }
      setWrong(found)
      return found.ending === undefined && !found.password
    },
  }
}

interface ShareFieldsProps {
  readonly form: ShareForm
  /** The link has a password already. */
  readonly guarded?: boolean | undefined
}

/** How long a link lasts, and by which password it opens. */
export function ShareFields({ form, guarded = false }: ShareFieldsProps) {
  return (
    <>
      <EndingFields ending={form.ending} problem={form.problems.ending} onChange={form.setEnding} />
      <SharePasswordField form={form} guarded={guarded} />
    </>
  )
}

const PRESETS: readonly [MessageId, Ending][] = [
  ['shares.oneHour', { kind: 'after', amount: '1', unit: 'hours' }],
  ['shares.oneDay', { kind: 'after', amount: '1', unit: 'days' }],
  ['shares.sevenDays', { kind: 'after', amount: '7', unit: 'days' }],
  ['shares.thirtyDays', { kind: 'after', amount: '30', unit: 'days' }],
  ['shares.never', NEVER],
]

const UNIT_NAMES: Readonly<Record<DurationUnit, MessageId>> = {
  seconds: 'shares.seconds',
  minutes: 'shares.minutes',
  hours: 'shares.hours',
  days: 'shares.days',
}

const DAY = 24 * 60 * 60 * 1000

interface EndingFieldsProps {
  readonly ending: Ending
  readonly problem: string | undefined
  readonly onChange: (ending: Ending) => void
}

/** Common durations first, then an exact number or date, then the resulting date. */
function EndingFields({ ending, problem, onChange }: EndingFieldsProps) {
  const t = useText()
  const id = useId()
  const exact = ending.kind === 'at'
  return (
    <div role="group" aria-labelledby={id} className={styles['ending']}>
      <span id={id} className={styles['label']}>
        {t('shares.expiresAfter')}
      </span>
      <div className={styles['presets']}>
        {PRESETS.map(([label, preset]) => (
          <Chip key={label} pressed={isSameEnding(preset, ending)} onClick={() => onChange(preset)}>
            {t(label)}
          </Chip>
        ))}
        <Chip
          icon="calendar"
          pressed={exact}
          onClick={() => exact || onChange({ kind: 'at', date: dateOf(ending) ?? new Date(Date.now() + DAY) })}
        >
          {t('shares.onDate')}
        </Chip>
      </div>
      {exact ? (
        <Moment key="at" ending={ending} problem={problem} onChange={onChange} />
      ) : (
        <Duration key="after" ending={ending} problem={problem} onChange={onChange} />
      )}
    </div>
  )
}

function Moment({ ending, problem, onChange }: EndingFieldsProps & { readonly ending: Ending & { kind: 'at' } }) {
  const t = useText()
  const [now] = useState(() => new Date())
  return (
    <DateTimeField
      label={t('shares.date')}
      value={ending.date}
      min={now}
      error={problem}
      hint={<Until ending={ending} />}
      onChange={(date) => onChange({ kind: 'at', date })}
    />
  )
}

function Duration({ ending, problem, onChange }: EndingFieldsProps & { readonly ending: Ending & { kind: 'after' } }) {
  const t = useText()
  const { amount, unit } = ending
  return (
    <div className={styles['duration']}>
      <TextField
        label={<span className="visually-hidden">{t('shares.amount')}</span>}
        type="number"
        inputMode="numeric"
        min={0}
        max={MOST}
        step={1}
        value={amount}
        error={problem}
        hint={<Until ending={ending} />}
        onChange={(event) => onChange({ kind: 'after', amount: event.currentTarget.value, unit })}
      />
      <Select
        label={t('shares.unit')}
        value={unit}
        options={UNITS.map((value) => ({ value, label: t(UNIT_NAMES[value]) }))}
        onChange={(next) => onChange({ kind: 'after', amount, unit: next })}
      />
    </div>
  )
}

/** The date that a choice results in. */
function Until({ ending }: { readonly ending: Ending }) {
  const t = useText()
  const format = useFormat()
  const date = dateOf(ending)
  if (date !== undefined) return t('shares.until', { date: format.dateTime(date) })
  return checkEnding(ending, new Date()) === undefined ? t('shares.untilDeleted') : null
}

/** Undefined for never, and while the input is invalid. */
function dateOf(ending: Ending): Date | undefined {
  const now = new Date()
  if (checkEnding(ending, now) !== undefined) return undefined
  const end = endOf(ending, now)
  return end === 0 ? undefined : new Date(end * 1000)
}

interface SharePasswordFieldProps {
  readonly form: ShareForm
  readonly guarded: boolean
}

/** Shown in plain text, since the user passes it on. */
function SharePasswordField({ form, guarded }: SharePasswordFieldProps) {
  const t = useText()
  const announce = useAnnounce()
  const generate = (): void => {
    const password = newPassword()
    form.setPassword(password)
    announce(t('shares.passwordGenerated'))
  }
  return (
    <>
      <TextField
        label={t(guarded ? 'shares.newPassword' : 'shares.passwordOptional')}
        hint={t(guarded ? 'shares.passwordKept' : 'shares.passwordHint')}
        error={form.problems.password}
        value={form.password}
        disabled={form.open}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
        end={<IconButton icon="retry" label={t('shares.generate')} disabled={form.open} onClick={generate} />}
      />
      {guarded && <Checkbox checked={form.open} onChange={form.setOpen} label={t('shares.removePassword')} />}
    </>
  )
}

/** The server's error, inside the dialog. */
export function ShareProblem({ error }: { readonly error: Error | null }) {
  const t = useText()
  if (error === null) return null
  return (
    <Note icon="error" tone="danger" role="alert">
      {problemText(t, problemOf(error))}
    </Note>
  )
}

/** The only time that the password is shown: the server keeps only its hash. */
export function NewPassword({ password }: { readonly password: string }) {
  const t = useText()
  const copy = useCopy()
  return (
    <Note icon="key" tone="warning">
      <p>{t('shares.passwordOnce')}</p>
      <div className={styles['password']}>
        <bdi dir="ltr" className="mono">
          {password}
        </bdi>
        <Button
          size="small"
          icon="copy"
          onClick={() => void copy({ text: password, success: t('shares.passwordCopied') })}
        >
          {t('shares.copyPassword')}
        </Button>
      </div>
    </Note>
  )
}
