import { useQueryClient } from '@tanstack/react-query'
import { removeShare, updateShare } from '../../../../src/api/shares.ts'
import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useClient } from '../../api/client-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { problemOf, problemText } from '../actions/problem-text.ts'
import { DeleteSharesPrompt } from './prompts/delete-shares-prompt.tsx'
import { EditSharePrompt } from './prompts/edit-share-prompt.tsx'
import { shareName } from './share-name.ts'
import { useCopy } from './use-copy.ts'
import { useShareLinks } from './use-share-links.ts'

const ShareQr = lazyPrompt(async () => (await import('./prompts/share-qr-prompt.tsx')).ShareQrPrompt)

export interface ShareActions {
  /** @param quiet where the button shows that it is copied */
  copyLink(share: ShareDetails, quiet?: boolean): Promise<boolean>
  /** For links without a password only. */
  copyDirect(share: ShareDetails): Promise<boolean>
  showQr(share: ShareDetails): void
  /** Hands the link to an app of the device; undefined where the browser cannot. */
  readonly sendOn: ((share: ShareDetails) => void) | undefined
  edit(share: ShareDetails): void
  /** Asks before: a link that is deleted never works again. */
  remove(shares: readonly ShareDetails[]): Promise<void>
  /** Shares what is at the path now, in place of what was there. */
  rebind(share: ShareDetails): Promise<void>
}

/** What can be done with links, in the dialog and on the page. */
export function useShareActions(): ShareActions {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const links = useShareLinks()
  const copy = useCopy()
  // Browsers leave it out of pages that come without TLS, and some have none at all.
  const canSend = typeof (navigator.share as Navigator['share'] | undefined) === 'function'
  const nameOf = (share: ShareDetails): string => shareName(share) || t('files.root')
  const refresh = async (): Promise<void> => await queries.invalidateQueries({ queryKey: ['shares'] })

  return {
    copyLink: (share, quiet) => copy({ text: links.page(share), success: t('shares.copied'), quiet }),
    copyDirect: (share) => copy({ text: links.direct(share), success: t('shares.directCopied') }),
    showQr: (share) => void ask(ShareQr, { name: nameOf(share), link: links.page(share) }),
    sendOn: canSend
      ? (share) => {
          // Closing the list of apps chooses none of them.
          navigator.share({ title: nameOf(share), url: links.page(share) }).catch(ignore)
        }
      : undefined,
    edit: (share) => void ask(EditSharePrompt, { share }),
    async remove(shares) {
      if ((await ask(DeleteSharesPrompt, { shares })) !== true) return
      const outcomes = await Promise.allSettled(
        shares.map(({ hash }) => client.call(removeShare, { params: { '*': hash } })),
      )
      await refresh()
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
      // Somebody else was faster: the link is gone all the same.
      const [problem] = failed.map(problemOf).filter(({ code }) => code !== 'NOT_FOUND')
      if (problem === undefined) toasts.success(t('shares.deleted', { count: shares.length }))
      else toasts.error(`${t('shares.notDeleted', { count: failed.length })} ${problemText(t, problem)}`)
    },
    async rebind(share) {
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

function ignore(): void {
  return undefined
}
