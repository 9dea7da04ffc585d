import { useId, useState } from 'react'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import {
  type DurationUnit,
  type Expiry,
  type ExpiryProblem,
  MAX_AMOUNT,
  NEVER,
  UNITS,
  checkExpiry,
  expireOf,
  isSameExpiry,
} from './expiry.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { Chip } from '../../kit/button/toggles.tsx'
import { DateTimeField, TextField } from '../../kit/fields/text-field.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { newPassword } from './new-password.ts'
import { Note, ErrorNote } from '../../kit/feedback/note.tsx'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useCopy } from './share-links.ts'
import { checkTerms, KindField, MoreFields, type TermsInput, termsInput, type TermsProblems } from './terms-fields.tsx'
import styles from './shares.module.css'

/** Bytes of a password that the server accepts. */
const MAX_PASSWORD_BYTES = 72

const PROBLEM_TEXTS = { amount: 'shares.amountWrong', noDate: 'shares.dateMissing', past: 'shares.datePast' } as const

/** The state of the form. @param initial how long the link lasts unless changed */
export function useShareForm(initial: () => Expiry, initialTerms: () => TermsInput = termsInput) {
  const t = useText()
  const [expiry, setExpiry] = useState(initial)
  const [password, setPassword] = useState('')
  const [removesPassword, setRemovesPassword] = useState(false)
  const [terms, setTerms] = useState(initialTerms)
  const [wrong, setWrong] = useState<Wrong>({})
  return {
    expiry,
    password,
    /** Removes the existing password. */
    removesPassword,
    terms,
    /** The errors below the fields, after an attempt to save. */
    problems: {
      expiry: wrong.expiry && t(PROBLEM_TEXTS[wrong.expiry]),
      password: wrong.password === true ? t('shares.passwordTooLong', { bytes: MAX_PASSWORD_BYTES }) : undefined,
      terms: wrong.terms ?? {},
    },
    setExpiry(next: Expiry) {
      setWrong((before) => ({ ...before, expiry: undefined }))
      setExpiry(next)
    },
    setPassword(next: string) {
      setWrong((before) => ({ ...before, password: false }))
      setPassword(next)
    },
    setRemovesPassword,
    setTerms(next: TermsInput) {
      setWrong((before) => ({ ...before, terms: {} }))
      setTerms(next)
    },
    /**
     * Validates the fields and shows errors. True when there are none.
     *
     * @param sameExpiry the expiry stays the same, so it may already have passed
     */
    check(sameExpiry = false) {
      const found = {
        expiry: sameExpiry ? undefined : checkExpiry(expiry, new Date()),
        password: !removesPassword && new TextEncoder().encode(password.trim()).length > MAX_PASSWORD_BYTES,
        terms: checkTerms(terms),
      }
      setWrong(found)
      return found.expiry === undefined && !found.password && Object.keys(found.terms).length === 0
    },
  }
}

export type ShareForm = ReturnType<typeof useShareForm>

interface Wrong {
  readonly expiry?: ExpiryProblem | undefined
  readonly password?: boolean
  readonly terms?: TermsProblems
}

interface ShareFieldsProps {
  readonly form: ShareForm
  /** Whether a folder is shared. */
  readonly isFolder: boolean
  /** Whether the link is made by this form. */
  readonly isNew?: boolean | undefined
  /** The link already has a password. */
  readonly hasPassword?: boolean | undefined
}

/** What a link allows, its expiry and its password. */
export function ShareFields({ form, isFolder, isNew = false, hasPassword = false }: ShareFieldsProps) {
  return (
    <>
      <KindField terms={form.terms} onChange={form.setTerms} isFolder={isFolder} />
      <ExpiryFields expiry={form.expiry} problem={form.problems.expiry} onChange={form.setExpiry} />
      <SharePasswordField form={form} hasPassword={hasPassword} />
      <MoreFields
        terms={form.terms}
        problems={form.problems.terms}
        onChange={form.setTerms}
        isNew={isNew}
        hasPassword={form.password.trim() !== ''}
      />
    </>
  )
}

