import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import {
  changesName,
  type PlannedRename,
  type RenameProblem,
} from '../../../../../../src/domain/files/renames/renames.ts'
import { type MessageId, useText } from '../../../../i18n/use-text.tsx'
import { FileName } from '../../../../kit/text/names.tsx'
import { Icon } from '../../../../kit/icon/icon.tsx'
import { NARROW, useMediaQuery } from '../../../../lib/hooks.ts'
import styles from './rename-many-prompt.module.css'

/** Heights of a row and of the problem below it, in pixels. */
const ROW = 34
const NARROW_ROW = 52
const PROBLEM = 20

const PROBLEMS: Readonly<Record<RenameProblem, MessageId>> = {
  empty: 'rename.empty',
  slash: 'files.nameWithSlash',
  dots: 'files.nameIsDots',
  controls: 'files.nameWithControls',
  tooLong: 'files.nameTooLong',
  twice: 'rename.twice',
  taken: 'files.nameTaken',
  missing: 'actions.notFound',
  denied: 'actions.forbidden',
}

/** Every old and new name, with its problem if it has one. Renders only the rows in view. */
export function RenamePreview({ planned }: { readonly planned: readonly PlannedRename[] }) {
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer<HTMLElement, HTMLElement>({
    count: planned.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (narrow ? NARROW_ROW : ROW) + (planned[index]?.problem === undefined ? 0 : PROBLEM),
    overscan: 4,
  })
  useLayoutEffect(() => rows.measure(), [rows, planned, narrow])
  const wrong = planned.filter(({ problem }) => problem !== undefined).length
  const changed = planned.filter(changesName).length
  const showFirst = (): void => rows.scrollToIndex(planned.findIndex(({ problem }) => problem !== undefined))
  return (
    <section className={styles['preview']} aria-label={t('rename.preview')}>
      <p className={styles['totals']} role="status">
        <span>{t('rename.changes', { count: changed })}</span>
        {wrong > 0 && (
          <button type="button" className="link touch" onClick={showFirst}>
            {t('rename.problems', { count: wrong })}
          </button>
        )}
      </p>
      <div ref={scroll} className={styles['rows']} role="group" aria-label={t('rename.preview')} tabIndex={0}>
        <ul style={{ blockSize: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start, size }) => {
            const rename = planned[index]
            return rename && <RenameRow key={rename.from} rename={rename} start={start} size={size} />
          })}
        </ul>
      </div>
    </section>
  )
}

interface RenameRowProps {
  readonly rename: PlannedRename
  /** Pixels from the start of the list. */
  readonly start: number
  readonly size: number
}

function RenameRow({ rename, start, size }: RenameRowProps) {
  const t = useText()
  const { from, to, problem } = rename
  return (
    <li
      className={styles['row']}
      data-same={changesName(rename) ? undefined : ''}
      style={{ transform: `translateY(${start}px)`, blockSize: size }}
    >
      <span className={styles['old']} title={from}>
        <FileName name={from} />
      </span>
      <span className={styles['arrow']}>
        <Icon name="arrow-right" size={14} flip />
        <span className="visually-hidden">{t('rename.becomes')}</span>
      </span>
      <span className={styles['new']} title={to}>
        <FileName name={to} />
      </span>
      {problem !== undefined && (
        <span className={styles['problem']}>
          <Icon name="error" size={14} />
          {t(PROBLEMS[problem])}
        </span>
      )}
    </li>
  )
}
