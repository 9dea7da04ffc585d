import { type ReactNode, useId, useState } from 'react'
import { foldName } from '../../../../src/domain/text/fold.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import styles from './places.module.css'

export interface Named {
  readonly id: number | string
  readonly name: string
}

/** Names that are suggested while one is typed. */
const SUGGESTED = 20

interface NameFieldProps {
  readonly label: string
  readonly submitLabel: string
  readonly names: readonly Named[]
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onSubmit: (found: Named) => void
  /** Further fields. */
  readonly children: ReactNode
}

/** A form that begins with a name, which is typed, or chosen from those that are suggested. */
export function NameField({ label, submitLabel, names, typed, onType, onSubmit, children }: NameFieldProps) {
  const t = useText()
  const listId = useId()
  const [isUnknown, setUnknown] = useState(false)
  const folded = foldName(typed.trim())
  const suggested = names.filter(({ name }) => foldName(name).includes(folded)).slice(0, SUGGESTED)
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const found =
          names.find(({ name }) => name === typed.trim()) ?? names.find(({ name }) => foldName(name) === folded)
        setUnknown(found === undefined)
        if (found !== undefined) onSubmit(found)
      }}
    >
      <TextField
        label={label}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={isUnknown && t('roots.nobodyNamed')}
        onChange={(event) => {
          setUnknown(false)
          onType(event.currentTarget.value)
        }}
      />
      <datalist id={listId}>
        {suggested.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      {children}
      <div>
        <Button type="submit" variant="primary" disabled={folded === ''}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