const PRESETS: readonly [MessageId, Expiry][] = [
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

interface ExpiryFieldsProps {
  readonly expiry: Expiry
  readonly problem: string | undefined
  readonly onChange: (expiry: Expiry) => void
}

/** Common durations first, then an exact number or date, then the resulting date. */
function ExpiryFields({ expiry, problem, onChange }: ExpiryFieldsProps) {
  const t = useText()
  const id = useId()
  const exact = expiry.kind === 'at'
  return (
    <div role="group" aria-labelledby={id} className={styles['expiry']}>
      <span id={id} className={styles['label']}>
        {t('shares.expiresAfter')}
      </span>
      <div className={styles['presets']}>
        {PRESETS.map(([label, preset]) => (
          <Chip key={label} pressed={isSameExpiry(preset, expiry)} onClick={() => onChange(preset)}>
            {t(label)}
          </Chip>
        ))}
        <Chip
          icon="calendar"
          pressed={exact}
          onClick={() => exact || onChange({ kind: 'at', date: dateOf(expiry) ?? new Date(Date.now() + DAY) })}
        >
          {t('shares.onDate')}
        </Chip>
      </div>
      {exact ? (
        <DateField key="at" expiry={expiry} problem={problem} onChange={onChange} />
      ) : (
        <DurationField key="after" expiry={expiry} problem={problem} onChange={onChange} />
      )}
    </div>
  )
}

function DateField({ expiry, problem, onChange }: ExpiryFieldsProps & { readonly expiry: Expiry & { kind: 'at' } }) {
  const t = useText()
  const [now] = useState(() => new Date())
  return (
    <DateTimeField
      label={t('shares.date')}
      value={expiry.date}
      min={now}
      error={problem}
      hint={<ResultingDate expiry={expiry} />}
      onChange={(date) => onChange({ kind: 'at', date })}
    />
  )
}

function DurationField({
  expiry,
  problem,
  onChange,
}: ExpiryFieldsProps & { readonly expiry: Expiry & { kind: 'after' } }) {
  const t = useText()
  const { amount, unit } = expiry
  return (
    <div className={styles['duration']}>
      <TextField
        label={<span className="visually-hidden">{t('shares.amount')}</span>}
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_AMOUNT}
        step={1}
        value={amount}
        error={problem}
        hint={<ResultingDate expiry={expiry} />}
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

/** The resulting date. */
function ResultingDate({ expiry }: { readonly expiry: Expiry }) {
  const t = useText()
  const format = useFormat()
  const date = dateOf(expiry)
  if (date !== undefined) return t('shares.until', { date: format.dateTime(date) })
  return checkExpiry(expiry, new Date()) === undefined ? t('shares.untilDeleted') : null
}

/** Undefined for never, and while the input is invalid. */
function dateOf(expiry: Expiry): Date | undefined {
  const now = new Date()
  if (checkExpiry(expiry, now) !== undefined) return undefined
  const end = expireOf(expiry, now)
  return end === 0 ? undefined : new Date(end * 1000)
}

interface SharePasswordFieldProps {
  readonly form: ShareForm
  readonly hasPassword: boolean
}

/** Shown in plain text, since the user passes it on. */
function SharePasswordField({ form, hasPassword }: SharePasswordFieldProps) {
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
        label={t(hasPassword ? 'shares.newPassword' : 'shares.passwordOptional')}
        hint={t(hasPassword ? 'shares.passwordKept' : 'shares.passwordHint')}
        error={form.problems.password}
        value={form.password}
        disabled={form.removesPassword}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
        end={
          <IconButton icon="retry" label={t('shares.generate')} disabled={form.removesPassword} onClick={generate} />
        }
      />
      {hasPassword && (
        <Checkbox
          checked={form.removesPassword}
          onChange={form.setRemovesPassword}
          label={t('shares.removePassword')}
        />
      )}
    </>
  )
}

/** The server's error, inside the dialog. */
export function ShareProblem({ error }: { readonly error: Error | null }) {
  const t = useText()
  return <ErrorNote>{error && problemText(t, problemOf(error))}</ErrorNote>
}

/** Shows a new password once: the server keeps only its hash. */
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
