import { useEffect } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { childOf, nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { usePermissions } from '../../../api/permissions.ts'
import { usePromptStack } from '../../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import { carriesFiles } from '../drag/drop-target.ts'
import { useLatest } from '../../../lib/hooks.ts'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import type { FileItem, ListedTarget, Target } from '../../actions/model.ts'
import type { FileAction } from '../../actions/menus/selection-actions.ts'
import { useKeyActions } from '../../actions/menus/use-selection-actions.ts'
import { usePane } from '../pane/two-panes.ts'
import type { Grid } from '../grid/use-grid.ts'
import { pointedAt } from '../model/grid-state.ts'
import { countSelected, selectedOf, selectOnly, type Selection } from '../model/selection.ts'
import type { EntryOpener } from './use-open-entry.ts'

interface TargetOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly opener: EntryOpener
  /** A filter hides some entries. */
  readonly filtered: boolean
  readonly rename: ListedTarget['rename']
  /** Shows the focused entry, or hides it. */
  readonly look: () => void
}

/** Turns a selection of the list into a target for file actions. */
export function useTargets(options: TargetOptions): (selection: Selection) => Target {
  const { folder, grid, opener, filtered, rename, look } = options
  const { view, state, entryOf, send } = grid
  const { other } = usePane()
  const { modify: mayModify, read: mayRead } = usePermissions()
  const beforeDelete = (): void => {
    // On touch screens a selection would make the next tap select instead of open.
    if (!matchMedia('(pointer: coarse)').matches) send({ kind: 'leaving' })
  }
  const itemOf = (entry: Resource): FileItem => ({ ...entry, path: childOf(folder, entry.name) })
  const last = state.focus !== null && state.focus === state.anchor ? entryOf(state.focus) : undefined
  const targetOf = (selection: Selection, focused?: string | null): Target => {
    const total = view.names.length
    const count = countSelected(selection, total)
    const entries = () =>
      [...selectedOf(selection, selection.inverted ? view.names : selection.names)].flatMap(
        (name) => entryOf(name) ?? [],
      )
    const items = (): FileItem[] => entries().map(itemOf)
    const [entry] = count === 1 ? entries() : []
    const listed: ListedTarget = {
      open: entry && entry.type !== 'invalid_link' ? () => opener.open(entry) : undefined,
      look: entry && mayRead ? look : undefined,
      edit: entry && mayModify && isText(entry) ? () => opener.edit(entry) : undefined,
      rename,
      beforeDelete,
      at: last && itemOf(last),
      other: other === folder ? undefined : other,
      focused:
        focused == null
          ? undefined
          : { target: targetOf(selectOnly([focused])), select: () => send({ kind: 'select', names: [focused] }) },
    }
    return { folder, count, items, all: !filtered && count === total, listed }
  }
  return (selection) => targetOf(selection, selection === state.selection ? pointedAt(state, view) : null)
}

/** SVG pictures are text as well. */
function isText({ type, name }: Resource): boolean {
  return type.startsWith('text') || /\.svg$/i.test(name)
}

const NO_ACTIONS: readonly FileAction[] = []

/** Applies keys, clipboard events and the command palette to the selection, in the active pane. */
export function useTargetKeys(target: Target): void {
  const files = useFileActions()
  const { isActive } = usePane()
  const actions = useKeyActions()(target)
  useShortcuts(
    actions
      .filter(({ keys }) => keys !== '')
      .map(({ keys, label, group, listedOnly, run }) => ({
        keys,
        label,
        group,
        // A shortcut without an effect still keeps the browser from acting on the key.
        run: listedOnly === true ? undefined : () => run?.(),
      })),
  )
  useClipboardEvents(isActive ? actions : NO_ACTIONS)
  useEffect(() => {
    if (isActive) files.target.set(target)
  })
  useEffect(() => (isActive ? () => files.target.set(null) : undefined), [files, isActive])
}

/**
 * Handles the browser's copy, cut and paste events instead of their keys, so that selected text and files from the
 * desktop keep working. Copying puts the names on the system clipboard, replacing files that were copied there before.
 */
function useClipboardEvents(actions: readonly FileAction[]): void {
  const { clipboard } = useFileActions()
  const prompts = usePromptStack().open
  const latest = useLatest(actions)
  useEffect(() => {
    const listening = new AbortController()
    const handle = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || prompts.get().length > 0 || isTextField(event.target)) return
      if (event.type === 'paste' ? carriesFiles(event.clipboardData) : !getSelection()?.isCollapsed) return
      const action = latest.current.find(({ id }) => id === event.type)
      const run = action?.run ?? action?.byKeys
      if (run === undefined) return
      run()
      const names = clipboard.get()?.items.map(({ path }) => nameOf(path)) ?? []
      if (event.type !== 'paste') event.clipboardData?.setData('text/plain', names.join('\n'))
      event.preventDefault()
    }
    for (const type of ['copy', 'cut', 'paste'] as const) addEventListener(type, handle, listening)
    return () => listening.abort()
  }, [clipboard, latest, prompts])
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [contenteditable]') !== null
}
