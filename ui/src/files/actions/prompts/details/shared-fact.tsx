import { useQuery } from '@tanstack/react-query'
import { listSharesOfPath } from '../../../../../../src/api/shares/shares.ts'
import { mayDo } from '../../../../../../src/domain/access/permissions.ts'
import type { VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'
import type { ShareView } from '../../../../../../src/domain/shares/share.ts'
import { useClient } from '../../../../api/client.ts'
import { useUser } from '../../../../api/session.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { useShareLinks } from '../../../share/share-links.ts'
import { CopyButton } from './checksums.tsx'
import { Fact } from './facts.tsx'
import styles from './details.module.css'

/** The links that share a path; undefined until they are known. Empty if the user may not share. */
export function useLinksOf(path: VirtualPath): readonly ShareView[] | undefined {
  const client = useClient()
  const user = useUser()
  const maySee = user !== undefined && mayDo(user.perm, 'shares.manage')
  const { data = [], isPending } = useQuery({
    queryKey: ['shares', 'fact', path],
    queryFn: ({ signal }) => client.call(listSharesOfPath, { params: { '*': path }, query: {}, signal }),
    enabled: maySee,
    gcTime: 0,
    retry: false,
  })
  return maySee && isPending ? undefined : data
}

export function SharedFact({ links }: { readonly links: readonly ShareView[] }) {
  const t = useText()
  const { page } = useShareLinks()
  return (
    <Fact label={t('details.shared')}>
      {t('details.links', { count: links.length })}
      <ul className={styles['links']}>
        {links.map((share) => {
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
