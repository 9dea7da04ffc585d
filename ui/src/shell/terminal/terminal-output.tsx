import { memo, useLayoutEffect, useRef } from 'react'
import { type Translate, useText } from '../../i18n/use-text.tsx'
import { classNames } from '../../lib/class-names.ts'
import type { AnsiStyle } from './ansi.ts'
import type { TerminalLine } from './terminal-session.ts'
import styles from './terminal.module.css'

interface TerminalOutputProps {
  readonly lines: readonly TerminalLine[]
  readonly onFocusField: () => void
}

/** Within this many pixels of the end, the view follows new lines. */
const FOLLOW_DISTANCE = 24

/** Output of the commands. Follows the end unless the user has scrolled up. */
export function TerminalOutput({ lines, onFocusField }: TerminalOutputProps) {
  const t = useText()
  const log = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useLayoutEffect(() => {
    if (atEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight
  }, [lines])
  const checkEnd = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = log.current ?? {}
    atEnd.current = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE
  }
  // A click focuses the field, unless it has selected text.
  const handleClick = () => {
    if (getSelection()?.isCollapsed ?? true) onFocusField()
  }
  return (
    <div
      ref={log}
      className={styles['log']}
      role="log"
      dir="ltr"
      aria-label={t('terminal.output')}
      tabIndex={0}
      onScroll={checkEnd}
      onClick={handleClick}
    >
      {lines.map((line) => (
        <Line key={line.id} line={line} t={t} />
      ))}
    </div>
  )
}

const Line = memo(
  function Line({ line, t }: { readonly line: TerminalLine; readonly t: Translate }) {
    if (line.kind === 'command') {
      return (
        <div className={styles['command']}>
          <span>{line.folder} $ </span>
          {line.text}
        </div>
      )
    }
    if (line.kind === 'end') {
      return (
        <div className={classNames(styles['end'], line.outcome !== 'exit 0' && styles['bad'])}>
          {endText(t, line.outcome)}
        </div>
      )
    }
    return (
      <div>
        {line.spans.map(({ text, style }, index) => (
          <span key={index} className={classOf(style)}>
            {text}
          </span>
        ))}
        {line.spans.length === 0 && '\u200b'}
      </div>
    )
  },
  // `t` returns the same texts until the language changes.
  (before, now) => before.line === now.line,
)

function endText(t: Translate, outcome: string | undefined): string {
  if (outcome === undefined) return t('terminal.lost')
  const code = /^exit (\d+)$/.exec(outcome)?.[1]
  if (code !== undefined) return t('terminal.exit', { code })
  if (outcome === 'timeout') return t('terminal.timeout')
  if (outcome === 'killed') return t('terminal.killed')
  if (outcome === 'refused') return t('terminal.refused')
  return outcome.startsWith('SIG') ? t('terminal.stopped', { signal: outcome }) : outcome
}

function classOf({ colour, background, bold, dim, italic, underline, inverse }: AnsiStyle): string | undefined {
  const names = classNames(
    colour && styles[`fg-${colour}`],
    background && styles[`bg-${background}`],
    bold && styles['bold'],
    dim && styles['dim'],
    italic && styles['italic'],
    underline && styles['underline'],
    inverse && styles['inverse'],
  )
  return names || undefined
}
