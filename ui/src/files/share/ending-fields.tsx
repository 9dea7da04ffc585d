import { useId, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Chip } from '../../kit/button/toggles.tsx'
import { DateTimeField, TextField } from '../../kit/fields/text-field.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { checkEnding, type DurationUnit, type Ending, endOf, isSameEnding, MOST, NEVER, UNITS } from './model/ending.ts'
import styles from './shares.module.css'

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

/** Usual durations first, then the exact number or moment, then what they mean. */
export function EndingFields({ ending, problem, onChange }: EndingFieldsProps) {
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

/** The moment that a choice means. */
function Until({ ending }: { readonly ending: Ending }) {
  const t = useText()
  const format = useFormat()
  const date = dateOf(ending)
  if (date !== undefined) return t('shares.until', { date: format.dateTime(date) })
  return checkEnding(ending, new Date()) === undefined ? t('shares.untilDeleted') : null
}

/** Undefined for never, and for what makes no sense yet. */
function dateOf(ending: Ending): Date | undefined {
  const now = new Date()
  if (checkEnding(ending, now) !== undefined) return undefined
  const end = endOf(ending, now)
  return end === 0 ? undefined : new Date(end * 1000)
}
