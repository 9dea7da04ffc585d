import { useQuery } from '@tanstack/react-query'
import { listSharesOfPath } from '../../../../../src/api/shares.ts'
import { mayDo } from '../../../../../src/domain/permissions.ts'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
/** By how many links others get to it; nothing when there is none, or for those who may not share. */
export function SharedFact({ path }: { readonly path: VirtualPath }) {
  const t = useText()
  const client = useClient()
  const user = useUser()
  const { data: shares = [] } = useQuery({
    queryKey: ['shares', 'fact', path],
    queryFn: ({ signal }) => client.call(listSharesOfPath, { params: { '*': path }, query: {}, signal }),
    enabled: user !== undefined && mayDo(user.perm, 'shares.manage'),
    gcTime: 0,
    retry: false,
  })
  if (shares.length === 0) return null
  return (
    <>
      <dt>{t('details.shared')}</dt>
      <dd>{t('details.links', { count: shares.length })}</dd>
    </>
  )
}
