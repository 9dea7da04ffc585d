import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import type { CodeEditor } from '../ace/code-editor.ts'
import { FindOptions } from './find-options.tsx'
import { createFinder, type Direction, type Found, type Query } from './finder.ts'
import { MOST_COUNTED } from './count-matches.ts'
import styles from './find-bar.module.css'

interface FindBarProps {
  readonly editor: CodeEditor
  readonly readOnly: boolean
  readonly onClose: () => void
}

/** Finds and replaces. Enter goes on, Shift+Enter goes back. */
export function FindBar({ editor, readOnly, onClose }: FindBarProps) {
  const t = useText()
  const announce = useAnnounce()
  const narrow = useMediaQuery(NARROW)
  const [finder] = useState(() => createFinder(editor.ace))
  const [query, setQuery] = useState(() => startWith(selectedLine(editor)))
  const [by, setBy] = useState('')
  const [replacing, setReplacing] = useState(!narrow)
  const [found, setFound] = useState<Found | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.select()
    return () => finder.clear()
  }, [finder])

  const look = (next: Query, direction: Direction): void => {
    setQuery(next)
    setFound(finder.look(next, direction))
  }
  const handleKeys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    look(query, event.shiftKey ? 'previous' : 'next')
  }
  const replaceAll = (): void => {
    announce(t('editor.replaced', { count: finder.replaceAll(query, by) }))
    look(query, 'here')
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
          onChange={(event) => look({ ...query, text: event.currentTarget.value }, 'here')}
        />
        <FindOptions query={query} onChange={(next) => look(next, 'here')} />
        <span className={styles['count']} role="status">
          {found !== null && query.text !== '' && t(...countText(found))}
        </span>
        <IconButton icon="up" size="small" label={t('editor.previous')} onClick={() => look(query, 'previous')} />
        <IconButton icon="down" size="small" label={t('editor.next')} onClick={() => look(query, 'next')} />
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
            value={by}
            onChange={(event) => setBy(event.currentTarget.value)}
          />
          <Button size="small" disabled={!mayReplace} onClick={() => setFound(finder.replace(query, by))}>
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
  if (total >= MOST_COUNTED) return ['editor.manyMatches', { total }]
  return index === 0 ? ['editor.matches', { total }] : ['editor.matchOf', { index, total }]
}

function startWith(text: string): Query {
  return { text, matchCase: false, wholeWord: false, regExp: false }
}

/** What is selected is what people mean to find, as long as it is within one line. */
function selectedLine(editor: CodeEditor): string {
  const text = editor.ace.getSelectedText()
  return text.includes('\n') ? '' : text
}
