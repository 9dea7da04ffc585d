import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { latinKey } from '../../lib/shortcut-keys.ts'
import type { CommandHistory } from './command-history.ts'
import styles from './terminal.module.css'

interface CommandLineProps {
  readonly fieldRef: RefObject<HTMLInputElement | null>
  readonly folder: string
  readonly running: boolean
  readonly history: CommandHistory
  readonly onSubmit: (command: string) => void
  readonly onStop: () => void
  readonly onClear: () => void
}

/** Where commands are typed. It keeps the focus while one runs, so that Ctrl+C reaches it. */
export function CommandLine({ fieldRef, folder, running, history, onSubmit, onStop, onClear }: CommandLineProps) {
  const t = useText()
  const [text, setText] = useState('')
  useEffect(() => fieldRef.current?.focus(), [fieldRef])
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (running) return
    setText('')
    onSubmit(text.trim())
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (isControl(event, 'c') && !marksSomething(fieldRef.current)) {
      if (running) onStop()
      else setText('')
    } else if (isControl(event, 'l')) onClear()
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const found = event.key === 'ArrowUp' ? history.older(text) : history.newer()
      if (found !== undefined) setText(found)
    } else return
    event.preventDefault()
  }
  return (
    <form className={styles['prompt']} dir="ltr" onSubmit={handleSubmit}>
      <bdi className="clip" title={folder}>
        {folder}
      </bdi>
      <span aria-hidden="true">$</span>
      <input
        ref={fieldRef}
        type="text"
        aria-label={t('terminal.field', { folder })}
        placeholder={running ? t('terminal.running') : undefined}
        value={running ? '' : text}
        readOnly={running}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
      />
    </form>
  )
}

/** Control itself, on a Mac too: there the command key copies. */
function isControl(event: KeyboardEvent, letter: string): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  return ctrlKey && !metaKey && !altKey && !shiftKey && latinKey(event).toLowerCase() === letter
}

/** Then Ctrl+C copies. */
function marksSomething(field: HTMLInputElement | null): boolean {
  const inField = field !== null && field.selectionStart !== field.selectionEnd
  return inField || getSelection()?.isCollapsed === false
}
