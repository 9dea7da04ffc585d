import { useState } from 'react'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { filesHref } from '../../../lib/navigation/app-path.ts'
import { appHref } from '../../../lib/navigation/navigation.tsx'

/** Named after uploads, which had these notifications first. */
const KEY = 'filemgr:upload-notice'

export interface FinishNotice {
  /** The user has not been asked yet, and the browser supports it. */
  readonly mayAsk: boolean
  /** Call it in a click handler: browsers ask for permission only then. */
  answer(wanted: boolean): void
  /** Notifies the user when the page is hidden, if they want it; a click opens the folder. */
  notify(news: { readonly title: string; readonly body?: string | undefined; readonly folder: VirtualPath }): void
}

/**
 * System notifications about what has ended.
 *
 * @param goTo Shows a place of the app where there is no service worker to do it; without it the window just comes to the front.
 */
export function useFinishNotice(goTo?: (place: string) => void): FinishNotice {
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
      // Another panel may have asked.
      if (!document.hidden || readAnswer() !== 'yes' || !canNotify() || Notification.permission !== 'granted') return
      const place = filesHref(folder === ROOT ? folder : `${folder}/`)
      void showNotice({ title, body, href: appHref(BaseURL, place) }, () => goTo?.(place))
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

/** Where the browser stores nothing, the question comes again with the next visit. */
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
 * Shows a system notification, through the service worker if there is one: Android allows no other way, and it can be
 * clicked even when the page is closed. The tag makes several windows replace each other's notification.
 *
 * @param onClick Called when the page itself shows the notification.
 */
async function showNotice({ title, body, href }: Notice, onClick: () => void): Promise<void> {
  const how = { tag: `filemgr:${title}`, ...(body !== undefined && { body }) }
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  // A failure needs no message: the panel shows the same news.
  if (registration?.active) {
    await registration.showNotification(title, { ...how, data: { href } }).catch(ignore)
    return
  }
  const notice = pageNotice(title, how)
  if (notice === undefined) return
  notice.onclick = () => {
    focus()
    notice.close()
    onClick()
  }
}

function pageNotice(title: string, how: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, how)
  } catch {
    return undefined
  }
}

function ignore(): void {
  return
}
