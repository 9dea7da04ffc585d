import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { latinKey } from '../../lib/shortcut-keys.ts'
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

/** The field for commands. It keeps the focus while one runs, so that Ctrl+C reaches it. */
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
    if (isControl(event, 'c') && !hasSelection(fieldRef.current)) {
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

/** The Control key, also on a Mac, where the Command key copies. */
function isControl(event: KeyboardEvent, letter: string): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  return ctrlKey && !metaKey && !altKey && !shiftKey && latinKey(event).toLowerCase() === letter
}

/** With selected text, Ctrl+C copies instead of stopping the program. */
function hasSelection(field: HTMLInputElement | null): boolean {
  const inField = field !== null && field.selectionStart !== field.selectionEnd
  return inField || getSelection()?.isCollapsed === false
}

const MAX_COMMANDS = 200
const KEY = 'filemgr:commands'

/** The commands of this tab, for the arrow keys. They survive a reload but not the tab: they may contain secrets. */
export interface CommandHistory {
  add(command: string): void
  /** The previous command. Keeps the typed text to return to. `undefined` at the oldest. */
  older(typed: string): string | undefined
  newer(): string | undefined
}

export function createCommandHistory(storage: Storage): CommandHistory {
  const commands = readList(storage.getItem(KEY))
  let position = commands.length
  let draft = ''
  return {
    add(command) {
      if (commands.at(-1) !== command) commands.push(command)
      commands.splice(0, commands.length - MAX_COMMANDS)
      position = commands.length
      try {
        storage.setItem(KEY, JSON.stringify(commands))
      } catch (error) {
        // With a full storage the command still runs; only a reload loses the history.
        if (!(error instanceof DOMException)) throw error
      }
    },
    older(typed) {
      if (position === 0) return undefined
      if (position === commands.length) draft = typed
      position -= 1
      return commands[position]
    },
    newer() {
      if (position === commands.length) return undefined
      position += 1
      return commands[position] ?? draft
    },
  }
}

function readList(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.map(String) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
