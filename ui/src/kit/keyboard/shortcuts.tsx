import { type ReactNode, useEffect, useState } from 'react'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'
import { requiredContext, useLatest } from '../../lib/hooks.ts'
import { matchesShortcut } from '../../lib/shortcut-keys.ts'
import type { IconName } from '../icon/icon.tsx'
import { usePromptStack } from '../dialog/prompt-stack.tsx'
import styles from './keys.module.css'

/** The sections of the help. */
export type ShortcutGroup = 'move' | 'select' | 'act' | 'clipboard'

export interface Shortcut {
  /** As shown to users: "F2", "Ctrl+Shift+F", "Del". */
  keys: string
  label: string
  group: ShortcutGroup
  /** For the command palette. */
  icon?: IconName | undefined
  /** Without it the shortcut is only listed in the help; the component handles its keys itself. */
  run?: ((event: KeyboardEvent) => void) | undefined
  /** Works in text fields too. */
  inFields?: boolean | undefined
}

type Registered = Store<readonly Shortcut[]>

const [ShortcutContext, useRegistered] = requiredContext<Registered>('Shortcut')
/** Shortcuts of a part of the page can be registered where they are not heard. */
export { ShortcutContext as ShortcutScope, useRegistered as useShortcutScope }

/** Listens for the shortcuts that the screens have registered. None acts while a prompt is open. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const prompts = usePromptStack().open
  const [registered] = useState(() => createStore<readonly Shortcut[]>([]))
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || prompts.get().length > 0) return
      const match = matchingShortcut(registered, event)
      if (match?.run === undefined) return
      event.preventDefault()
      match.run(event)
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [prompts, registered])
  return <ShortcutContext value={registered}>{children}</ShortcutContext>
}

function matchingShortcut(registered: Registered, event: KeyboardEvent): Shortcut | undefined {
  const typing = isField(event.target) || (event.key === ' ' && event.target instanceof HTMLButtonElement)
  return registered
    .get()
    .findLast(({ keys, run, inFields }) => run && (!typing || inFields) && matchesShortcut(event, keys))
}

/** Adds shortcuts while the component is mounted. A later one wins over an earlier one with the same keys. */
export function useShortcuts(own: readonly Shortcut[]): void {
  const registered = useRegistered()
  const latest = useLatest(own)
  const identity = own.map(({ keys, label, run }) => `${keys} ${label} ${Boolean(run)}`).join('\n')
  useEffect(() => {
    const added = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: shortcut.run && ((event: KeyboardEvent) => latest.current[index]?.run?.(event)),
    }))
    registered.set((all) => [...all, ...added])
    return () => registered.set((all) => all.filter((shortcut) => !added.includes(shortcut as (typeof added)[number])))
  }, [identity, registered, latest])
}

/** All registered shortcuts, for the help. */
export function useAllShortcuts(): readonly Shortcut[] {
  return useStore(useRegistered())
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isTextInput = target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
  return isTextInput || target.isContentEditable || target.matches('textarea, select')
}

/** A shortcut as key caps: "Ctrl+Shift+F". Decorative: screen readers read `aria-keyshortcuts` of the control. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles['keys']} aria-hidden="true">
      {keys.split('+').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
