import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { TextInput } from './text-input.tsx'
import styles from './fields.module.css'

interface ParsedInputProps<Value> extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  /** Undefined while the text means nothing. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  parse: (text: string) => Value | undefined
  format: (value: Value) => string
  /** Milliseconds without a key before the text counts; Enter and leaving the field make it count at once. */
  pause?: number | undefined
  /** What the text amounts to, such as "10,485,760 bytes". */
  meaning?: ReactNode
}

/** What was typed and not replaced by the value in its usual spelling. */
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
