import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import type { UploadSnapshot } from './upload-queue.ts'
import { titleText } from './upload-texts.ts'

const KEY = 'filemgr:upload-notice'

export interface FinishNotice {
  /** Nobody has said yet whether it is wanted, and the browser could do it. */
  readonly mayAsk: boolean
  answer(wanted: boolean): void
}

/** Tells by a notification of the desktop that uploads have ended, to those who want it and look at something else. */
export function useFinishNotice(snapshot: UploadSnapshot): FinishNotice {
  const t = useText()
  const [answer, setAnswer] = useState(readAnswer)
  const { active, waiting } = snapshot.totals
  const busy = active + waiting > 0
  const wasBusy = useRef(busy)
  useEffect(() => {
    const ended = wasBusy.current && !busy
    wasBusy.current = busy
    if (!ended || answer !== 'yes' || !document.hidden || Notification.permission !== 'granted') return
    const notice = new Notification(titleText(t, snapshot), { tag: KEY })
    notice.onclick = () => {
      focus()
      notice.close()
    }
  })
  return {
    mayAsk: answer === null && isSecureContext && 'Notification' in globalThis && Notification.permission !== 'denied',
    answer(wanted) {
      keepAnswer(wanted ? 'yes' : 'no')
      setAnswer(wanted ? 'yes' : 'no')
      if (wanted) void Notification.requestPermission()
    },
  }
}

function readAnswer(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return 'no'
  }
}

/** Where the browser stores nothing, the question comes again with the next visit. */
function keepAnswer(answer: string): void {
  try {
    localStorage.setItem(KEY, answer)
  } catch {
    return
  }
}
