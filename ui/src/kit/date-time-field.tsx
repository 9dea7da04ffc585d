import type { ReactNode } from 'react'
import { fromLocalText, toLocalText } from '../lib/local-date-time.ts'
import { TextField } from './text-field.tsx'

interface DateTimeFieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Undefined while nothing, or half of it, is typed. */
  value: Date | undefined
  /** The earliest moment that the browser offers. */
  min?: Date | undefined
  onChange: (value: Date | undefined) => void
}

/** Day and time to the minute, in the zone of the browser, which draws the calendar in the language of the device. */
export function DateTimeField({ value, min, onChange, ...rest }: DateTimeFieldProps) {
  return (
    <TextField
      {...rest}
      type="datetime-local"
      // What is half typed is kept by the field itself: a value of its own would take it away.
      defaultValue={value && toLocalText(value)}
      min={min && toLocalText(min)}
      onChange={(event) => onChange(fromLocalText(event.currentTarget.value))}
    />
  )
}
