import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { cancelLinkUpload, listLinkUploads } from '../../../../../src/api/shares/shares.ts'
import type { LinkUploadView } from '../../../../../src/domain/uploads/upload.ts'
import { useClient } from '../../../api/client.ts'
import { useFormat, useNow } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Progress } from '../../../kit/feedback/progress.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import styles from '../shares.module.css'

/** Milliseconds between two looks at the progress, which has no events. */
const INTERVAL = 5000

interface LinkUploadsProps {
  readonly hash: string
  /** Called when the button with the focus has gone. */
  readonly onCancelled: () => void
}

/** What visitors have only begun to send through a link, which the owner can cancel. Nothing if there is none. */
export function LinkUploads({ hash, onCancelled }: LinkUploadsProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const now = useNow()
  const id = useId()
  const { data = [] } = useQuery({
    queryKey: ['shares', 'uploads', hash],
    queryFn: ({ signal }) => client.call(listLinkUploads, { params: { hash }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? INTERVAL : false),
  })

  const cancel = async (upload: LinkUploadView): Promise<void> => {
    try {
      await client.call(cancelLinkUpload, { params: { hash, id: upload.id } })
      toasts.success(t('jobs.cancelled'))
      onCancelled()
    } catch (error) {
      toasts.error(problemText(t, problemOf(error)))
    }
    await queries.invalidateQueries({ queryKey: ['shares'] })
  }

  if (data.length === 0) return null
  return (
    <section aria-labelledby={id} className={styles['begun']}>
      <h3 id={id}>{t('shares.begun', { count: data.length })}</h3>
      <ul className={styles['arrivals']}>
        {data.map((upload) => (
          <Begun key={upload.id} upload={upload} now={now} onCancel={async () => await cancel(upload)} />
        ))}
      </ul>
    </section>
  )
}

interface BegunProps {
  readonly upload: LinkUploadView
  readonly now: Date
  readonly onCancel: () => Promise<void>
}

function Begun({ upload, now, onCancel }: BegunProps) {
  const t = useText()
  const format = useFormat()
  const [isBusy, setBusy] = useState(false)
  const { name, from, offset, length, created } = upload
  const progress = t('jobs.of', { done: format.bytes(offset), all: format.bytes(length) })
  const age = format.relativeTime(new Date(created * 1000), now)
  const run = async (): Promise<void> => {
    setBusy(true)
    await onCancel()
    setBusy(false)
  }
  return (
    <li>
      <bdi>{name}</bdi>
      <Progress thin value={length === 0 ? 0 : offset / length} label={name} valueText={progress} />
      <div className={styles['begunRow']}>
        <p className={styles['terms']}>
          {[from && t('shares.receivedFrom', { name: from }), progress, age].filter(Boolean).join(' · ')}
        </p>
        <Button
          size="small"
          variant="ghost"
          progress={isBusy ? 'busy' : 'idle'}
          aria-label={t('uploads.cancelOne', { name })}
          onClick={() => void run()}
        >
          {t('files.cancel')}
        </Button>
      </div>
    </li>
  )
}
