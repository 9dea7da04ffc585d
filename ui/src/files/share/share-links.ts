import { downloadShared } from '../../../../src/api/shares/public.ts'
import type { ShareDetails, ShareView } from '../../../../src/domain/shares/share.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { copyWithPermission } from '../../lib/copy-text.ts'
import type { FileGlyphName } from '../../kit/icon/icon.tsx'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import { kindOfName } from '../../lib/file-kind.ts'

interface Copying {
  /** May still be pending. */
  readonly text: string | Promise<string>
  /** The message after success. */
  readonly success: string
  /** Announces instead of showing a toast, because the button shows the success. */
  readonly quiet?: boolean | undefined
}

/**
 * Copies a text and shows a toast with the result. True when it worked.
 *
 * @throws what the promised text is rejected with
 */
export function useCopy(): (copying: Copying) => Promise<boolean> {
  const t = useText()
  const toasts = useToasts()
  const announce = useAnnounce()
  return async ({ text, success, quiet = false }) => {
    const outcome = await copyWithPermission(text)
    if (outcome !== 'copied') toasts.error(t(outcome === 'denied' ? 'shell.pathNotCopied' : 'shares.copyUnsupported'))
    else if (quiet) announce(success)
    else toasts.success(success)
    return outcome === 'copied'
  }
}

/** Full URLs to pass on, with the public address, else that of this page. */
export function useShareLinks() {
  const client = useClient()
  const { BaseURL, PublicURL: origin = location.origin } = useConfig()
  return {
    /** The page that visitors open. */
    page: ({ hash }: Pick<ShareView, 'hash'>) => `${origin}${BaseURL}/share/${hash}`,
    /** The file itself. Works only for links without a password. */
    direct: ({ hash }: Pick<ShareView, 'hash'>) =>
      new URL(client.url(downloadShared, { params: { '*': hash } }), origin).href,
  }
}

type Named = Pick<ShareView, 'path'>

/** The name of what is shared; "" for the user's root. */
export function shareName({ path }: Named): string {
  return lastSegment(path)
}

export function shareGlyph({ path, isDir }: Pick<ShareDetails, 'path' | 'isDir'>): FileGlyphName {
  return isDir ? 'folder' : (kindOfName(shareName({ path })) ?? 'other')
}
