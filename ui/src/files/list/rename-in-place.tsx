import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { stemLength } from '../../../../src/domain/files/name-text.ts'
import { nameOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { checkNewName } from '../actions/new-name.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import type { FileItem } from '../actions/model.ts'
import { cellOf } from './grid/use-grid-handlers.ts'
import type { Grid } from './grid/use-grid.ts'
import styles from './list-extras.module.css'

interface RenameInPlace {
  /** Replaces the name with a field. Returns false when the entry is not rendered; the caller then opens a dialog. */
  readonly rename: (item: FileItem) => boolean
  readonly field: ReactNode
}

/** Edits names in place in the list. */
export function useRenameInPlace(
  folder: VirtualPath,
  grid: Grid,
  scroll: RefObject<HTMLElement | null>,
): RenameInPlace {
  const [renaming, setRenaming] = useState<{ item: FileItem; cell: HTMLElement } | null>(null)
  const rename = (item: FileItem): boolean => {
    const cell = cellOf(scroll.current, nameOf(item.path))
    if (cell === null || parentOf(item.path) !== folder) return false
    cell.scrollIntoView({ block: 'nearest' })
    setRenaming({ item, cell })
    return true
  }
  const taken = (name: string): boolean => grid.entryOf(name) !== undefined
  const field = renaming && (
    <RenameField key={renaming.item.path} {...renaming} taken={taken} onClose={() => setRenaming(null)} />
  )
  return { rename, field }
}

interface RenameFieldProps {
  readonly item: FileItem
  /** The row or tile of the entry. */
  readonly cell: HTMLElement
  readonly taken: (name: string) => boolean
  readonly onClose: () => void
}

/** The field that replaces a name. Errors are shown below it, and the typed text is kept. */
function RenameField({ item, cell, taken, onClose }: RenameFieldProps) {
  const t = useText()
  const files = useFileActions()
  const name = nameOf(item.path)
  const host = cell.querySelector('a')?.parentElement ?? cell
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string | null>(null)
  const rename = useMutation({
    mutationFn: (trimmed: string) => files.renameTo(item, trimmed),
    onSuccess: onClose,
    onError: (error) => setProblem(problemText(t, problemOf(error))),
  })
  useLayoutEffect(() => {
    host.setAttribute('data-renaming', '')
    cell.draggable = false
    field.current?.focus()
    field.current?.setSelectionRange(0, stemLength(name, item.isDir))
    return () => host.removeAttribute('data-renaming')
  }, [host, cell, name, item.isDir])
  const trimmed = text.trim()
  const isSame = trimmed === '' || trimmed === name
  const close = (): void => {
    onClose()
    cell.focus({ preventScroll: true })
  }
  const submit = (): void => {
    if (rename.isPending) return
    if (isSame) return close()
    const wrong = checkNewName(trimmed) ?? (taken(trimmed) ? 'files.nameTaken' : null)
    if (wrong === null) rename.mutate(trimmed)
    else setProblem(t(wrong))
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') submit()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return createPortal(
    <span className={styles['rename']}>
      <input
        ref={field}
        type="text"
        value={text}
        aria-label={t('files.newNameOf', { name })}
        aria-invalid={problem !== null || undefined}
        aria-busy={rename.isPending || undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={keyDown}
        onBlur={() => {
          if (problem !== null || isSame) onClose()
          else submit()
        }}
      />
      {problem !== null && <span role="alert">{problem}</span>}
    </span>,
    host,
  )
}
