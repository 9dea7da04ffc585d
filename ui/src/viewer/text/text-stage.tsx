import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { PrintedText } from '../../kit/text/printed.tsx'
import { Waiting } from '../waiting.tsx'
import type { ViewedFile } from '../viewed-file.ts'
import { linesOf, LONGEST_LINE, type Line } from './lines.ts'
import { useTextContent } from './use-text-content.ts'
import styles from './text-stage.module.css'

const LINE_HEIGHT = 20

/** A text to be read: only the lines that are seen are in the page, so that a long log opens as fast as a note. */
export function TextStage({ file, path }: ViewedFile) {
  const content = useTextContent(path, file)
  return content === undefined ? <Waiting /> : <Lines text={content} label={file.name} />
}

function Lines({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
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
                <span>{whole.has(index) ? wholeLine(text, line) : line.shown}</span>
                {line.length > LONGEST_LINE && !whole.has(index) && (
                  <button
                    type="button"
                    className={styles['more']}
                    onClick={() => setWhole((before) => new Set(before).add(index))}
                  >
                    {t('viewer.moreOfLine', { count: line.length - LONGEST_LINE })}
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

function wholeLine(text: string, line: Line): string {
  return text.slice(line.start, line.start + line.length)
}
