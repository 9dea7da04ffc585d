import { useState } from 'react'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { appHref } from '../../../lib/navigation/navigation.tsx'

/** Named after uploads, which had these notifications first. */
const KEY = 'filemgr:upload-notice'

export interface FinishNotice {
  /** The user has not been asked yet, and the browser supports notifications. */
  readonly mayAsk: boolean
  /** Call it in a click handler: browsers ask for permission only then. */
  answer(wanted: boolean): void
  /** Notifies the user when the page is hidden, if they want it; a click opens the folder. */
  notify(notice: { readonly title: string; readonly body?: string | undefined; readonly folder: VirtualPath }): void
}

/**
 * System notifications about finished operations.
 *
 * @param goTo opens a page of the app if no service worker can; without it, a click only focuses the window
 */
export function useFinishNotice(goTo?: (path: string) => void): FinishNotice {
  const { BaseURL } = useConfig()
  const [answer, setAnswer] = useState(readAnswer)
  return {
    mayAsk: answer === null && canNotify() && Notification.permission !== 'denied',
    answer(wanted) {
      keepAnswer(wanted ? 'yes' : 'no')
      setAnswer(wanted ? 'yes' : 'no')
      if (wanted) void Notification.requestPermission()
    },
    notify({ title, body, folder }) {
      // Read again: another panel may have asked meanwhile.
      if (!document.hidden || readAnswer() !== 'yes' || !canNotify() || Notification.permission !== 'granted') return
      const path = filesHref(folder === ROOT ? folder : `${folder}/`)
      void showNotice({ title, body, href: appHref(BaseURL, path) }, () => goTo?.(path))
    },
  }
}

function canNotify(): boolean {
  return isSecureContext && 'Notification' in globalThis
}

function readAnswer(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return 'no'
  }
}

/** If the browser stores nothing, the user is asked again on the next visit. */
function keepAnswer(answer: string): void {
  try {
    localStorage.setItem(KEY, answer)
  } catch {
    return
  }
}

interface Notice {
  readonly title: string
  readonly body?: string | undefined
  /** The address to open on a click, with the base URL. */
  readonly href: string
}

/**
 * Shows a system notification, through the service worker if there is one: Android requires it, and a click works even
 * after the page was closed. The tag makes several windows replace each other's notification.
 *
 * @param onClick called on a click if the page itself shows the notification
 */
async function showNotice({ title, body, href }: Notice, onClick: () => void): Promise<void> {
  const options = { tag: `filemgr:${title}`, ...(body !== undefined && { body }) }
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  // A failure needs no message: the panel shows the same information.
  if (registration?.active) {
    await registration.showNotification(title, { ...options, data: { href } }).catch(() => undefined)
    return
  }
  const notice = pageNotice(title, options)
  if (notice === undefined) return
  notice.onclick = () => {
    focus()
    notice.close()
    onClick()
  }
}

function pageNotice(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}
