import { useQueryClient } from '@tanstack/react-query'
import { removeShares, updateShare } from '../../../../src/api/shares/shares.ts'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { DeleteSharesPrompt, EditSharePrompt } from './prompts/edit-share-prompt.tsx'
import { shareName, useCopy, useShareLinks } from './share-links.ts'

const ShareQr = lazyPrompt(async () => (await import('./prompts/share-qr-prompt.tsx')).ShareQrPrompt)

const Arrivals = lazyPrompt(async () => (await import('./prompts/arrivals-prompt.tsx')).ArrivalsPrompt)

/** The actions on links, for the dialog and the page. */
export function useShareActions() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const links = useShareLinks()
  const copy = useCopy()
  // Missing on pages without TLS, and in some browsers.
  const canSend = typeof (navigator.share as Navigator['share'] | undefined) === 'function'
  const nameOf = (share: ShareDetails): string => shareName(share) || t('files.root')
  const refresh = async (): Promise<void> => await queries.invalidateQueries({ queryKey: ['shares'] })

  return {
    /** @param quiet without a toast, where the button itself shows it */
    copyLink: (share: ShareDetails, quiet?: boolean) =>
      copy({ text: links.page(share), success: t('shares.copied'), quiet }),
    /** For links without a password only. */
    copyDirect: (share: ShareDetails) => copy({ text: links.direct(share), success: t('shares.directCopied') }),
    showQr: (share: ShareDetails) => void ask(ShareQr, { name: nameOf(share), link: links.page(share) }),
    /** Passes the link to an app of the device; undefined if the browser cannot. */
    sendOn: canSend
      ? (share: ShareDetails): void => {
          // Rejected when the user closes the list of apps.
          navigator.share({ title: nameOf(share), url: links.page(share) }).catch(() => undefined)
        }
      : undefined,
    edit: (share: ShareDetails) => void ask(EditSharePrompt, { share }),
    /** Shows what visitors have sent. */
    showArrivals: (share: ShareDetails) => void ask(Arrivals, { share }),
    /** Asks first: a deleted link never works again. */
    async remove(shares: readonly ShareDetails[]) {
      if ((await ask(DeleteSharesPrompt, { shares })) !== true) return
      try {
        await client.call(removeShares, { body: { remove: shares.map(({ hash }) => hash) } })
        toasts.success(t('shares.deleted', { count: shares.length }))
      } catch (error) {
        toasts.error(`${t('shares.notDeleted', { count: shares.length })} ${problemText(t, problemOf(error))}`)
      }
      await refresh()
    },
    /** Shares what is at the path now, instead of what was there before. */
    async rebind(share: ShareDetails) {
      try {
        await client.call(updateShare, { params: { hash: share.hash }, body: { rebind: true } })
        toasts.success(t('shares.rebound', { name: nameOf(share) }))
      } catch (error) {
        toasts.error(problemText(t, problemOf(error)))
      }
      await refresh()
    },
  }
}

export type ShareActions = ReturnType<typeof useShareActions>
