import type { ReactNode } from 'react'
import type { FormField } from '../../../../src/domain/forms.ts'
import { SettingRow } from '../../kit/page/settings.tsx'
import { FieldControl, type FieldOption } from './field-control.tsx'
import { useFieldWords } from './form-text.ts'
import styles from './form-row.module.css'

interface FormRowProps {
  readonly field: FormField
  /** See `fieldTextId`. */
  readonly form?: string | undefined
  readonly value: unknown
  /** Undefined for what cannot be read. */
  readonly onChange: (value: unknown) => void
  readonly error?: string | undefined
  readonly disabled?: boolean | undefined
  /** Facts about the value, such as "After a restart". */
  readonly marks?: ReactNode
  /** In place of the hint of the catalogue. */
  readonly hint?: ReactNode
  /** The values to choose from, where the schema does not name them. */
  readonly options?: readonly FieldOption[] | undefined
}

/** One value of a schema: its words, its control by kind, and what is wrong with it. */
export function FormRow({ field, form, value, onChange, error, disabled, marks, hint, options }: FormRowProps) {
  const words = useFieldWords(form)(field)
  const says = hint ?? words.hint
  return (
    <SettingRow
      label={words.label}
      hint={
        (says || marks) && (
          <>
            {says}
            {marks && <span className={styles['marks']}>{marks}</span>}
          </>
        )
      }
      error={error}
    >
      {(control) => (
        <FieldControl
          control={control}
          field={field}
          words={words}
          value={value}
          onChange={onChange}
          disabled={disabled}
          options={options}
        />
      )}
    </SettingRow>
  )
}
