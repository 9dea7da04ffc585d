import type { ComponentProps } from 'react'
import styles from './fields.module.css'
import { TextInput } from './text-input.tsx'

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
