import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import type { CodeEditor } from '../ace/code-editor.ts'
import { createFinder, type Direction, type Found, MAX_COUNTED, type Query } from './finder.ts'
import styles from './find-bar.module.css'

interface FindBarProps {
  readonly editor: CodeEditor
  readonly readOnly: boolean
  readonly onClose: () => void
}

/** Finds and replaces text. Enter finds the next match, Shift+Enter the previous one. */
export function FindBar({ editor, readOnly, onClose }: FindBarProps) {
  const t = useText()
  const announce = useAnnounce()
  const narrow = useMediaQuery(NARROW)
  const [finder] = useState(() => createFinder(editor.ace))
  const [query, setQuery] = useState(() => queryFor(selectedLine(editor)))
  const [replacement, setReplacement] = useState('')
  const [replacing, setReplacing] = useState(!narrow)
  const [found, setFound] = useState<Found | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.select()
    return () => finder.clear()
  }, [finder])

  const find = (next: Query, direction: Direction): void => {
    setQuery(next)
    setFound(finder.find(next, direction))
  }
  const handleKeys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    find(query, event.shiftKey ? 'previous' : 'next')
  }
  const replaceAll = (): void => {
    announce(t('editor.replaced', { count: finder.replaceAll(query, replacement) }))
    find(query, 'here')
  }
  const mayReplace = !readOnly && found !== null && found.total > 0
  return (
    <search className={styles['bar']} aria-label={t('editor.findInFile')}>
      <div className={styles['row']}>
        <input
          ref={field}
          autoFocus
          className={styles['field']}
          type="text"
          dir="auto"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-label={t('editor.find')}
          aria-invalid={found?.wrong === true ? true : undefined}
          placeholder={t('editor.find')}
          value={query.text}
          onKeyDown={handleKeys}
          onChange={(event) => find({ ...query, text: event.currentTarget.value }, 'here')}
        />
        <FindOptions query={query} onChange={(next) => find(next, 'here')} />
        <span className={styles['count']} role="status">
          {found !== null && query.text !== '' && t(...countText(found))}
        </span>
        <IconButton icon="up" size="small" label={t('editor.previous')} onClick={() => find(query, 'previous')} />
        <IconButton icon="down" size="small" label={t('editor.next')} onClick={() => find(query, 'next')} />
        <span className="grow" />
        {!readOnly && (
          <IconButton
            icon="updown"
            size="small"
            label={t('editor.replaceToggle')}
            pressed={replacing}
            onClick={() => setReplacing(!replacing)}
          />
        )}
        <IconButton icon="x" size="small" label={t('editor.closeFind')} onClick={onClose} />
      </div>
      {replacing && !readOnly && (
        <div className={styles['row']}>
          <input
            className={styles['field']}
            type="text"
            dir="auto"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-label={t('editor.replaceWith')}
            placeholder={t('editor.replaceWith')}
            value={replacement}
            onChange={(event) => setReplacement(event.currentTarget.value)}
          />
          <Button size="small" disabled={!mayReplace} onClick={() => setFound(finder.replace(query, replacement))}>
            {t('editor.replace')}
          </Button>
          <Button size="small" disabled={!mayReplace} onClick={replaceAll}>
            {t('editor.replaceAll')}
          </Button>
        </div>
      )}
    </search>
  )
}

function countText({ total, index, wrong }: Found): Parameters<ReturnType<typeof useText>> {
  if (wrong) return ['editor.wrongExpression']
  if (total === 0) return ['editor.noMatches']
  if (total >= MAX_COUNTED) return ['editor.manyMatches', { total }]
  return index === 0 ? ['editor.matches', { total }] : ['editor.matchOf', { index, total }]
}

function queryFor(text: string): Query {
  return { text, matchCase: false, wholeWord: false, regExp: false }
}

/** The search starts with the selection if it is within one line. */
function selectedLine(editor: CodeEditor): string {
  const text = editor.ace.getSelectedText()
  return text.includes('\n') ? '' : text
}

type Option = Exclude<keyof Query, 'text'>

const OPTIONS: readonly { readonly option: Option; readonly sign: string; readonly label: MessageId }[] = [
  { option: 'matchCase', sign: 'Aa', label: 'editor.matchCase' },
  { option: 'wholeWord', sign: '“a”', label: 'editor.wholeWord' },
  { option: 'regExp', sign: '.*', label: 'editor.regExp' },
]

/** Toggles for case, whole words and regular expressions. */
function FindOptions({ query, onChange }: { readonly query: Query; readonly onChange: (query: Query) => void }) {
  const t = useText()
  return OPTIONS.map(({ option, sign, label }) => (
    <button
      key={option}
      type="button"
      className={styles['option']}
      aria-label={t(label)}
      aria-pressed={query[option]}
      data-sign={sign}
      data-tooltip={t(label)}
      onClick={() => onChange({ ...query, [option]: !query[option] })}
    />
  ))
}
