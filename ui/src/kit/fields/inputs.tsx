import { type ComponentProps, useState, useEffect, useRef, type ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import fieldStyles from './text-field.module.css'
import styles from './inputs.module.css'
import { Icon } from '../icon/icon.tsx'
import { Button } from '../button/button.tsx'

interface TextInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
  /** For paths, addresses and patterns: monospaced, and left to right in every language. */
  code?: boolean | undefined
  /** Shown after the value, such as "characters". */
  unit?: string | undefined
}

/** How paths, addresses and patterns are typed: left to right in every language, and as they are. */
export const CODE_INPUT = { dir: 'ltr', spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } as const

/** A text input without a label. Put it in a `SettingRow`, or give it an `aria-label`. */
export function TextInput({ value, onChange, code, unit, className, ...rest }: TextInputProps) {
  return (
    <div className={styles['affix']}>
      <input
        {...(code && CODE_INPUT)}
        {...rest}
        className={classNames(fieldStyles['input'], code && styles['code'], unit && styles['has-unit'], className)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {unit && <span className={styles['unit']}>{unit}</span>}
    </div>
  )
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
}

/** A text of several lines without a label. */
export function TextArea({ onChange, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={3}
      {...rest}
      className={classNames(fieldStyles['input'], styles['area'], className)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
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

/** A colour as `#rrggbb`, typed or picked; empty for none. */
export function ColorInput({ value, onChange, pickLabel, ...rest }: ColorInputProps) {
  return (
    <div className={styles['color']}>
      <TextInput {...rest} code value={value} onChange={onChange} />
      <input
        type="color"
        className={styles['swatch']}
        aria-label={pickLabel}
        disabled={rest.disabled}
        value={toPickerColour(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** The browser's colour picker accepts six digits only. */
function toPickerColour(value: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(value)
  if (short !== null)
    return `#${short
      .slice(1, 4)
      .map((digit) => digit + digit)
      .join('')}`
  return /^#[0-9a-f]{6}/i.exec(value)?.[0] ?? '#1558d6'
}

interface ParsedInputProps<Value> extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  /** Undefined while the text cannot be parsed. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  parse: (text: string) => Value | undefined
  format: (value: Value) => string
  /** Milliseconds without typing before the text is parsed. Enter and leaving the field parse it at once. */
  pause?: number | undefined
  /** The meaning of the value, such as "10,485,760 bytes". */
  meaning?: ReactNode
}

/** The text as typed, until the formatted value replaces it. */
interface Typed {
  readonly text: string
  /** Not parsed yet. */
  readonly pending: boolean
  /** The formatted value at that moment. Once the value changes, the typed text is outdated. */
  readonly formatted: string
}

/** A value entered as text, such as a size, a duration or a list of words. */
export function ParsedInput<Value>(props: ParsedInputProps<Value>) {
  const { value, onChange, parse, format, pause = 0, meaning, onBlur, onKeyDown, ...rest } = props
  const [typed, setTyped] = useState<Typed>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const formatted = value === undefined ? '' : format(value)
  if (typed !== undefined && !typed.pending && typed.formatted !== formatted) setTyped(undefined)

  const commit = (text: string): void => {
    clearTimeout(timer.current)
    const parsed = parse(text)
    const showsFormatted = pause > 0 && parsed !== undefined
    setTyped(
      showsFormatted ? undefined : { text, pending: false, formatted: parsed === undefined ? '' : format(parsed) },
    )
    onChange(parsed)
  }
  const change = (text: string): void => {
    clearTimeout(timer.current)
    if (pause === 0) return commit(text)
    setTyped({ text, pending: true, formatted })
    timer.current = setTimeout(commit, pause, text)
  }
  /** Parses pending text before the form is submitted. */
  const flush = (): void => {
    if (typed?.pending) commit(typed.text)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div className={styles['stack']}>
      <TextInput
        {...rest}
        value={typed?.text ?? formatted}
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

interface FilePickerProps {
  readonly label: string
  /** Extensions and media types, as in the `accept` attribute of an input. */
  readonly accept: string
  readonly multiple?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly busy?: boolean | undefined
  readonly onChoose: (files: readonly File[]) => void
}

/** A button that lets users choose files from their device. */
export function FilePicker({ label, accept, multiple, disabled, busy, onChoose }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon="upload"
        size="small"
        disabled={disabled}
        progress={busy ? 'busy' : 'idle'}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          // Otherwise choosing the same file again would not be a change.
          currentTarget.value = ''
          if (chosen.length > 0) onChoose(chosen)
        }}
      />
    </>
  )
}
