import { TextField } from './text-field.tsx'

interface FilterFieldProps {
  /** Stands in the field too, while it is empty. */
  readonly label: string
  readonly value: string
  readonly className?: string | undefined
  readonly onChange: (value: string) => void
}

/** Narrows a list down while one types. */
export function FilterField({ label, value, className, onChange }: FilterFieldProps) {
  return (
    <TextField
      className={className}
      label={<span className="visually-hidden">{label}</span>}
      placeholder={label}
      type="search"
      icon="search"
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
