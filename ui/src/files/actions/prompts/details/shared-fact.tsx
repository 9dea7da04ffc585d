import { useQuery } from '@tanstack/react-query'
import { listSharesOfPath } from '../../../../../../src/api/shares/shares.ts'
import { mayDo } from '../../../../../../src/domain/access/permissions.ts'
import type { VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../../api/client.ts'
import { useUser } from '../../../../api/session.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { useShareLinks } from '../../../share/share-links.ts'
import { CopyButton } from './checksums.tsx'
import { Fact } from './facts.tsx'
import styles from './details.module.css'

/** The links that share it; nothing without links, or if the user may not share. */
export function SharedFact({ path }: { readonly path: VirtualPath }) {
  const t = useText()
  const client = useClient()
  const user = useUser()
  const { page } = useShareLinks()
  const { data: shares = [] } = useQuery({
    queryKey: ['shares', 'fact', path],
    queryFn: ({ signal }) => client.call(listSharesOfPath, { params: { '*': path }, query: {}, signal }),
    enabled: user !== undefined && mayDo(user.perm, 'shares.manage'),
    gcTime: 0,
    retry: false,
  })
  if (shares.length === 0) return null
  return (
    <Fact label={t('details.shared')}>
      {t('details.links', { count: shares.length })}
      <ul className={styles['links']}>
        {shares.map((share) => {
          const link = page(share)
          const name = link.replace(/^https?:\/\//, '')
          return (
            <li key={share.hash} className={styles['copyable']}>
              <a className={styles['value']} dir="ltr" href={link} target="_blank" rel="noopener" title={link}>
                {name}
              </a>
              <CopyButton label={t('details.copy', { name })} text={link} />
            </li>
          )
        })}
      </ul>
    </Fact>
  )
}
