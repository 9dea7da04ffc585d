import { type ReactNode, useRef, useMemo, useState } from 'react'
import { newNames } from '../../../../../../src/domain/files/renames/new-names.ts'
import { type MessageId, useText } from '../../../../i18n/use-text.tsx'
import { Chip } from '../../../../kit/button/toggles.tsx'
import { Checkbox } from '../../../../kit/fields/checkbox.tsx'
import { Select } from '../../../../kit/fields/select.tsx'
import { TextField } from '../../../../kit/fields/text-field.tsx'
import styles from './rename-many-prompt.module.css'
import type { RenamePattern } from '../../../../../../src/domain/files/renames/renames.ts'

const PLACEHOLDERS: readonly (readonly [placeholder: string, label: MessageId])[] = [
  ['{name}', 'rename.oldName'],
  ['{n}', 'rename.counter'],
  ['{date}', 'rename.date'],
]

const LETTERS: readonly (readonly [PatternForm['letters'], MessageId])[] = [
  ['keep', 'rename.keep'],
  ['lower', 'rename.lower'],
  ['upper', 'rename.upper'],
  ['words', 'rename.words'],
]

const DATES = ['YYYY-MM-DD', 'YYYYMMDD', 'DD.MM.YYYY', 'YYYY-MM', 'YYYY', 'YYYY-MM-DD hh.mm', 'YYYYMMDD_hhmmss']

interface PatternFieldsProps {
  readonly state: PatternState
  /** Modification time of the first entry, RFC 3339. The date formats are shown with it. */
  readonly modified: string
}

/** The fields of a rename pattern. Those for counter and date are shown only while the template uses them. */
export function PatternFields({ state, modified }: PatternFieldsProps) {
  const t = useText()
  const { form, change } = state
  return (
    <>
      <TemplateField state={state} />
      {form.template.includes('{n}') && (
        <div className={styles['numbers']} role="group" aria-label={t('rename.counter')}>
          <NumberField label={t('rename.start')} value={form.start} onChange={(start) => change({ start })} />
          <NumberField label={t('rename.step')} value={form.step} onChange={(step) => change({ step })} />
          <NumberField label={t('rename.digits')} value={form.digits} onChange={(digits) => change({ digits })} />
        </div>
      )}
      {form.template.includes('{date}') && (
        <Labelled label={t('rename.dateFormat')}>
          <Select
            label={t('rename.dateFormat')}
            value={form.date}
            options={DATES.map((date) => ({ value: date, label: exampleDate(date, state, modified) }))}
            onChange={(date) => change({ date })}
          />
        </Labelled>
      )}
      <div className={styles['pair']}>
        <TextField
          label={t('editor.find')}
          value={form.find}
          {...PLAIN}
          onChange={(event) => change({ find: event.currentTarget.value })}
        />
        <TextField
          label={t('editor.replaceWith')}
          value={form.replace}
          {...PLAIN}
          onChange={(event) => change({ replace: event.currentTarget.value })}
        />
      </div>
      <div className={styles['pair']}>
        <Labelled label={t('rename.letters')}>
          <Select
            label={t('rename.letters')}
            value={form.letters}
            options={LETTERS.map(([value, label]) => ({ value, label: t(label) }))}
            onChange={(letters) => change({ letters })}
          />
        </Labelled>
        <div className={styles['choices']}>
          <Checkbox
            checked={form.extension}
            label={t('rename.extensions')}
            onChange={(extension) => change({ extension })}
          />
          {form.find !== '' && (
            <Checkbox
              checked={form.matchCase}
              label={t('editor.matchCase')}
              onChange={(matchCase) => change({ matchCase })}
            />
          )}
        </div>
      </div>
    </>
  )
}

const MAX_TEXT = 255
const PLAIN = { maxLength: MAX_TEXT, dir: 'auto', autoComplete: 'off', spellCheck: false } as const

function TemplateField({ state: { form, change } }: { readonly state: PatternState }) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const insert = (placeholder: string): void => {
    const { selectionStart, selectionEnd } = field.current ?? {}
    const start = selectionStart ?? form.template.length
    const before = form.template.slice(0, start)
    // Keeps the values of two adjacent placeholders apart.
    const inserted = (before.endsWith('}') ? ' ' : '') + placeholder
    change({ template: before + inserted + form.template.slice(selectionEnd ?? start) })
    const end = start + inserted.length
    // Once the new text is rendered.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(end, end)
    })
  }
  return (
    <div className={styles['template']}>
      <TextField
        ref={field}
        label={t('rename.newName')}
        value={form.template}
        {...PLAIN}
        data-autofocus=""
        onChange={(event) => change({ template: event.currentTarget.value })}
      />
      <div className={styles['chips']} role="group" aria-label={t('rename.insert')}>
        {PLACEHOLDERS.map(([placeholder, label]) => (
          <Chip key={placeholder} icon="plus" onClick={() => insert(placeholder)}>
            {t(label)}
          </Chip>
        ))}
      </div>
    </div>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      value={value}
      inputMode="numeric"
      maxLength={10}
      dir="ltr"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A select with a label above it, like a text field. */
function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles['labelled']}>
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  )
}

/** The date of the first entry in this format, as an example. */
function exampleDate(date: string, { pattern: { timeZone = 'UTC' } }: PatternState, modified: string): string {
  const example = { name: date, isDir: true, modified }
  return newNames([example], { template: '{date}', date, timeZone })[0] ?? date
}

/** The values of the fields. */
export interface PatternForm {
  readonly template: string
  readonly find: string
  readonly replace: string
  readonly matchCase: boolean
  readonly letters: NonNullable<RenamePattern['letters']>
  readonly extension: boolean
  readonly date: string
  /** As typed, since a field may be empty for a moment. */
  readonly start: string
  readonly step: string
  readonly digits: string
}

export interface PatternState {
  readonly form: PatternForm
  readonly pattern: RenamePattern
  change(change: Partial<PatternForm>): void
}

/** @param count number of entries; by default, all counters get as many digits as the last one needs */
export function usePattern(count: number, onChange: () => void): PatternState {
  const [form, setForm] = useState<PatternForm>({
    template: '{name}',
    find: '',
    replace: '',
    matchCase: false,
    letters: 'keep',
    extension: false,
    date: 'YYYY-MM-DD',
    start: '1',
    step: '1',
    digits: String(count).length.toString(),
  })
  return {
    form,
    pattern: useMemo(() => patternOf(form), [form]),
    change(change) {
      setForm((before) => ({ ...before, ...change }))
      onChange()
    },
  }
}

function patternOf({ matchCase, start, step, digits, ...rest }: PatternForm): RenamePattern {
  return {
    ...rest,
    ignoreCase: !matchCase,
    start: numberIn(start, 0, 1e9),
    step: numberIn(step, 1, 1e6),
    digits: numberIn(digits, 1, 10),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** The number, limited to the range; 1 if the text is not a number. */
function numberIn(text: string, min: number, max: number): number {
  return /^\d{1,15}$/.test(text) ? Math.min(max, Math.max(min, Number(text))) : 1
}
