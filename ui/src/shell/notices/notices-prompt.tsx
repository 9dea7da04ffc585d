import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { seeNotices } from '../../../../src/api/automation/notices.ts'
import type { Notice } from '../../../../src/domain/automation/notice.ts'
import { useClient } from '../../api/client.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { ErrorNote } from '../../kit/feedback/note.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { NoticeRow } from './notice-row.tsx'
import styles from './notices.module.css'
import { noticesQuery } from './notices-query.ts'

/** What leads to the place of a notice, once the list is closed. */
type Follow = () => void

/** What the user may have missed. */
export function NoticesPrompt({ close }: PromptProps<Follow>) {
  useTextPart('notices')
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const { data, error } = useQuery({ ...noticesQuery(client), staleTime: 0 })
  const {
    mutate,
    isPending,
    error: unsaved,
  } = useMutation({
    mutationFn: async (notices: readonly Notice[]) => {
      const until = notices.reduce((latest, { at }) => Math.max(latest, at), 0)
      await client.call(seeNotices, { body: { until } })
      await Promise.all(['notices', 'shares'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
  const problem = unsaved ?? (data === undefined ? error : null)
  const [fresh, earlier] = [data?.filter(({ isNew }) => isNew) ?? [], data?.filter(({ isNew }) => !isNew) ?? []]
  const isRead = fresh.length === 0
  return (
    <Dialog
      size="corner"
      title={t('shell.notices')}
      onClose={() => close()}
      footer={
        data !== undefined &&
        data.length > 0 && (
          // It keeps the focus when everything is read.
          <Button
            progress={isPending ? 'busy' : isRead ? 'done' : 'idle'}
            aria-disabled={isRead}
            onClick={() => isRead || mutate(data)}
          >
            {t(isRead ? 'notices.allRead' : 'notices.markRead')}
          </Button>
        )
      }
    >
      <ErrorNote>{problem && problemText(t, problemOf(problem))}</ErrorNote>
      {data === undefined && error === null && (
        <div role="status">
          <Spinner size={24} />
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState art={<Icon name="bell" size={40} />} title={t('notices.emptyTitle')}>
          {t('notices.emptyText')}
        </EmptyState>
      )}
      <Group label={t('notices.new')} notices={fresh} onFollow={close} />
      <Group label={t('notices.earlier')} notices={earlier} onFollow={close} />
    </Dialog>
  )
}

interface GroupProps {
  readonly label: string
  readonly notices: readonly Notice[]
  readonly onFollow: (follow: Follow) => void
}

function Group({ label, notices, onFollow }: GroupProps) {
  const id = useId()
  if (notices.length === 0) return null
  return (
    <section className={styles['group']} aria-labelledby={id}>
      <h3 id={id}>{label}</h3>
      <ul>
        {notices.map((notice) => (
          <NoticeRow key={keyOf(notice)} notice={notice} onFollow={onFollow} />
        ))}
      </ul>
    </section>
  )
}

function keyOf(notice: Notice): string {
  if (notice.kind === 'quota') return notice.kind
  if (notice.kind === 'rootAway') return `${notice.kind} ${notice.name}`
  const id = 'job' in notice ? notice.job.id : 'id' in notice ? notice.id : notice.hash
  return `${notice.kind} ${id}`
}
