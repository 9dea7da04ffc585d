import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { nameOf } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useWork } from '../../actions/late-work.tsx'
import { checkNewName } from '../../actions/new-name.ts'
import { problemOf, problemText } from '../../actions/problem-text.ts'
import { stemLength } from '../../actions/stem-length.ts'
import type { WorkItem } from '../../actions/work.ts'
import styles from './late.module.css'

interface RenameFieldProps {
  readonly item: WorkItem
  /** The row or tile of the entry. */
  readonly cell: HTMLElement
  readonly taken: (name: string) => boolean
  readonly onClose: () => void
}

/** A field in the place of a name. What is wrong stands beneath it, and what was typed stays. */
export function RenameField({ item, cell, taken, onClose }: RenameFieldProps) {
  const t = useText()
  const work = useWork()
  const name = nameOf(item.path)
  const place = cell.querySelector('a')?.parentElement ?? cell
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string | null>(null)
  const rename = useMutation({
    mutationFn: (wanted: string) => work.renameTo(item, wanted),
    onSuccess: onClose,
    onError: (error) => setProblem(problemText(t, problemOf(error))),
  })
  useLayoutEffect(() => {
    place.setAttribute('data-renaming', '')
    cell.draggable = false
    field.current?.focus()
    field.current?.setSelectionRange(0, stemLength(name, item.isDir))
    return () => place.removeAttribute('data-renaming')
  }, [place, cell, name, item.isDir])
  const wanted = text.trim()
  const isSame = wanted === '' || wanted === name
  const close = (): void => {
    onClose()
    cell.focus({ preventScroll: true })
  }
  const submit = (): void => {
    if (rename.isPending) return
    if (isSame) return close()
    const wrong = checkNewName(wanted) ?? (taken(wanted) ? 'files.nameTaken' : null)
    if (wrong === null) rename.mutate(wanted)
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
    place,
  )
}
