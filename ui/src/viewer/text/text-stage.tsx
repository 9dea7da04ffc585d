import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { PrintedText } from '../../kit/text/printed.tsx'
import { useDetails } from '../file/file-source.ts'
import { Waiting } from '../placeholders.tsx'
import type { ViewedFile } from '../file/viewed-file.ts'
import type { TokensOf } from '../../lib/code-tokens.ts'
import styles from './text-stage.module.css'

const LINE_HEIGHT = 20

/** A text file. Only visible lines are in the page, so a long log opens as fast as a note. */
export function TextStage({ file, path }: ViewedFile) {
  const content = useTextContent(path, file)
  return content === undefined ? <Waiting /> : <Lines text={content} label={file.name} />
}

function Lines({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const lines = useMemo(() => linesOf(text), [text])
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, line.shown.length), 0), [lines])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
    paddingStart: 12,
    paddingEnd: 48,
  })
  const tokensOf = useTokens(label, text, lines)
  const digits = String(lines.length).length
  return (
    <>
      <div ref={scroll} className={styles['text']} role="document" aria-label={label} tabIndex={0}>
        <div
          className={styles['lines']}
          style={{ blockSize: rows.getTotalSize(), minInlineSize: `calc(${widest}ch + ${digits}ch + 64px)` }}
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = lines[index] ?? { start: 0, length: 0, shown: '' }
            return (
              <div key={index} className={styles['line']} style={{ transform: `translateY(${start}px)` }}>
                <span className={styles['number']} style={{ inlineSize: `${digits + 1}ch` }} aria-hidden="true">
                  {index + 1}
                </span>
                <span>
                  {tokensOf === undefined
                    ? expanded.has(index)
                      ? wholeLine(text, line)
                      : line.shown
                    : tokensOf(index).map(({ kind, text: part }, at) => (
                        <span key={at} className={kind && styles[kind]}>
                          {part}
                        </span>
                      ))}
                </span>
                {line.length > MAX_LINE_LENGTH && !expanded.has(index) && (
                  <button
                    type="button"
                    className={styles['more']}
                    onClick={() => setExpanded((before) => new Set(before).add(index))}
                  >
                    {t('viewer.moreOfLine', { count: line.length - MAX_LINE_LENGTH })}
                  </button>
                )}
              </div>
            )
          })}
        </div>
      </div>
      <PrintedText read={() => text} />
    </>
  )
}

/** Characters of the longest text that gets colours. */
const MAX_CODE = 256 * 1024

/** Names of files that are no code: the languages are not loaded for them. */
const PLAIN = /\.(txt|text|log|out|err|srt|vtt|lrc|nfo)$|^(?!dockerfile$|(gnu)?makefile$)[^.]*$/i

/** The parts of code, once its language has loaded. Until then, or without one, the text is plain. */
function useTokens(name: string, text: string, lines: readonly Line[]): TokensOf | undefined {
  const [read, setRead] = useState<{ readonly of: readonly Line[]; readonly tokensOf: TokensOf | undefined }>()
  useEffect(() => {
    if (PLAIN.test(name) || text.length > MAX_CODE || lines.some(({ length }) => length > MAX_LINE_LENGTH)) return
    const load = async (): Promise<void> => {
      const { readCode } = await import('../../lib/code-tokens.ts')
      setRead({ of: lines, tokensOf: await readCode(name, (index) => lines[index]?.shown ?? '') })
    }
    // Without a connection it stays plain.
    load().catch(() => undefined)
  }, [name, text, lines])
  return read?.of === lines ? read.tokensOf : undefined
}

function wholeLine(text: string, line: Line): string {
  return text.slice(line.start, line.start + line.length)
}

/** Longer lines are cut: laying out a megabyte in one line blocks the page. */
export const MAX_LINE_LENGTH = 10_000

interface Line {
  /** Index of its first character in the text. */
  readonly start: number
  readonly length: number
  /** At most the first 10,000 characters. */
  readonly shown: string
}

/** Splits a text at LF, CRLF and CR. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  const ends = /\r\n|\n|\r/g
  let start = 0
  const add = (end: number): void => {
    const length = end - start
    lines.push({ start, length, shown: text.slice(start, start + Math.min(length, MAX_LINE_LENGTH)) })
  }
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    add(end.index)
    start = ends.lastIndex
  }
  add(text.length)
  return lines
}

/** The text of a file; undefined while it loads. @throws ApiError while rendering, for the error boundary above */
export function useTextContent(path: VirtualPath, file: Resource): string | undefined {
  const { data, error } = useDetails(path, file)
  if (error !== null && data === undefined) throw error
  return data === undefined ? undefined : (data.content ?? '')
}
