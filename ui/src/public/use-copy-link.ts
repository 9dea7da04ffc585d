import { useText } from '../i18n/use-text.tsx'
import { useToasts } from '../kit/feedback/toast.tsx'
import { copyText } from '../lib/copy-text.ts'
import type { OpenShare } from './public-parts.ts'

/** Puts the address of a path on the clipboard, and says so. */
export function useCopyLink(share: OpenShare): (path: string) => void {
  const t = useText()
  const toasts = useToasts()
  return (path) => {
    const link = share.linkTo(path)
    void copyText(link).then((copied) =>
      copied ? toasts.success(t('public.linkCopied')) : toasts.error(t('public.linkNotCopied', { link })),
    )
  }
}
