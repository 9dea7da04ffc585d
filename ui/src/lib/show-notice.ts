export interface Notice {
  readonly title: string
  readonly body?: string | undefined
  /** The address of what it is about, with the base URL. */
  readonly href: string
}

/**
 * A notification of the system, by the service worker where there is one: browsers of Android know no other way, and it
 * can still be pressed when the page is gone. Of several windows that say the same the last one counts.
 *
 * @param onPress Where the page itself shows it.
 */
export async function showNotice({ title, body, href }: Notice, onPress: () => void): Promise<void> {
  const how = { tag: `filemgr:${title}`, ...(body !== undefined && { body }) }
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  // Refused on the way there, or no way at all: the panel says it too.
  if (registration?.active) {
    await registration.showNotification(title, { ...how, data: { href } }).catch(ignore)
    return
  }
  const notice = pageNotice(title, how)
  if (notice === undefined) return
  notice.onclick = () => {
    focus()
    notice.close()
    onPress()
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
