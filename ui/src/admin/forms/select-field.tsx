import { type ComponentProps, useId } from 'react'
import { Select } from '../../kit/fields/select.tsx'
import styles from './select-field.module.css'

type SelectFieldProps<Value extends string> = Omit<ComponentProps<typeof Select<Value>>, 'id' | 'label'> & {
  readonly label: string
  readonly hint?: string | undefined
}

/** A select with its label, as high as a text field. */
export function SelectField<Value extends string>({ label, hint, ...rest }: SelectFieldProps<Value>) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <Select {...rest} id={id} aria-describedby={hint && `${id}-hint`} />
      {hint && (
        <p className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
