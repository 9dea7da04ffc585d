import { useEffect, useRef } from 'react'
import { ROOT } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import type { FinishNotice } from '../actions/use-finish-notice.ts'
import { isOpen, isLong, type ActivityRow } from './activity-rows.ts'
import { rowTitle } from './row-title.ts'

/** Notifies when long jobs have ended, except for cancelled ones. */
export function useJobNotices(rows: readonly ActivityRow[], notice: FinishNotice): void {
  const t = useText()
  const open = useRef(new Set<string>())
  useEffect(() => {
    for (const row of rows) {
      if (isOpen(row)) open.current.add(row.key)
      else if (open.current.delete(row.key) && row.state !== 'cancelled' && isLong(row, Date.now())) {
        const { failed, folder = ROOT } = row
        const body = failed.length > 0 ? t('jobs.failed', { count: failed.length }) : undefined
        notice.tell({ title: rowTitle(t, row), body, folder })
      }
    }
  })
}
