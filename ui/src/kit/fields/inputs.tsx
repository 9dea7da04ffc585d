import { type ComponentProps, useState, useEffect, useRef, type ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import fieldStyles from './text-field.module.css'
import styles from './inputs.module.css'
import { Icon } from '../icon/icon.tsx'

interface TextInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
  /** Paths, addresses and patterns: in the face of code, from left to right in every language. */
  code?: boolean | undefined
  /** Stands behind the value, such as "characters". */
  unit?: string | undefined
}

/** A bare text; its name comes from a `SettingRow`, or give `aria-label`. */
export function TextInput({ value, onChange, code, unit, className, ...rest }: TextInputProps) {
  const codeProps = code ? { dir: 'ltr', spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } : {}
  return (
    <div className={styles['affix']}>
      <input
        {...codeProps}
        {...rest}
        className={classNames(fieldStyles['input'], code && styles['code'], unit && styles['has-unit'], className)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {unit && <span className={styles['unit']}>{unit}</span>}
    </div>
  )
}

interface NumberInputProps extends Omit<
  ComponentProps<typeof TextInput>,
  'value' | 'onChange' | 'type' | 'inputMode' | 'min' | 'max' | 'code'
> {
  /** Undefined if the input cannot be parsed. */
  value: number | undefined
  onChange: (value: number | undefined) => void
  min?: number | undefined
  max?: number | undefined
}

/** A whole number. Anything else becomes undefined but stays in the field, so that no typing is lost. */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState('')
  const change = (text: string): void => {
    setTyped(text)
    onChange(/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : undefined)
  }
  return (
    <TextInput
      {...rest}
      type="number"
      inputMode="numeric"
      step={1}
      value={value === undefined ? typed : String(value)}
      onChange={change}
      // Scrolling the page with the mouse wheel must not change the number under the pointer.
      onWheel={(event) => event.currentTarget.blur()}
    />
  )
}

interface ColorInputProps extends Omit<ComponentProps<typeof TextInput>, 'type' | 'code' | 'unit'> {
  /** Names the picker beside the text. */
  pickLabel: string
}

/** A colour as `#rrggbb`, written or picked; empty for none. */
export function ColorInput({ value, onChange, pickLabel, ...rest }: ColorInputProps) {
  return (
    <div className={styles['color']}>
      <TextInput {...rest} code value={value} onChange={onChange} />
      <input
        type="color"
        className={styles['swatch']}
        aria-label={pickLabel}
        disabled={rest.disabled}
        value={asPicked(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** The picker of the browser knows six digits only. */
function asPicked(value: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(value)
  if (short !== null)
    return `#${short
      .slice(1, 4)
      .map((digit) => digit + digit)
      .join('')}`
  return /^#[0-9a-f]{6}/i.exec(value)?.[0] ?? '#1558d6'
}

interface ParsedInputProps<Value> extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  /** Undefined while the text means nothing. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  parse: (text: string) => Value | undefined
  format: (value: Value) => string
  /** Milliseconds without a key before the text counts; Enter and leaving the field make it count at once. */
  pause?: number | undefined
  /** The meaning of the value, such as "10,485,760 bytes". */
  meaning?: ReactNode
}

/** Text as typed, until the value replaces it in its usual format. */
interface Typed {
  readonly text: string
  /** The pause is not over. */
  readonly waits: boolean
  /** The usual spelling of the value at that moment: with another one the typed text is outdated. */
  readonly spelling: string
}

/** A value that people write as a text, such as a size, a time or a list of words. */
export function ParsedInput<Value>(props: ParsedInputProps<Value>) {
  const { value, onChange, parse, format, pause = 0, meaning, onBlur, onKeyDown, ...rest } = props
  const [typed, setTyped] = useState<Typed>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const spelling = value === undefined ? '' : format(value)
  if (typed !== undefined && !typed.waits && typed.spelling !== spelling) setTyped(undefined)

  const count = (text: string): void => {
    clearTimeout(timer.current)
    const parsed = parse(text)
    const isUsual = pause > 0 && parsed !== undefined
    setTyped(isUsual ? undefined : { text, waits: false, spelling: parsed === undefined ? '' : format(parsed) })
    onChange(parsed)
  }
  const change = (text: string): void => {
    clearTimeout(timer.current)
    if (pause === 0) return count(text)
    setTyped({ text, waits: true, spelling })
    timer.current = setTimeout(count, pause, text)
  }
  /** Nothing is left waiting when the form is sent. */
  const flush = (): void => {
    if (typed?.waits) count(typed.text)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div className={styles['stack']}>
      <TextInput
        {...rest}
        value={typed?.text ?? spelling}
        onChange={change}
        onKeyDown={(event) => {
          if (event.key === 'Enter') flush()
          onKeyDown?.(event)
        }}
        onBlur={(event) => {
          flush()
          onBlur?.(event)
        }}
      />
      {meaning && (
        <p className={styles['meaning']}>
          <Icon name="check" size={14} />
          <span>{meaning}</span>
        </p>
      )}
    </div>
  )
}
