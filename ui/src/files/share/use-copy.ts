import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { copyWithPermission } from '../../lib/copy-with-permission.ts'

interface Copying {
  /** It may still be on its way. */
  readonly text: string | Promise<string>
  /** What is said when it worked. */
  readonly success: string
  /** The button shows it, so that a message would only cover something. */
  readonly quiet?: boolean | undefined
}

/**
 * Copies a text and says so; or why the browser did not. The answer is whether it worked.
 *
 * @throws what a text that is on its way is refused with
 */
export function useCopy(): (copying: Copying) => Promise<boolean> {
  const t = useText()
  const toasts = useToasts()
  const announce = useAnnounce()
  return async ({ text, success, quiet = false }) => {
    const outcome = await copyWithPermission(text)
    if (outcome !== 'copied') toasts.error(t(outcome === 'denied' ? 'shares.copyDenied' : 'shares.copyUnsupported'))
    else if (quiet) announce(success)
    else toasts.success(success)
    return outcome === 'copied'
  }
}
