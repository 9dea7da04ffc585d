import { useEffect, useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { useFinishNotice, type FinishNotice } from '../actions/use-finish-notice.ts'
import type { UploadSnapshot } from './upload-queue.ts'
import { titleText } from './upload-texts.ts'

/** Tells when the uploads have ended. */
export function useUploadNotice(snapshot: UploadSnapshot): FinishNotice {
  const t = useText()
  const notice = useFinishNotice()
  const { active, waiting } = snapshot.totals
  const busy = active + waiting > 0
  const wasBusy = useRef(busy)
  useEffect(() => {
    const ended = wasBusy.current && !busy
    wasBusy.current = busy
    const last = snapshot.items.at(-1)
    if (ended && last !== undefined) notice.tell({ title: titleText(t, snapshot), folder: last.target })
  })
  return notice
}
