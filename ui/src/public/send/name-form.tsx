import { useRef, useState, type RefObject } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { useStore } from '../../lib/create-store.ts'
import styles from './send.module.css'
import type { Sender } from './sender.ts'

/** The name that a visitor types. */
interface TypedName {
  readonly field: RefObject<HTMLInputElement | null>
  readonly text: string
  /** Whether files wait for it. */
  readonly isMissing: boolean
  /** Whether to say so. */
  readonly isAskedFor: boolean
  change(text: string): void
  /** Sends files under this name, or asks for it. */
  commit(): void
}

/** @param isAsked whether the link asks for a name */
export function useName(sender: Sender, isAsked: boolean): TypedName {
  const known = useStore(sender.from)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(known)
  const [isAskedFor, setAskedFor] = useState(false)
  return {
    field,
    text,
    isMissing: isAsked && known === '',
    isAskedFor,
    change(typed) {
      setText(typed)
      setAskedFor(false)
    },
    commit() {
      if (!isAsked) return
      const name = text.trim()
      sender.sendAs(name)
      if (name !== '') return
      setAskedFor(true)
      field.current?.focus()
    },
  }
}

interface NameFormProps {
  readonly name: TypedName
  /** Whether there are files to send. */
  readonly isAwaited: boolean
  /** Called when the form has done its work. */
  readonly onDone: () => void
}

/** Asks for the name of the visitor, and sends what has waited for it. */
export function NameForm({ name, isAwaited, onDone }: NameFormProps) {
  const t = useText()
  return (
    <form
      className={styles['name-form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        name.commit()
        if (name.text.trim() !== '') onDone()
      }}
    >
      <TextField
        ref={name.field}
        label={t('public.yourName')}
        autoComplete="name"
        enterKeyHint="send"
        maxLength={100}
        required
        value={name.text}
        error={name.isAskedFor && t('public.nameMissing')}
        onChange={(event) => name.change(event.currentTarget.value)}
      />
      {name.isMissing && isAwaited && (
        <Button type="submit" variant="primary" size="large">
          {t('public.sendTitle')}
        </Button>
      )}
    </form>
  )
}
