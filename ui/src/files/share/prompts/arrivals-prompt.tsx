import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listArrivals, seeArrivals } from '../../../../../src/api/shares/shares.ts'
import type { ArrivalView } from '../../../../../src/domain/shares/share-terms.ts'
import type { ShareDetails } from '../../../../../src/domain/shares/share.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useTextPart, useText } from '../../../i18n/use-text.tsx'
import { AppLink, Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { filesHref, parentFolder } from '../../../lib/navigation/app-path.ts'
import { ShareProblem } from '../share-form.tsx'
import { shareName } from '../share-links.ts'
import styles from '../shares.module.css'
import { LinkUploads } from './link-uploads.tsx'

interface ArrivalsPromptProps extends PromptProps<never> {
  readonly share: Pick<ShareDetails, 'hash' | 'path' | 'userID'>
}

/** Lists what visitors send and have sent through a link, and who sent it. */
export function ArrivalsPrompt({ share, close }: ArrivalsPromptProps) {
  useTextPart('shares')
  const t = useText()
  const client = useClient()
  const { hash } = share
  const { data, error } = useQuery({
    queryKey: ['shares', 'arrivals', hash],
    queryFn: ({ signal }) => client.call(listArrivals, { params: { hash }, signal }),
    staleTime: 0,
  })
  const isOwn = useUser()?.id === share.userID
  const queries = useQueryClient()
  const newest = isOwn ? data?.[0]?.arrived : undefined
  useEffect(() => {
    if (newest === undefined) return
    const see = async (): Promise<void> => {
      await client.call(seeArrivals, { params: { hash }, body: { until: newest } })
      await queries.invalidateQueries({ queryKey: ['shares'] })
    }
    // They stay new until the next look.
    see().catch(() => undefined)
  }, [client, queries, hash, newest])
  const done = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      size="medium"
      title={t('shares.receivedTitle', { name: shareName(share) || t('files.root') })}
      onClose={() => close()}
      footer={
        <Button ref={done} autoFocus data-autofocus="" onClick={() => close()}>
          {t('shares.done')}
        </Button>
      }
    >
      <ShareProblem error={error} />
      <LinkUploads hash={hash} onCancelled={() => done.current?.focus()} />
      {data === undefined && error === null && (
        <div role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('shares.loading')}</span>
        </div>
      )}
      {data?.length === 0 && <p>{t('shares.received', { count: 0 })}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['arrivals']} aria-label={t('shares.received', { count: data.length })}>
          {data.map((arrival) => (
            <Arrived
              key={`${arrival.path} ${arrival.arrived}`}
              arrival={arrival}
              isOwn={isOwn}
              onFollow={() => close()}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface ArrivedProps {
  readonly arrival: ArrivalView
  /** The link is this user's own, so the path leads to their files. */
  readonly isOwn: boolean
  readonly onFollow: () => void
}

function Arrived({ arrival, isOwn, onFollow }: ArrivedProps) {
  const t = useText()
  const format = useFormat()
  const { path, from, size, arrived, sha256 } = arrival
  const date = new Date(arrived * 1000)
  return (
    <li>
      {isOwn ? (
        <AppLink to={filesHref(parentFolder(path))} className="truncate" onClick={onFollow}>
          <bdi>{path}</bdi>
        </AppLink>
      ) : (
        <bdi>{path}</bdi>
      )}
      <p className={styles['terms']}>
        {[from && t('shares.receivedFrom', { name: from }), format.bytes(size), format.dateTime(date)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {sha256 !== null && (
        <code className={styles['sum']} title="SHA-256">
          {sha256}
        </code>
      )}
    </li>
  )
}
