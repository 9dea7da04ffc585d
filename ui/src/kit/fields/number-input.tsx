import { useState, type ComponentProps } from 'react'
import { TextInput } from './text-input.tsx'

interface NumberInputProps extends Omit<
  ComponentProps<typeof TextInput>,
  'value' | 'onChange' | 'type' | 'inputMode' | 'min' | 'max' | 'code'
> {
  /** Undefined while there is none that could be read. */
  value: number | undefined
  onChange: (value: number | undefined) => void
  min?: number | undefined
  max?: number | undefined
}

/** A whole number. What is not one becomes undefined and stays in the field, so that nobody's typing is lost. */
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
      // Turning the wheel over a page scrolls it; it does not change what stands under the pointer.
      onWheel={(event) => event.currentTarget.blur()}
    />
  )
}
