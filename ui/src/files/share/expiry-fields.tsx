import { useId, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Chip } from '../../kit/button/toggles.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { DateTimeField, TextField } from '../../kit/fields/text-field.tsx'
import {
  type DurationUnit,
  type Expiry,
  MAX_AMOUNT,
  NEVER,
  UNITS,
  checkExpiry,
  expireOf,
  isSameExpiry,
} from './expiry.ts'
import styles from './shares.module.css'

/** For `checkExpiry`. */
export const PROBLEM_TEXTS = {
  amount: 'shares.amountWrong',
  noDate: 'shares.dateMissing',
  past: 'shares.datePast',
} as const

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
export function ExpiryFields({ expiry, problem, onChange }: ExpiryFieldsProps) {
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
