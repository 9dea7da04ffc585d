import { useState } from 'react'
import { ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useConfig } from '../../api/config.tsx'
import { filesHref } from '../../lib/app-path.ts'
import { showNotice } from '../../lib/show-notice.ts'
import { appHref } from '../../lib/navigation.tsx'

/** The name is older than the notices of anything but uploads. */
const KEY = 'filemgr:upload-notice'

export interface FinishNotice {
  /** Nobody has said yet whether it is wanted, and the browser could do it. */
  readonly mayAsk: boolean
  /** To be called by a press: browsers ask their user then and only then. */
  answer(wanted: boolean): void
  /** Tells those who want it and look at something else; a press on it leads to the folder. */
  tell(news: { readonly title: string; readonly body?: string | undefined; readonly folder: VirtualPath }): void
}

/**
 * Tells by a notification of the system what has ended.
 *
 * @param goTo Shows a place of the app where there is no service worker to do it; without it the window just comes to the front.
 */
export function useFinishNotice(goTo?: (place: string) => void): FinishNotice {
  const { BaseURL } = useConfig()
  const [answer, setAnswer] = useState(readAnswer)
  return {
    mayAsk: answer === null && canTell() && Notification.permission !== 'denied',
    answer(wanted) {
      keepAnswer(wanted ? 'yes' : 'no')
      setAnswer(wanted ? 'yes' : 'no')
      if (wanted) void Notification.requestPermission()
    },
    tell({ title, body, folder }) {
      // Another panel may have asked.
      if (!document.hidden || readAnswer() !== 'yes' || !canTell() || Notification.permission !== 'granted') return
      const place = filesHref(folder === ROOT ? folder : `${folder}/`)
      void showNotice({ title, body, href: appHref(BaseURL, place) }, () => goTo?.(place))
    },
  }
}

function canTell(): boolean {
  return isSecureContext && 'Notification' in globalThis
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
