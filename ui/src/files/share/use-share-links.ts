import { downloadShared } from '../../../../src/api/public.ts'
import type { ShareView } from '../../../../src/domain/share.ts'
import { useClient } from '../../api/client-context.tsx'
import { useConfig } from '../../api/config.tsx'

export interface ShareLinks {
  /** The page that visitors open. */
  page(share: Pick<ShareView, 'hash'>): string
  /** The bytes at once. It works without a password only. */
  direct(share: Pick<ShareView, 'hash'>): string
}

/** Addresses for others: whole ones, of the host by which this page was opened. */
export function useShareLinks(): ShareLinks {
  const client = useClient()
  const { BaseURL } = useConfig()
  return {
    page: ({ hash }) => `${location.origin}${BaseURL}/share/${hash}`,
    direct: ({ hash }) => new URL(client.url(downloadShared, { params: { '*': hash } }), location.origin).href,
  }
}
